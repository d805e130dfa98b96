import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { CAPTURE_ENV, captureUrlOf, openSender, sendRecords } from '@deal-signals/test-kit/capture-sender';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { captureWorkspace, LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const LINE_LIMIT = 1_024 * 1_024;

let database: TestDatabase;
let proxy: TcpProxy;
let api: RunningApp;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  proxy = await startTcpProxy(database.url);
});
afterEach(async () => {
  await api.kill9();
  await proxy.cut();
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  api = await startApp('api', {
    DATABASE_URL: proxy.url,
    REDIS_URL: await createTestRedis(),
    ...CAPTURE_ENV,
    ...env,
  });
  url = await captureUrlOf(api);
}

const event = (key: string, more: object = {}) =>
  `${JSON.stringify({ record: 'event', companyId: COMPANY, key, type: 't', occurredAt: '2026-01-01', distributionId: LINK, ...more })}\n`;

const storedKeys = async () =>
  (await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } })).map(({ key }) => key);

test('rejects a line over the limit without buffering it, and accepts the next one', async () => {
  await start();
  const sender = openSender(url, '?onError=continue');
  sender.send(event('a'));
  await sender.untilLine({ committed: 1 });
  for (let sent = 0; sent < 20 * LINE_LIMIT; sent += LINE_LIMIT / 4) sender.send('x'.repeat(LINE_LIMIT / 4));
  sender.send(`\n${event('b')}`);
  const { lines } = await sender.finish();
  expect(lines).toEqual([
    { committed: 1 },
    { line: 2, errors: [{ field: '', message: `expected a line of at most ${LINE_LIMIT} bytes` }] },
    { committed: 3 },
    { done: true, captured: 2, unchanged: 0, refused: 1 },
  ]);
});

test('stores the complete lines of a connection that breaks, and logs their number', async () => {
  await start();
  const sender = openSender(url);
  sender.send(event('a'));
  await sender.untilLine({ committed: 1 });
  sender.send(event('b') + event('c').slice(0, -5));
  await until('the line has arrived', async () => (await storedKeys()).length === 2);
  sender.cut();
  await api.waitForOutput('"aborted":true');
  const line = api
    .output()
    .split('\n')
    .find((one) => one.includes('"aborted":true'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/records', captured: 2, refused: 0, lastLine: 2 });
  expect(await storedKeys()).toEqual(['a', 'b']);
});

test('responds with 503 while the database is unavailable, or with an error after the committed lines', async () => {
  await start();
  const sender = openSender(url);
  sender.send(event('a'));
  await sender.untilLine({ committed: 1 });
  await proxy.cut();
  const refused = await sendRecords(url, event('b'));
  expect([refused.status, refused.headers['retry-after'], refused.lines[0]?.code]).toEqual([
    503,
    '1',
    'SERVICE_UNAVAILABLE',
  ]);
  sender.send(event('c'));
  const { lines } = await sender.ended;
  expect(lines).toEqual([
    { committed: 1 },
    {
      error: expect.stringMatching(/^the database is unavailable.*every line up to 1 is captured/),
      code: 'SERVICE_UNAVAILABLE',
    },
  ]);
  await proxy.restore();
  await until('records are accepted again', async () => (await sendRecords(url, event('d'))).status === 200);
  expect(await storedKeys()).toEqual(['a', 'd']);
});

test('a stopping process reports to open requests what is stored, and exits with 0', async () => {
  await start();
  const sender = openSender(url);
  sender.send(event('a') + event('b').slice(0, -5));
  await sender.untilLine({ committed: 1 });
  const exitCode = api.stop('SIGTERM');
  const { lines } = await sender.ended;
  expect(lines.at(-1)).toEqual({
    error: 'the service is stopping; every line up to 1 is captured, later ones may not be',
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await exitCode).toBe(0);
  expect(api.output()).not.toContain('cut off');
});

test('a stopping process finishes a request that has arrived completely', async () => {
  await start();
  const sender = openSender(url);
  let exitCode: Promise<number | null> | undefined;
  await inFeedTransaction(database.db, COMPANY, async () => {
    sender.send(event('a'));
    await untilCaptureWaits();
    // The rest arrives while the first record is being written.
    sender.send(event('b'));
    void sender.finish();
    await (await fetch(`${url}/healthz`)).text();
    exitCode = api.stop('SIGTERM');
    await api.waitForOutput('"message":"api stopping"');
  });
  const { lines } = await sender.ended;
  expect(lines).toEqual([
    { committed: 1 },
    { committed: 2 },
    { done: true, captured: 2, unchanged: 0, refused: 0 },
  ]);
  expect(await exitCode).toBe(0);
});

/** Waits until a capture is blocked by the feed clock. */
async function untilCaptureWaits(): Promise<void> {
  await until('a capture waits for the clock', async () => {
    const [row] = await database.db.$queryRaw<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'deal-signals-capture-api' AND wait_event_type = 'Lock'`;
    return row.waiting === 1;
  });
}

test('slows down a sender while records wait for the database, and keeps the connections of the public API free', async () => {
  await start({ DATABASE_POOL_SIZE: '1' });
  const key = await addKey(database.db, COMPANY);
  const sent = Array.from({ length: 6_000 }, (_, n) =>
    event(`k${n}`, { metadata: { text: 'x'.repeat(15_000) } }),
  );
  const sender = openSender(url);
  await inFeedTransaction(database.db, COMPANY, async () => {
    for (const line of sent) sender.send(line);
    await untilCaptureWaits();
    const response = await fetch(`${api.baseUrl}/status`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    // The process holds a batch of 1,000, and the system keeps some MiB. Without back-pressure, everything would have been read.
    expect(sender.unsentBytes()).toBeGreaterThan(10_000_000);
  });
  const { lines } = await sender.finish();
  expect(lines.at(-1)).toEqual({ done: true, captured: sent.length, unchanged: 0, refused: 0 });
  expect(await storedKeys()).toHaveLength(sent.length);
});
