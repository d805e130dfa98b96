import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// One receiver never responds, and twenty do. The worker has its default concurrency. Its ticks are more frequent, and its
// timeout is longer than the test, so every attempt at the first receiver hangs until the end.

const HEALTHY = 20;
const ROUNDS = 5;
const DUE_AT_HANGING = 1_000;
const POOL_SIZE = 10;

let database: TestDatabase;
let hanging: Receiver;
let healthy: Receiver[];
let worker: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  hanging = await startReceiver({ respond: 'hang' });
  healthy = await Promise.all(Array.from({ length: HEALTHY }, () => startReceiver()));
  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    DISPATCH_TICK_MS: '250',
    DISPATCH_BATCH: '2000',
    WEBHOOK_TIMEOUT_MS: '120000',
  });
});
afterAll(async () => {
  await worker.kill9();
  await Promise.all([hanging, ...healthy].map((receiver) => receiver.close()));
  await database.drop();
});

/**
 * Returns how long deliveries take from being due to being received, in milliseconds. A round starts when the last one has ended.
 */
async function delaysMs(endpointIds: number[]): Promise<number[]> {
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const received = healthy.map(({ requests }) => requests.length);
    const dueAtMs = Date.now();
    await Promise.all(endpointIds.map((endpointId) => addDeliveries(database.db, endpointId, 1)));
    for (const [n, receiver] of healthy.entries()) {
      const requests = await receiver.waitFor(received[n]! + 1);
      delays.push(requests[received[n]!]!.receivedAt.getTime() - dueAtMs);
    }
  }
  return delays;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('an endpoint whose row is locked does not delay the others', async () => {
  const { db } = database;
  const receiver = healthy[0]!;
  const [held, other] = [
    await addEndpoint(db, { url: receiver.url }),
    await addEndpoint(db, { url: healthy[1]!.url }),
  ];
  await db.transaction(
    async (tx) => {
      // The server would end this session after 15 seconds without a statement.
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ${held} FOR NO KEY UPDATE`;
      const received = receiver.requests.length;
      await addDeliveries(db, held, 3 * POOL_SIZE);
      await receiver.waitFor(received + 3 * POOL_SIZE);
      const before = healthy[1]!.requests.length;
      await addDeliveries(db, other, 1);
      // The lock is still held here, so the other endpoint did not wait for it.
      await healthy[1]!.waitFor(before + 1);
      const [session] = await tx.$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'deal-signals-worker' AND wait_event_type = 'Lock'`;
      expect(session?.waiting).toBeLessThanOrEqual(1);
    },
    { timeout: 180_000 },
  );
  await until('all outcomes to be recorded', async () => {
    return (await db.pendingDelivery.count({ where: { endpointId: held } })) === 0;
  });
});

test('an endpoint that hangs on every attempt does not delay the others', async () => {
  const { db } = database;
  const hangingId = await addEndpoint(db, { url: hanging.url });
  const healthyIds: number[] = [];
  for (const { url } of healthy) healthyIds.push(await addEndpoint(db, { url }));
  await delaysMs(healthyIds);
  const alone = median(await delaysMs(healthyIds));

  await addDeliveries(db, hangingId, DUE_AT_HANGING);
  await hanging.waitFor(50);
  // Other work on the machine slows down some measurements. An endpoint that blocks the others would slow down all of them.
  let withHanging = Infinity;
  for (let tries = 0; tries < 5 && withHanging > 2 * alone; tries += 1) {
    withHanging = Math.min(withHanging, median(await delaysMs(healthyIds)));
  }

  expect(withHanging).toBeLessThanOrEqual(2 * alone);
  // The hanging endpoint still has its maximum of attempts.
  expect(hanging.requests).toHaveLength(50);
  expect(await db.pendingDelivery.count({ where: { endpointId: hangingId, ready: true } })).toBe(
    DUE_AT_HANGING - 50,
  );
});
