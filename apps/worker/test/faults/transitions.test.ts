import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import { enableEndpoint } from '@deal-signals/deliveries/endpoints/change-state';
import { type Behaviour, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint as addAnyEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

// Every transition of a delivery and of an endpoint, made by a worker in a separate process.

const TICK_MS = 100;
/** Only a hanging receiver reaches this timeout. */
const TIMEOUT_MS = 10_000;
const WAITS_MS = [500, 510, 520, 530, 540, 550, 560, 570];
const FINISHED = { nextAttemptAt: null, ready: false, claimToken: null, leaseExpiresAt: null };

/** Adds an endpoint that is not notified when another one is disabled. */
const addEndpoint: typeof addAnyEndpoint = (db, fields) =>
  addAnyEndpoint(db, { events: ['engagement.recorded'], ...fields });

let database: TestDatabase;
let worker: RunningApp;
let receiver: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: String(TICK_MS),
    WEBHOOK_RETRY_SCHEDULE_MS: WAITS_MS.join(),
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
  });
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

async function untilStatus(id: bigint, status: DeliveryStatus) {
  return until(`delivery ${id} to be ${status}`, async () => {
    const delivery = await readDelivery(database.db, id);
    return delivery.status === status && delivery;
  });
}

async function untilAttempts(id: bigint, count: number) {
  return until(`${count} attempts of delivery ${id}`, async () => {
    const delivery = await readDelivery(database.db, id);
    return delivery.attemptLog.length >= count && delivery;
  });
}

