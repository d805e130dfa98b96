import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AttemptResult } from '@deal-signals/deliveries/attempts/outcome';
import { recordOutcome } from '@deal-signals/deliveries/attempts/record-outcomes';
import { signatureHeader, standardSignatureHeader } from '@deal-signals/sending/headers/delivery-headers';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { startApp } from '@deal-signals/test-kit/processes';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addAlertChannel } from '@deal-signals/test-kit/worlds/alert-channels';
import {
  addAttempt,
  addDeliveries,
  addEndpoint,
  SIGNING_SECRET,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

// Real workers send alerts to real receivers.

const NOWHERE = 'redis://127.0.0.1:1';
const RULES = {
  retryScheduleMs: [30_000],
  maxAttempts: 3,
  disableAfter: 20,
  disableMinOutageMs: 0,
  alertsOperator: true,
};
const failed: AttemptResult = { kind: 'responded', status: 500, excerpt: '', durationMs: 1 };

let database: TestDatabase;
let receiver: Receiver;
beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

/** Starts a worker without Redis, which alerts do not need. */
const startWorker = (env: Record<string, string> = {}) =>
  startApp(
    'worker',
    { DATABASE_URL: database.url, REDIS_URL: NOWHERE, DISPATCH_TICK_MS: '100', ...env },
    { waitUntilReady: false },
  );

/** Adds an endpoint, records its tenth failure, and returns its id. */
async function failTenTimes(): Promise<number> {
  const endpointId = await addEndpoint(database.db, { consecutiveFailures: 9 });
  await recordOutcome(database.db, RULES, await addAttempt(database.db, endpointId), failed);
  return endpointId;
}

const channelsOf = () => database.db.alertChannel.findMany({ orderBy: { id: 'asc' } });
const jsonOf = ({ rawBody }: { rawBody: Buffer }) => JSON.parse(rawBody.toString());

test('each kind of channel gets its own form of message, without Redis', async () => {
  for (const kind of ['slack', 'teams', 'webhook'] as const)
    await addAlertChannel(database.db, { kind, url: `${receiver.url}${kind}` });
  const endpointId = await failTenTimes();
  await startWorker({ CONSOLE_URL: 'https://signals.example/console/' });
  const requests = await receiver.waitFor(3);
  const [slack, teams, webhook] = ['slack', 'teams', 'webhook'].map((kind) =>
    requests.find(({ path }) => path === `/${kind}`)!,
  );
  const title = `Webhook endpoint ${endpointId} (127.0.0.1:1) is failing`;
  const lines = [
    'Consecutive failures: 10',
    'Last error: receiver responded with 500',
    expect.stringMatching(/^At: 20/),
  ];
  const link = `https://signals.example/console/endpoints/${endpointId}`;
  const plain = (shown: unknown) => ({ type: 'plain_text', text: shown, emoji: false });
  expect(jsonOf(slack!)).toEqual({
    text: title,
    blocks: [
      { type: 'header', text: plain(title) },
      { type: 'section', fields: lines.map(plain) },
      { type: 'section', text: { type: 'mrkdwn', text: `<${link}|Open the endpoint>` } },
    ],
  });
  const card = jsonOf(teams!).attachments[0];
  expect(card).toMatchObject({ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null });
  expect(card.content).toMatchObject({
    type: 'AdaptiveCard',
    body: [title, ...lines].map((shown) => ({ type: 'RichTextBlock', inlines: [{ text: shown }] })),
    actions: [{ type: 'Action.OpenUrl', url: link }],
  });
  for (const { headers } of [slack!, teams!]) {
    expect(headers).not.toHaveProperty('x-service-signature');
    expect(headers).not.toHaveProperty('webhook-signature');
  }
  const body = webhook!.rawBody.toString();
  expect(jsonOf(webhook!)).toEqual({
    id: expect.any(String),
    type: 'endpoint.failing',
    apiVersion: '2026-09-01',
    createdAt: expect.any(String),
    companyId: COMPANY,
    data: {
      endpointId,
      host: '127.0.0.1:1',
      count: 1,
      consecutiveFailures: 10,
      lastError: 'receiver responded with 500',
      url: link,
    },
  });
  const { headers } = webhook!;
  const t = Number(headers['webhook-timestamp']);
  expect(headers['x-service-signature']).toBe(signatureHeader([SIGNING_SECRET], t, body));
  expect(headers['webhook-signature']).toBe(
    standardSignatureHeader([SIGNING_SECRET], String(headers['webhook-id']), t, body),
  );
  expect(headers).toMatchObject({ 'x-service-event': 'endpoint.failing', 'webhook-id': jsonOf(webhook!).id });
  await until('the channels to show the success', async () =>
    (await channelsOf()).every(({ lastSentAt, lastError }) => lastSentAt !== null && lastError === null),
  );
  // Nothing of it is an event of the contract.
  expect(await database.db.webhookEvent.count({ where: { type: { contains: 'endpoint.failing' } } })).toBe(0);
});

test('an alert is sent again after its worker was killed during the attempt', async () => {
  await addAlertChannel(database.db, { url: receiver.url });
  await failTenTimes();
  receiver.respond('hang');
  const first = await startWorker();
  const [hung] = await receiver.waitFor(1);
  await first.kill9();
  receiver.respond(200);
  await startWorker();
  // Until the end of the lease, no other worker sends it.
  await until('a tick of the second worker', async () => {
    const [row] = await database.db.$queryRaw<{ isLeft: boolean }[]>`
      SELECT count(*) > 0 AS "isLeft" FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'deal-signals-worker'`;
    return row!.isLeft;
  });
  expect(receiver.requests).toHaveLength(1);
  await database.db.$executeRaw`UPDATE alerts SET due_at = clock_timestamp() WHERE channel_id <> 0`;
  const [, again] = await receiver.waitFor(2);
  expect(jsonOf(again!).id).toBe(jsonOf(hung!).id);
});

test('another worker sends an alert at once after its worker stops during the attempt', async () => {
  await addAlertChannel(database.db, { url: receiver.url });
  await failTenTimes();
  receiver.respond('hang');
  const first = await startWorker();
  await receiver.waitFor(1);
  expect(await first.stop()).toBe(0);
  receiver.respond(200);
  await startWorker();
  await receiver.waitFor(2);
});

test('an alert that is claimed while its worker stops is released and not sent', async () => {
  const { db } = database;
  await addAlertChannel(db, { url: receiver.url });
  await failTenTimes();
  await db.$executeRawUnsafe(`
    CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER slow_down BEFORE UPDATE ON alerts FOR EACH ROW EXECUTE FUNCTION slow_down()`);
  const worker = await startWorker();
  await until('the claim', async () => {
    const rows = await db.$queryRaw<unknown[]>`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    return rows.length > 0;
  });
  await worker.stop();
  expect(receiver.requests).toEqual([]);
  const alerts = await db.alert.findMany({ where: { channelId: { gt: 0 } } });
  expect(alerts).toMatchObject([{ count: 1, attempts: 0, claimToken: null }]);
});

test('an alert that was sent is complete although an admin is changing its channel', async () => {
  const { db } = database;
  await addAlertChannel(db, { url: receiver.url });
  await failTenTimes();
  await db.transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM alert_channels FOR UPDATE`;
    await startWorker();
    await receiver.waitFor(1);
    await until(
      'the alert to be complete',
      async () => (await db.alert.count({ where: { count: 0 } })) === 1,
    );
  });
  await until('the result', async () => (await channelsOf())[0]!.lastSentAt !== null);
});

test('two workers send each alert once', async () => {
  for (let n = 0; n < 5; n += 1) await addAlertChannel(database.db, { url: `${receiver.url}${n}` });
  const endpoints: number[] = [];
  for (let n = 0; n < 6; n += 1) endpoints.push(await failTenTimes());
  await Promise.all([startWorker(), startWorker()]);
  await receiver.waitFor(30);
  await until('nothing to be due', async () => {
    const due = await database.db.alert.count({ where: { count: { gt: 0 }, channelId: { gt: 0 } } });
    return due === 0;
  });
  const sent = receiver.requests.map((request) => `${request.path} ${jsonOf(request).data.endpointId}`);
  expect(new Set(sent).size).toBe(30);
  expect(sent).toHaveLength(30);
});

test('five channels with a receiver that hangs cause five requests and delay no delivery', async () => {
  const hanging = await startReceiver({ respond: 'hang' });
  for (let n = 0; n < 5; n += 1) await addAlertChannel(database.db, { url: hanging.url });
  for (let n = 0; n < 10; n += 1) await failTenTimes();
  await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    WORKER_CONCURRENCY: '2',
  });
  await hanging.waitFor(5);
  const endpointId = await addEndpoint(database.db, { url: receiver.url });
  const begun = performance.now();
  await addDeliveries(database.db, endpointId, 50);
  await receiver.waitFor(50);
  // The alerts hang for 10 s.
  expect(performance.now() - begun).toBeLessThan(8_000);
  expect(hanging.requests).toHaveLength(5);
  await until(
    'the errors of the channels',
    async () => (await channelsOf()).every(({ lastError }) => lastError === 'no response over TLS'),
    { timeoutMs: 20_000 },
  );
  await hanging.close();
});

