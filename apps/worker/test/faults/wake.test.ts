import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

// With DISPATCH_WAKE, a commit is dispatched without waiting for a tick. In these tests only the first tick runs.

const NO_FURTHER_TICK = String(3_600_000);

let database: TestDatabase;
let redisUrl: string;
let receiver: Receiver;
let endpointId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  redisUrl = await createTestRedis();
  receiver = await startReceiver();
  endpointId = await addEndpoint(database.db, { url: receiver.url });
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

/** Starts a worker and waits until its first tick has ended and it listens. */
async function startListening(env: Record<string, string> = {}): Promise<RunningApp> {
  const worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    DISPATCH_TICK_MS: NO_FURTHER_TICK,
    DISPATCH_WAKE: 'true',
    LOG_LEVEL: 'debug',
    ...env,
  });
  await untilListeners(1);
  return worker;
}

const sessions = () => database.db.$queryRaw<{ pid: number }[]>`
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'deal-signals-wake' AND query LIKE 'SELECT 1%'`;

async function untilListeners(atLeast: number, except: number[] = []): Promise<number[]> {
  let pids: number[] = [];
  await until('the workers to listen', async () => {
    pids = (await sessions()).map(({ pid }) => pid).filter((pid) => !except.includes(pid));
    return pids.length >= atLeast;
  });
  return pids;
}

test('a commit is dispatched between two ticks', async () => {
  const worker = await startListening();
  for (let round = 1; round <= 3; round += 1) {
    await addDeliveries(database.db, endpointId, 2);
    await receiver.waitFor(2 * round);
  }
  expect(await worker.stop()).toBe(0);
});

test('deliveries that are committed together are dispatched in batches until none is left', async () => {
  await startListening({ DISPATCH_BATCH: '4', WORKER_CONCURRENCY: '2' });
  const ids = await addDeliveries(database.db, endpointId, 30);
  const requests = await receiver.waitFor(30);
  expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(ids.length);
});

test('a lost connection is opened again, and deliveries that were committed in the meantime are dispatched', async () => {
  await startListening();
  const pids = await untilListeners(1);
  await database.db.transaction(async (tx) => {
    for (const pid of pids) await tx.$executeRaw`SELECT pg_terminate_backend(${pid}::int)`;
  });
  await addDeliveries(database.db, endpointId, 1);
  await receiver.waitFor(1);
  await untilListeners(1, pids);
  await addDeliveries(database.db, endpointId, 1);
  await receiver.waitFor(2);
});

test('two workers that are woken together send each delivery once', async () => {
  await Promise.all([startListening(), startListening()]);
  await untilListeners(2);
  for (let n = 1; n <= 20; n += 1) await addDeliveries(database.db, endpointId, 2);
  const requests = await receiver.waitFor(40);
  await until('all outcomes to be recorded', async () => {
    return (await database.db.webhookDelivery.count({ where: { status: 'delivered' } })) === 40;
  });
  expect(requests).toHaveLength(40);
});