describe('a delivery', () => {
  test.each([200, 202, 204, 299])('is sent when due and delivered by %d', async (status) => {
    receiver.respond({ status, headers: { 'x-more': 'yes' }, body: status === 204 ? '' : 'thanks' });
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const id = await addDelivery(database.db, endpointId);
    const delivery = await untilStatus(id, 'delivered');
    expect(delivery).toMatchObject({ ...FINISHED, attempts: 1, lastStatusCode: status, lastError: null });
    expect(delivery.deliveredAt).toBeInstanceOf(Date);
    expect(delivery.attemptLog).toMatchObject([{ number: 1, statusCode: status, error: null }]);
    const request = receiver.requests.at(-1);
    expect(request?.rawBody.toString()).toBe(delivery.event.body);
    expect(request?.headers).toMatchObject({
      'x-service-event-id': delivery.eventId,
      'x-service-delivery': String(id),
      'user-agent': 'Service-Webhooks/1.0',
    });
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      consecutiveFailures: 0,
      lastSuccessAt: expect.any(Date),
      lastErrorAt: null,
    });
  });

  test('is sent as soon as it is due, and not before', async () => {
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const nextAttemptAt = new Date(Date.now() + 1_000);
    const id = await addDelivery(database.db, endpointId, { ready: false, nextAttemptAt });
    await until('it to be due', () => Date.now() >= nextAttemptAt.getTime());
    // The tick that claims the second of these started after the first one was delivered, so it has found everything that was
    // due.
    for (let later = 0; later < 2; later += 1) {
      await untilStatus(await addDelivery(database.db, endpointId), 'delivered');
    }
    const { status, claimToken } = await readDelivery(database.db, id);
    expect(status === 'delivered' || claimToken !== null).toBe(true);
    await untilStatus(id, 'delivered');
    const request = receiver.requests.find(({ headers }) => headers['x-service-delivery'] === String(id));
    expect(request?.receivedAt.getTime()).toBeGreaterThanOrEqual(nextAttemptAt.getTime());
  });

  const failures: [string, Behaviour, { statusCode: number | null; error: string }][] = [
    ['500', 500, { statusCode: 500, error: 'receiver responded with 500' }],
    ['404', 404, { statusCode: 404, error: 'receiver responded with 404' }],
    ['400', 400, { statusCode: 400, error: 'receiver responded with 400' }],
    [
      '302',
      { status: 302, headers: { location: 'https://example.com/' } },
      { statusCode: 302, error: 'receiver responded with 302' },
    ],
    ['a timeout', 'hang', { statusCode: null, error: `timeout after ${TIMEOUT_MS} ms` }],
    ['a broken connection', 'close', { statusCode: null, error: 'connection closed before a response' }],
  ];
  test.each(failures)(
    'stays pending after %s and is sent again after the wait',
    async (_, behaviour, attempt) => {
      receiver.respond([behaviour, 200]);
      const { url } = receiver;
      // The host has responded before, so its errors are shown in full.
      const endpointId = await addEndpoint(database.db, { url, respondedOrigin: new URL(url).host });
      const delivery = await untilStatus(await addDelivery(database.db, endpointId), 'delivered');
      expect(delivery.attempts).toBe(2);
      expect(delivery.attemptLog).toMatchObject([
        { number: 1, ...attempt },
        { number: 2, statusCode: 200, error: null },
      ]);
      const [first, second] = delivery.attemptLog;
      const endedAtMs = (first?.startedAt.getTime() ?? 0) + (first?.durationMs ?? 0);
      expect((second?.startedAt.getTime() ?? 0) - endedAtMs).toBeGreaterThanOrEqual(WAITS_MS[0]! - 2);
      const [sent, sentAgain] = receiver.requests;
      expect(sentAgain?.rawBody).toEqual(sent?.rawBody);
      expect(sentAgain?.headers['x-service-delivery']).toBe(sent?.headers['x-service-delivery']);
    },
  );

  test('stays pending while the receiver is down', async () => {
    const { port, url } = receiver;
    await receiver.close();
    const id = await addDelivery(database.db, await addEndpoint(database.db, { url }));
    expect((await untilAttempts(id, 1)).attemptLog[0]).toMatchObject({
      number: 1,
      statusCode: null,
      error: 'no response over TLS',
    });
    receiver = await startReceiver({ port });
    await untilStatus(id, 'delivered');
  });

  test('is dead after the eighth failure and all waits of the schedule, and is not sent again', async () => {
    receiver.respond(503);
    const id = await addDelivery(database.db, await addEndpoint(database.db, { url: receiver.url }));
    const dead = await untilStatus(id, 'dead');
    expect(dead).toMatchObject({
      ...FINISHED,
      attempts: 8,
      deliveredAt: null,
      lastStatusCode: 503,
      lastError: 'receiver responded with 503',
    });
    expect(dead.attemptLog.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [n, waitMs] of WAITS_MS.slice(0, 7).entries()) {
      const [before, after] = dead.attemptLog.slice(n, n + 2);
      const gapMs = (after?.startedAt.getTime() ?? 0) - (before?.startedAt.getTime() ?? 0);
      expect(gapMs).toBeGreaterThanOrEqual(waitMs);
    }
    // A later delivery has been through several ticks, and the dead one has not changed.
    const next = await addDelivery(database.db, dead.endpointId);
    await untilAttempts(next, 2);
    expect(await readDelivery(database.db, id)).toEqual(dead);
  });

  test('is dead at once after 410; the endpoint is disabled and its other deliveries are on hold', async () => {
    receiver.respond([500, 410, 200]);
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    const later = new Date(Date.now() + 3_600_000);
    const waiting = await addDelivery(database.db, endpointId, { ready: false, nextAttemptAt: later });
    const id = await addDelivery(database.db, endpointId);
    const dead = await untilStatus(id, 'dead');
    expect(dead).toMatchObject({ ...FINISHED, attempts: 2, lastStatusCode: 410 });
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      enabled: false,
      disabledReason: 'the receiver responded with 410 Gone',
    });
    expect(await readDelivery(database.db, waiting)).toMatchObject({ ...FINISHED, status: 'pending' });
    expect(receiver.requests).toHaveLength(2);
  });

  test('to a URL that is no longer allowed is not sent, and does not count as a failure of the endpoint', async () => {
    const endpointId = await addEndpoint(database.db, { url: 'https://10.0.0.1/' });
    const delivery = await untilAttempts(await addDelivery(database.db, endpointId), 1);
    expect(delivery.attemptLog[0]).toMatchObject({
      statusCode: null,
      error: 'the URL must not point to a private address',
    });
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      consecutiveFailures: 0,
      enabled: true,
    });
  });
});

