import { randomUUID } from 'node:crypto';
import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { ATTEMPT_QUEUE, openQueue, toAttemptJobs } from '../../src/attempts/queue.ts';
import { healthUrl, scrapeOf } from '../health/scraping.ts';

/** Concurrent attempts of the worker. */
const AT_ONCE = 2;

/** Jobs that no worker of this version added: junk, and jobs of a newer version during a deployment. */
const CLAIM = { companyId: 1, deliveryId: '1000000000000', claimToken: randomUUID() };
const UNREADABLE: Record<string, unknown> = {
  'a text': 'junk',
  nothing: null,
  'a list': [1, 2],
  'an object of a newer version': { claim: CLAIM, version: 2 },
  'no claims': { claims: [] },
  'no token': { claims: [CLAIM, { ...CLAIM, claimToken: undefined }] },
  'an id beyond those of the database': { claims: [{ ...CLAIM, deliveryId: '9'.repeat(19) }] },
  'a workspace beyond those of the database': { claims: [{ ...CLAIM, companyId: 2 ** 40 }] },
};
const COUNT = Object.keys(UNREADABLE).length;

let database: TestDatabase;
let receiver: Receiver;
let redis: Redis;
let queue: Queue;
let startWorker: () => Promise<RunningApp>;
let worker: RunningApp;

beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  receiver = await startReceiver();
  const redisUrl = await createTestRedis();
  redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  queue = openQueue(redis, '{deal-signals}');
  startWorker = () =>
    startApp('worker', {
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      DISPATCH_TICK_MS: '100',
      WORKER_CONCURRENCY: String(AT_ONCE),
    });
  worker = await startWorker();
});
afterEach(async () => {
  await worker.kill9();
  await queue.close();
  redis.disconnect();
  await receiver.close();
  await database.drop();
});

const addUnreadable = () =>
  queue.addBulk(Object.values(UNREADABLE).map((data) => ({ name: 'attempt', data })));
const jobs = async () => {
  const counts = await queue.getJobCounts('waiting', 'active', 'completed', 'failed', 'delayed');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};

test('unreadable jobs are counted and removed, and the other jobs are attempted', async () => {
  await addUnreadable();
  const endpointId = await addEndpoint(database.db, { url: receiver.url });
  const ids = await addDeliveries(database.db, endpointId, 3);
  await receiver.waitFor(3);
  await until('the queue to be empty', async () => (await jobs()) === 0);
  const metrics = await scrapeOf(healthUrl(worker));
  expect(metrics.get('deal_signals_unreadable_jobs_total')).toBe(COUNT);
  expect(metrics.get('deal_signals_failed_jobs_total')).toBe(0);
  for (const id of ids) {
    await until('it to be delivered', async () => {
      return (await readDelivery(database.db, id)).status === 'delivered';
    });
  }
  expect(worker.output()).toContain('"message":"unreadable job discarded"');
});

test('a draining worker releases the claims that wait in the queue or for a slot, despite unreadable jobs, and finishes running attempts', async () => {
  const { db } = database;
  const letRespond = holdResponses(receiver);
  const endpointId = await addEndpoint(db, { url: receiver.url });
  const ids = await addDeliveries(db, endpointId, 13);
  await receiver.waitFor(AT_ONCE);
  await until('a job to wait in the queue', async () => (await queue.getWaitingCount()) === 1);
  await addUnreadable();
  // A job whose data is not valid JSON.
  const broken = await queue.add('attempt', {});
  await redis.hset(`{deal-signals}:${ATTEMPT_QUEUE}:${broken.id}`, 'data', '{not JSON');
  const stopped = worker.stop('SIGTERM');
  await until('the claims to be released', async () => {
    return (await db.pendingDelivery.count({ where: { ready: true, claimToken: null } })) === 13 - AT_ONCE;
  });
  letRespond();
  expect(await stopped).toBe(0);
  for (const id of ids.slice(0, AT_ONCE)) {
    expect(await readDelivery(db, id)).toMatchObject({ status: 'delivered', attempts: 1 });
  }
  expect(receiver.requests).toHaveLength(AT_ONCE);
  expect(await jobs()).toBe(0);
});

test('a worker without a free slot leaves the next job to another one', async () => {
  const { db } = database;
  holdResponses(receiver);
  const endpointId = await addEndpoint(db, { url: receiver.url });
  await addDeliveries(db, endpointId, AT_ONCE);
  await receiver.waitFor(AT_ONCE);
  await addDeliveries(db, endpointId, 12);
  await until('both jobs to wait', async () => (await queue.getWaitingCount()) === 2);
  const other = await startWorker();
  await receiver.waitFor(2 * AT_ONCE);
  await until('one job to be taken', async () => (await queue.getWaitingCount()) === 1);
  await other.kill9();
});

test('a worker that gets a job again, as after a failover of Redis, sends no delivery twice', async () => {
  const { db } = database;
  const letRespond = holdResponses(receiver);
  const id = await addDelivery(db, await addEndpoint(db, { url: receiver.url }));
  await receiver.waitFor(1);
  const { companyId, claimToken } = await db.pendingDelivery.findFirstOrThrow({ where: { id } });
  const [again] = toAttemptJobs([{ companyId, deliveryId: id, claimToken: claimToken! }]);
  await queue.add(again!.name, again!.data);
  await until('the job to end', async () => (await jobs()) === 0);
  letRespond();
  await until('the delivery', async () => (await readDelivery(db, id)).status === 'delivered');
  expect(receiver.requests).toHaveLength(1);
  expect(await readDelivery(db, id)).toMatchObject({ attempts: 1 });
});