test('a channel with a private address is not called, and its alert is postponed', async () => {
  await addAlertChannel(database.db, { url: 'https://10.0.0.1/' });
  const endpointId = await failTenTimes();
  await startWorker();
  await until('the error of the channel', async () => (await channelsOf())[0]!.lastError !== null);
  expect(await channelsOf()).toMatchObject([
    { lastError: 'the URL must not point to a private address', lastSentAt: null },
  ]);
  await until('the alert to wait', async () => {
    const alert = await database.db.alert.findFirst({ where: { endpointId, channelId: { gt: 0 } } });
    return alert!.attempts === 1 && alert!.claimToken === null && alert!.dueAt > new Date();
  });
});

test('alerts of a channel that was removed or chooses other events are deleted', async () => {
  const channelId = await addAlertChannel(database.db, { url: receiver.url });
  const endpointId = await failTenTimes();
  await database.db.alertChannel.updateMany({
    where: { id: channelId },
    data: { events: ['deliveries.dead'] },
  });
  await database.db.$executeRaw`
    INSERT INTO alerts (company_id, channel_id, endpoint_id, event, count, consecutive_failures, last_at, due_at)
    VALUES (${COMPANY}, 99, ${endpointId}, 'endpoint.failing', 1, 10, now(), now())`;
  await startWorker();
  // Without OPERATOR_ALERTS_URL, those of the operator are deleted too.
  await until('the alerts to be removed', async () => (await database.db.alert.count()) === 0);
  expect(receiver.requests).toEqual([]);
});

test('the operator gets the alerts of all workspaces as JSON', async () => {
  await addCompany(database.db, COMPANY + 1);
  const bodies: { companyId: number; type: string }[] = [];
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    bodies.push(JSON.parse(await text(request)));
    response.writeHead(202).end();
  }
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpointId = await failTenTimes();
  const neighbours = await addEndpoint(database.db, { companyId: COMPANY + 1 });
  const lastTry = await addAttempt(database.db, neighbours, { companyId: COMPANY + 1, attempts: 2 });
  await recordOutcome(database.db, RULES, lastTry, failed);
  const { port } = server.address() as AddressInfo;
  const worker = await startWorker({ OPERATOR_ALERTS_URL: `http://127.0.0.1:${port}/mail` });
  await until('both messages', () => bodies.length === 2);
  expect(bodies.toSorted((a, b) => a.companyId - b.companyId)).toMatchObject([
    { type: 'endpoint.failing', companyId: COMPANY, data: { endpointId, url: null } },
    { type: 'deliveries.dead', companyId: COMPANY + 1, data: { endpointId: neighbours, count: 1 } },
  ]);
  await worker.kill9();
  server.close();
});
