import { disableEndpoint, removeEndpoint } from '@deal-signals/deliveries/endpoints/change-state';
import { createLogger } from '@deal-signals/runtime/logger';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { dispatch } from '../../src/dispatch/dispatch.ts';
import { type DispatchScheduler, keepTicking } from '../../src/dispatch/scheduler.ts';
import { ATTEMPT_QUEUE, DISPATCH_QUEUE, openQueue, toAttemptJob, toClaim } from '../../src/queues.ts';
import { connectConsumer, connectProducer } from '../../src/redis.ts';

const logger = createLogger('test', 'error');

let database: TestDatabase;
let redisUrl: string;
let redis: Redis;
let attempts: Queue;
let endpointId: number;

beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  redisUrl = await createTestRedis();
  redis = connectProducer(redisUrl);
  attempts = openQueue(ATTEMPT_QUEUE, redis, 'test');
  endpointId = await addEndpoint(database.db, { url: 'https://receiver.example/' });
});
afterEach(async () => {
  await attempts.close();
  redis.disconnect();
  await database.drop();
});

const tick = (batch = 50, endpointLimit = 50) =>
  dispatch({
    db: database.db,
    attempts,
    logger,
    limits: { batch, endpointLimit, workspaceLimit: 1_000, leaseMs: 30_000 },
  });

describe('a tick', () => {
  test('queues one job for each delivery, in id order, with its claim and without its payload', async () => {
    const ids = await addDeliveries(database.db, endpointId, 3);
    await tick();
    // In the order that a worker takes them in.
    const jobs = await attempts.getWaiting();
    expect(jobs.map(({ data }) => toClaim(data)?.deliveryId)).toEqual(ids);
    for (const job of jobs) {
      const { claimToken } = await readDelivery(database.db, BigInt(job.data.deliveryId));
      expect(job.data).toEqual({ companyId: 1, deliveryId: expect.any(String), claimToken });
      expect(job.id).toBe(`${job.data.deliveryId}-${claimToken}`);
    }
  });

  test('fills the queue up to one batch', async () => {
    await addDeliveries(database.db, endpointId, 10);
    await tick(4);
    expect(await attempts.getWaitingCount()).toBe(4);
    await tick(4);
    expect(await attempts.getWaitingCount()).toBe(4);
    expect(await database.db.webhookDelivery.count({ where: { ready: true } })).toBe(6);
    const [job] = await attempts.getWaiting();
    await job?.remove();
    await tick(4);
    expect(await attempts.getWaitingCount()).toBe(4);
    expect(await database.db.webhookDelivery.count({ where: { ready: true } })).toBe(5);
  });

  test('parks or ends the remaining deliveries of a disabled or removed endpoint, and claims none of them', async () => {
    const { db } = database;
    await addDeliveries(db, endpointId, 2_100);
    const pending = { endpointId, status: 'pending' } as const;
    await db.$transaction((tx) => disableEndpoint(tx, 1, endpointId, 'by an admin'));
    expect(await db.webhookDelivery.count({ where: { ...pending, ready: true } })).toBe(100);
    await tick();
    expect(await db.webhookDelivery.count({ where: { ...pending, nextAttemptAt: null } })).toBe(2_100);
    await db.$transaction((tx) => removeEndpoint(tx, 1, endpointId));
    expect(await db.webhookDelivery.count({ where: pending })).toBe(100);
    await tick();
    expect(await db.webhookDelivery.count({ where: pending })).toBe(0);
    expect(await attempts.getWaitingCount()).toBe(0);
  });

  test('goes past the workspaces that have nothing but endpoints at their pace', async () => {
    const { db } = database;
    await addDelivery(db, endpointId);
    for (let companyId = 2; companyId <= 14; companyId += 1) {
      await addCompany(db, companyId);
      const pace = { create: { maxPerMinute: 1 } };
      await addDeliveries(db, await addEndpoint(db, { companyId, pace }), 3, { companyId });
    }
    await tick(50);
    expect(await attempts.getWaitingCount()).toBe(14);
    await attempts.drain();
    await addCompany(db, 20);
    const free = await addDeliveries(db, await addEndpoint(db, { companyId: 20 }), 6, { companyId: 20 });
    await tick(4);
    const jobs = await attempts.getWaiting();
    expect(jobs.map(({ data }) => toClaim(data)?.deliveryId)).toEqual(free.slice(0, 4));
    // Those that wait are still in line.
    expect(await db.readyWorkspace.count()).toBe(14);
  });

  test('starts one batch, however many workspaces it looks at, and however quickly workers empty the queue', async () => {
    const { db } = database;
    for (let companyId = 2; companyId <= 4; companyId += 1) {
      await addCompany(db, companyId);
      const pace = { create: { maxPerMinute: 1 } };
      await addDeliveries(db, await addEndpoint(db, { companyId, pace }), 2, { companyId });
    }
    await tick();
    for (let companyId = 5; companyId <= 14; companyId += 1) {
      await addCompany(db, companyId);
      await addDelivery(db, await addEndpoint(db, { companyId }), { companyId });
    }
    const emptied = Object.assign(Object.create(attempts) as Queue, { getWaitingCount: async () => 0 });
    const claimed = () => db.webhookDelivery.count({ where: { claimToken: { not: null } } });
    const before = await claimed();
    const limits = { batch: 5, endpointLimit: 50, workspaceLimit: 1_000, leaseMs: 30_000 };
    // The first five workspaces in line have two places to fill, and the next five would fill all of them.
    await dispatch({ db, attempts: emptied, logger, limits });
    expect((await claimed()) - before).toBe(5);
  });

  test('releases the claims that it cannot queue', async () => {
    const id = await addDelivery(database.db, endpointId);
    await attempts.getWaitingCount();
    // A Redis that allows reads but refuses writes, as it does when its memory is full.
    await redis.call(
      'ACL',
      'SETUSER',
      'full',
      'on',
      'nopass',
      'allkeys',
      '+@all',
      '-hmset',
      '-hset',
      '-lpush',
    );
    await redis.call('AUTH', 'full', '');
    await expect(tick()).rejects.toThrow();
    expect(await readDelivery(database.db, id)).toMatchObject({
      ready: true,
      claimToken: null,
      leaseExpiresAt: null,
    });
    expect(await attempts.getWaitingCount()).toBe(0);
  });
});

