import { connect } from 'node:net';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { CAPTURE_TOKEN, openSender, sendRecords } from '@deal-signals/test-kit/capture-sender';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { captureWorkspace, LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import winston from 'winston';
import { type CapturePort, openCapturePort } from '../../src/capture/port.ts';
import type { CaptureSettings } from '../../src/capture/settings.ts';
import { readTokens } from '../../src/capture/tokens.ts';
import { createMetrics, type Metrics } from '../../src/metrics.ts';

// The limits of the capture port, with shorter times and lower numbers than in production.

let database: TestDatabase;
let metrics: Metrics;
let port: CapturePort;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  metrics = createMetrics();
});
afterEach(async () => {
  await port.drain(0);
  await port.close();
  await database.drop();
});

async function open(limits: Partial<CaptureSettings>): Promise<void> {
  const tokens = readTokens(CAPTURE_TOKEN, (message) => {
    throw new Error(message);
  });
  const settings: CaptureSettings = {
    host: '127.0.0.1',
    port: 0,
    tokens: tokens ?? [],
    streams: 100,
    poolSize: 2,
    idleMs: 60_000,
    stallMs: 60_000,
    ...limits,
  };
  const dependencies = {
    metrics,
    logger: winston.createLogger({ silent: true }),
    isDatabaseChecked: () => true,
    schema: createSchemaWatch(),
    watched: { onIdleError() {}, onFailure() {} },
  };
  const never = new AbortController().signal;
  const shutdown = { stopping: never, closing: never, close: () => Promise.resolve() };
  port = await openCapturePort(settings, database.url, dependencies, shutdown);
  url = `http://127.0.0.1:${port.port}`;
}

const event = (key: string, more: object = {}) =>
  `${JSON.stringify({ record: 'event', companyId: COMPANY, key, type: 't', occurredAt: '2026-01-01', distributionId: LINK, ...more })}\n`;

const storedKeys = async () =>
  (await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } })).map(({ key }) => key);

const metric = async (name: string) => parseScrape(await metrics.registry.metrics()).values.get(name);

test('responds to a sender that stalls, with the status or after the committed lines', async () => {
  await open({ idleMs: 500 });
  const silent = await openSender(url).ended;
  expect([silent.status, silent.lines]).toEqual([
    408,
    [{ error: 'nothing has arrived for 500 ms', code: 'REQUEST_TIMEOUT' }],
  ]);
  const stalled = openSender(url);
  stalled.send(event('a') + event('b').slice(0, -5));
  const { status, lines } = await stalled.ended;
  expect([status, lines]).toEqual([
    200,
    [
      { committed: 1 },
      { error: expect.stringContaining('every line up to 1 is captured'), code: 'REQUEST_TIMEOUT' },
    ],
  ]);
  expect(await storedKeys()).toEqual(['a']);
});

test('rejects requests beyond the limit with 429 and Retry-After', async () => {
  await open({ streams: 2 });
  const senders = [openSender(url), openSender(url)];
  for (const [n, sender] of senders.entries()) {
    sender.send(event(`open-${n}`));
    await sender.untilLine({ committed: 1 });
  }
  expect(await metric('deal_signals_capture_streams')).toBe(2);
  const refused = await sendRecords(url, event('late'));
  expect([refused.status, refused.headers['retry-after'], refused.lines[0]?.code]).toEqual([
    429,
    '1',
    'RATE_LIMITED',
  ]);
  await Promise.all(senders.map((sender) => sender.finish()));
  expect((await sendRecords(url, event('late'))).status).toBe(200);
  expect(await metric('deal_signals_capture_streams')).toBe(0);
});

test('closes the connection of a sender that does not read its results', async () => {
  await open({ stallMs: 1_000 });
  const socket = connect(port.port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write(
    `POST /records?onError=continue HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${CAPTURE_TOKEN}\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n',
  );
  const bad = event('k', { type: '' }).repeat(1_000);
  const chunk = `${Buffer.byteLength(bad).toString(16)}\r\n${bad}\r\n`;
  const feed = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', feed);
  };
  feed();
  await until(
    'the response to be cut off',
    async () => (await metric('deal_signals_cut_responses_total')) === 1,
  );
  socket.destroy();
});
