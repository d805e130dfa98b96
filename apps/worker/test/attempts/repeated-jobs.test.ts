import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addDelivery, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { openQueue, toAttemptJob } from '../../src/attempts/queue.ts';

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
  queue = openQueue(redis, '{deal-signals}');
  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    DISPATCH_TICK_MS: '100',
  });
});
afterEach(async () => {
  await worker.kill9();
  await queue.close();
  redis.disconnect();
  await receiver.close();
  await database.drop();
});

test('a worker that gets a job again, as after a failover of Redis, sends nothing while its attempt is under way', async () => {
  const { db } = database;
  const letRespond = holdResponses(receiver);
  const id = await addDelivery(db, await addEndpoint(db, { url: receiver.url }));
  await receiver.waitFor(1);
  const { companyId, claimToken } = await db.pendingDelivery.findFirstOrThrow({ where: { id } });
  const { name, data } = toAttemptJob({ companyId, deliveryId: id, claimToken: claimToken! });
  await queue.add(name, data);
  await until('the job to be taken', async () => (await queue.getActiveCount()) === 2);
  letRespond();
  await until('both jobs to end', async () => (await queue.getActiveCount()) === 0);
  expect(receiver.requests).toHaveLength(1);
  expect(await readDelivery(db, id)).toMatchObject({ status: 'delivered', attempts: 1 });
});