test('a claim cannot be queued twice', async () => {
  const claim = { companyId: 1, deliveryId: 7n, claimToken: '00000000-0000-4000-8000-000000000001' };
  await attempts.addBulk([toAttemptJob(claim), toAttemptJob(claim)]);
  expect(await attempts.getWaitingCount()).toBe(1);
});

describe('the scheduler', () => {
  const TICK_MS = 500;
  let ticks: Queue;
  let consumer: Redis;
  let worker: Worker;
  const ran: number[] = [];
  const schedulers: DispatchScheduler[] = [];
  const errors: Error[] = [];

  beforeEach(async () => {
    ticks = openQueue(DISPATCH_QUEUE, redis, 'test');
    consumer = connectConsumer(redisUrl);
    ran.length = 0;
    worker = new Worker(DISPATCH_QUEUE, async () => void ran.push(Date.now()), {
      connection: consumer,
      prefix: 'test',
    });
  });
  afterEach(async () => {
    for (const scheduler of schedulers.splice(0)) scheduler.stop();
    await worker.close();
    await ticks.close();
    consumer.disconnect();
    expect(errors.splice(0)).toEqual([]);
  });

  const start = () => schedulers.push(keepTicking(ticks, TICK_MS, (error) => errors.push(error)));

  test('ticks once a period, however many processes run it', async () => {
    const startedAtMs = Date.now();
    for (let process = 0; process < 5; process += 1) start();
    await until('eight ticks', () => ran.length >= 8);
    // The first tick comes at once and the second at the next whole period, so eight ticks take at least six periods.
    expect(ran[7]! - startedAtMs).toBeGreaterThan(5 * TICK_MS);
  });

  test('continues after Redis was wiped', async () => {
    start();
    await until('two ticks', () => ran.length >= 2);
    await redis.flushdb();
    const before = ran.length;
    await until('two more ticks', () => ran.length >= before + 2);
  });

  test.each([
    ['an hour ago', -3_600_000],
    ['in an hour', 3_600_000],
  ])('continues when the job of its next tick is lost and due %s', async (_when, dueMs) => {
    start();
    await until('a tick', () => ran.length >= 1);
    await until('a job for the next tick', async () => (await ticks.getDelayedCount()) === 1);
    await redis.zremrangebyrank(`test:${DISPATCH_QUEUE}:delayed`, 0, -1);
    await redis.zadd(`test:${DISPATCH_QUEUE}:repeat`, Date.now() + dueMs, 'tick');
    const before = ran.length;
    await until('two more ticks', () => ran.length >= before + 2);
  });
});