describe('an endpoint', () => {
  test('is disabled after 20 consecutive failures of all its deliveries, and gets no more requests', async () => {
    receiver.respond(500);
    const endpointId = await addEndpoint(database.db, { url: receiver.url });
    await addDeliveries(database.db, endpointId, 5);
    const endpoint = await until('the endpoint to be disabled', async () => {
      const row = await readEndpoint(database.db, endpointId);
      return !row.enabled && row;
    });
    // Concurrent attempts may exceed the limit.
    expect(endpoint.disabledReason).toMatch(/^2[0-4] consecutive failed attempts$/);
    const onHold = {
      endpointId,
      nextAttemptAt: null,
      ready: false,
      claimToken: null,
    } as const;
    await until('all of them to be on hold', async () => {
      return (await database.db.pendingDelivery.count({ where: onHold })) === 5;
    });
    const sent = receiver.requests.length;
    const { consecutiveFailures } = await readEndpoint(database.db, endpointId);
    expect(consecutiveFailures).toBe(sent);

    // A capture may have read the endpoint just before it was disabled. Its delivery is put on hold too.
    const late = await addDelivery(database.db, endpointId);
    await until('the late one to be on hold', async () => {
      return (await readDelivery(database.db, late)).nextAttemptAt === null;
    });
    expect(await readDelivery(database.db, late)).toMatchObject({
      ...FINISHED,
      status: 'pending',
      attempts: 0,
    });
    expect(receiver.requests).toHaveLength(sent);

    receiver.respond(200);
    await database.db.transaction((tx) => enableEndpoint(tx, COMPANY, endpointId));
    await until('all of them to be delivered', async () => {
      return (await database.db.webhookDelivery.count({ where: { endpointId, status: 'delivered' } })) === 6;
    });
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      enabled: true,
      disabledReason: null,
      consecutiveFailures: 0,
    });
  });

  test('stays enabled when a success interrupts the failures', async () => {
    const endpointId = await addEndpoint(database.db, { url: receiver.url, consecutiveFailures: 18 });
    receiver.respond([500, 200]);
    await untilStatus(await addDelivery(database.db, endpointId), 'delivered');
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
    });
    receiver.respond([500, 500, 200]);
    await untilStatus(await addDelivery(database.db, endpointId), 'delivered');
    expect(await readEndpoint(database.db, endpointId)).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
    });
  });
});

test('each attempt writes one log line, and nothing secret', async () => {
  const endpointId = await addEndpoint(database.db, { url: `${receiver.url}hook?token=hush-hush` });
  const id = await addDelivery(database.db, endpointId);
  const { eventId } = await untilStatus(id, 'delivered');
  await worker.waitForOutput(`"deliveryId":"${id}"`);
  const lines = worker
    .output()
    .split('\n')
    .filter((line) => line.includes(`"deliveryId":"${id}"`))
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    {
      app: 'worker',
      level: 'info',
      message: 'attempt',
      timestamp: expect.any(String),
      deliveryId: String(id),
      eventId,
      eventType: 'engagement.recorded',
      companyId: COMPANY,
      endpointId,
      attempt: 1,
      outcome: 'delivered',
      deliveryStatus: 'delivered',
      statusCode: 200,
      durationMs: expect.any(Number),
      error: null,
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    },
  ]);
  expect(worker.output()).not.toMatch(/hush-hush|whsec_|v1[=,]/);
});
