import { randomUUID } from 'node:crypto';
import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addDeliveries, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { ATTEMPT_QUEUE } from '../../src/attempts/queue.ts';
import { healthUrl, scrapeOf } from '../health/scraping.ts';

// Jobs that no worker of this version has added: junk, and those of a newer version during a deployment.

const CLAIM = { companyId: 1, deliveryId: '1000000000000', claimToken: randomUUID() };
const UNREADABLE: Record<string, unknown> = {
  'a text': 'junk',
  nothing: null,
  'a list': [1, 2],
  'an object of a newer version': { claim: CLAIM, version: 2 },
  'no token': { ...CLAIM, claimToken: undefined },
  'an id beyond those of the database': { ...CLAIM, deliveryId: '9'.repeat(19) },
  'a workspace beyond those of the database': { ...CLAIM, companyId: 2 ** 40 },
};
const COUNT = Object.keys(UNREADABLE).length;

let database: TestDatabase;
let receiver: Receiver;
let redis: Redis;
let queue: Queue;
let worker: RunningApp;

beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  receiver = await startReceiver();
  const redisUrl = await createTestRedis();
  redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  queue = new Queue(ATTEMPT_QUEUE, { connection: redis, prefix: '{deal-signals}' });
  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    DISPATCH_TICK_MS: '100',
    WORKER_CONCURRENCY: '1',
  });
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

test('are counted and removed, and the others are attempted', async () => {
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
  expect(worker.output()).toContain('"message":"unreadable job"');
});

test('do not spoil the drain of a worker: all claims are released, and the attempt under way is finished', async () => {
  const { db } = database;
  const letRespond = holdResponses(receiver);
  const endpointId = await addEndpoint(db, { url: receiver.url });
  const ids = await addDeliveries(db, endpointId, 13);
  await receiver.waitFor(1);
  await until('the others to wait in the queue', async () => (await queue.getWaitingCount()) === 12);
  await addUnreadable();
  // Data that is not JSON at all, in a job of its own.
  const broken = await queue.add('attempt', {});
  await redis.hset(`{deal-signals}:${ATTEMPT_QUEUE}:${broken.id}`, 'data', '{not JSON');
  const stopped = worker.stop('SIGTERM');
  await until('the claims to be given back', async () => {
    return (await db.pendingDelivery.count({ where: { ready: true, claimToken: null } })) === 12;
  });
  letRespond();
  expect(await stopped).toBe(0);
  expect(await readDelivery(db, ids[0]!)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await jobs()).toBe(0);
});
