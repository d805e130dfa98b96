import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import { sinceLastTick, takeTick } from '@deal-signals/deliveries/claims/ticks';
import { disableEndpoint, removeEndpoint } from '@deal-signals/deliveries/endpoints/change-state';
import { FIRST_ENDPOINT } from '@deal-signals/deliveries/endpoints/reconcile';
import { createLogger } from '@deal-signals/runtime/logger';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import { countWaitingClaims, openQueue, toAttemptJobs, toClaims } from '../../src/attempts/queue.ts';
import { dispatch, dispatchReady, QueueUnavailableError } from '../../src/dispatch/dispatch.ts';
import { runTick } from '../../src/dispatch/tick.ts';
import { keepTicking, type Ticker, type TickerContext } from '../../src/dispatch/ticker.ts';
import { createWorkerMetrics } from '../../src/health/metrics.ts';
import { connectProducer } from '../../src/redis.ts';

/** Logs only errors, although some tests make ticks fail. */
const logger = createLogger('test', 'error');
logger.silent = true;

const database = emptiedDatabase((db) => addCompany(db));
let redis: RedisClient;
let attempts: Queue;
let endpointId: number;

beforeEach(async () => {
  const address = { kind: 'single' as const, url: await createTestRedis(), isTls: false };
  redis = connectProducer({ address, ca: null, sentinelPassword: null, prefix: 'test' });
  attempts = openQueue(redis, 'test');
  endpointId = await addEndpoint(database.db, { url: 'https://receiver.example/' });
});
afterEach(async () => {
  await attempts.close();
  redis.disconnect();
});

const context = (batch: number, endpointLimit = 50) => ({
  db: database.db,
  attempts,
  logger,
  limits: { batch, endpointLimit, workspaceLimit: 1_000, leaseMs: 30_000 },
  reconciling: { after: FIRST_ENDPOINT },
});
const tick = (batch = 50, endpointLimit = 50) => dispatch(context(batch, endpointLimit));

/** Returns the jobs in the order in which a worker takes them. */
const waitingJobs = () => attempts.getWaiting();

test('wakes give each workspace its turn while the queue has room for few claims at a time', async () => {
  const { db } = database;
  const companies = Array.from({ length: 7 }, (_, n) => n + 2);
  for (const companyId of companies) {
    await addCompany(db, companyId);
    await addDeliveries(db, await addEndpoint(db, { companyId }), 20, { companyId });
  }
  const claimed = new Set<number>();
  for (let wakes = 0; wakes < 2; wakes += 1) {
    expect(await dispatchReady(context(5))).toBe(true);
    // A worker takes the jobs. Their attempts are slow, so the claims stay.
    for (const job of await waitingJobs()) {
      for (const { companyId } of toClaims(job.data)!) claimed.add(companyId);
      await job.remove();
    }
  }
  expect([...claimed].toSorted((a, b) => a - b)).toEqual(companies);
});

describe('a tick', () => {
  test('queues the claims in id order, ten a job, without their payloads', async () => {
    const ids = await addDeliveries(database.db, endpointId, 23);
    await tick();
    const jobs = await waitingJobs();
    expect(jobs.map(({ data }) => data.claims.length)).toEqual([10, 10, 3]);
    expect(jobs.flatMap(({ data }) => toClaims(data)!.map(({ deliveryId }) => deliveryId))).toEqual(ids);
    for (const { id, data } of jobs) {
      expect(id).toBe(`${data.claims.length}-${data.claims[0].claimToken}`);
      for (const claim of data.claims) {
        const { claimToken } = await readDelivery(database.db, BigInt(claim.deliveryId));
        expect(claim).toEqual({ companyId: 1, deliveryId: expect.any(String), claimToken });
      }
    }
  });

  test('fills the queue up to one batch', async () => {
    await addDeliveries(database.db, endpointId, 30);
    await tick(14);
    expect(await countWaitingClaims(attempts, 1_000)).toBe(14);
    await tick(14);
    expect(await countWaitingClaims(attempts, 1_000)).toBe(14);
    expect(await database.db.pendingDelivery.count({ where: { ready: true } })).toBe(16);
    const [first] = await waitingJobs();
    await first!.remove();
    await tick(14);
    expect(await countWaitingClaims(attempts, 1_000)).toBe(14);
    expect(await database.db.pendingDelivery.count({ where: { ready: true } })).toBe(6);
  });

  test('puts on hold or ends the remaining deliveries of a disabled or removed endpoint, and claims none of them', async () => {
    const { db } = database;
    await addDeliveries(db, endpointId, 2_100);
    const pending = { endpointId };
    await db.transaction((tx) => disableEndpoint(tx, 1, endpointId, 'by an admin'));
    expect(await db.pendingDelivery.count({ where: { ...pending, ready: true } })).toBe(100);
    await tick();
    expect(await db.pendingDelivery.count({ where: { ...pending, nextAttemptAt: null } })).toBe(2_100);
    await db.transaction((tx) => removeEndpoint(tx, 1, endpointId));
    expect(await db.pendingDelivery.count({ where: pending })).toBe(100);
    await tick();
    expect(await db.pendingDelivery.count({ where: pending })).toBe(0);
    expect(await attempts.getWaitingCount()).toBe(0);
  });

  test('passes over workspaces whose endpoints are all at their rate limit', async () => {
    const { db } = database;
    await addDelivery(db, endpointId);
    for (let companyId = 2; companyId <= 14; companyId += 1) {
      await addCompany(db, companyId);
      const rateLimit = { create: { maxPerMinute: 1 } };
      await addDeliveries(db, await addEndpoint(db, { companyId, rateLimit }), 3, { companyId });
    }
    await tick(50);
    expect(await countWaitingClaims(attempts, 1_000)).toBe(14);
    await attempts.drain();
    await addCompany(db, 20);
    const free = await addDeliveries(db, await addEndpoint(db, { companyId: 20 }), 6, { companyId: 20 });
    await tick(4);
    const [job] = await waitingJobs();
    expect(toClaims(job!.data)!.map(({ deliveryId }) => deliveryId)).toEqual(free.slice(0, 4));
    // The waiting workspaces are still in the queue.
    expect(await db.queuedWorkspace.count()).toBe(14);
  });

  test('dispatches one batch, regardless of how many workspaces it visits and how quickly workers empty the queue', async () => {
    const { db } = database;
    for (let companyId = 2; companyId <= 4; companyId += 1) {
      await addCompany(db, companyId);
      const rateLimit = { create: { maxPerMinute: 1 } };
      await addDeliveries(db, await addEndpoint(db, { companyId, rateLimit }), 2, { companyId });
    }
    await tick();
    for (let companyId = 5; companyId <= 14; companyId += 1) {
      await addCompany(db, companyId);
      await addDelivery(db, await addEndpoint(db, { companyId }), { companyId });
    }
    const emptied = Object.assign(Object.create(attempts) as Queue, { getRanges: async () => [] });
    const claimed = () => db.pendingDelivery.count({ where: { claimToken: { not: null } } });
    const before = await claimed();
    const limits = { batch: 5, endpointLimit: 50, workspaceLimit: 1_000, leaseMs: 30_000 };
    // The first five workspaces in the queue have two deliveries, and the next five would fill all slots.
    await dispatch({ db, attempts: emptied, logger, limits, reconciling: { after: FIRST_ENDPOINT } });
    expect((await claimed()) - before).toBe(5);
  });

  test('does not release the claims that it cannot queue', async () => {
    const id = await addDelivery(database.db, endpointId);
    await attempts.getWaitingCount();
    // A Redis that allows reads but rejects writes, as it does when its memory is full.
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
    await expect(tick()).rejects.toThrow(QueueUnavailableError);
    // Redis may have accepted some of the jobs, and a worker that runs one may attempt its claims.
    expect(await readDelivery(database.db, id)).toMatchObject({
      ready: false,
      claimToken: expect.any(String),
      leaseExpiresAt: expect.any(Date),
    });
    expect(await attempts.getWaitingCount()).toBe(0);
  });
});

test('claims cannot be queued twice', async () => {
  const claim = { companyId: 1, deliveryId: 7n, claimToken: '00000000-0000-4000-8000-000000000001' };
  await attempts.addBulk([...toAttemptJobs([claim]), ...toAttemptJobs([claim])]);
  expect(await attempts.getWaitingCount()).toBe(1);
});

test('a job of another program counts as one claim', async () => {
  await attempts.add('junk', {});
  expect(await countWaitingClaims(attempts, 1_000)).toBe(1);
});

test('waiting jobs are counted only until the queue is known to be full', async () => {
  await attempts.addBulk(Array.from({ length: 5 }, () => ({ name: 'junk', data: {} })));
  expect(await countWaitingClaims(attempts, 2)).toBe(2);
});

describe('without Redis', () => {
  test('a tick completes everything except queuing attempts', async () => {
    const { db } = database;
    await addDeliveries(db, endpointId, 2_100);
    await db.transaction((tx) => disableEndpoint(tx, 1, endpointId, 'by an admin'));
    const other = await addEndpoint(db, { url: 'https://other.example/' });
    const due = await addDelivery(db, other, { ready: false, nextAttemptAt: new Date(Date.now() - 1_000) });
    await takeTick(db, 15_000);
    await attempts.close();
    redis.disconnect();
    const waits: Error[] = [];
    expect(await runTick(tickContext({ onQueueError: (error) => waits.push(error) }))).toBe('unqueued');
    expect(waits).toEqual([expect.any(QueueUnavailableError)]);
    expect(await db.pendingDelivery.count({ where: { endpointId, nextAttemptAt: null } })).toBe(2_100);
    expect(await readDelivery(db, due)).toMatchObject({ ready: true, claimToken: null });
    expect(await sinceLastTick(db)).toBeLessThan(60_000);
  });
});

describe('ticks', () => {
  const TICK_MS = 500;
  const tickers: Ticker[] = [];
  afterEach(async () => {
    await Promise.all(tickers.splice(0).map((ticker) => ticker.stop()));
  });

  const begun = async () => (await database.db.dispatcher.findMany())[0]?.tickedAt.getTime();
  const start = (count = 1) => {
    for (let process = 0; process < count; process += 1)
      tickers.push(keepTicking(tickContext({ tickMs: TICK_MS })));
  };

  test('run once per interval with any number of workers', async () => {
    const results: string[] = [];
    const metrics = { observeTick: (result: string) => void results.push(result) };
    const startedAtMs = performance.now();
    for (let process = 0; process < 5; process += 1)
      tickers.push(keepTicking(tickContext({ tickMs: TICK_MS, metrics })));
    await until('eight ticks', () => results.length >= 8);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(7 * TICK_MS);
    expect(new Set(results)).toEqual(new Set(['completed']));
  });

  test('are taken by exactly one of many workers that ask at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      await database.db.$executeRaw`UPDATE dispatcher SET ticked_at = ticked_at - interval '1 hour'`;
      const taken = await Promise.all(Array.from({ length: 8 }, () => takeTick(database.db, 60_000)));
      expect(taken.filter(({ isTaken }) => isTaken)).toHaveLength(1);
      for (const { nextInMs } of taken) {
        expect(nextInMs).toBeGreaterThan(30_000);
        expect(nextInMs).toBeLessThanOrEqual(60_000);
      }
    }
  });

  test('without work are complete when they are taken', async () => {
    expect(await takeTick(database.db, 60_000)).toMatchObject({ isTaken: true, hasWork: false });
    expect(await sinceLastTick(database.db)).toBeLessThan(60_000);
  });

  test.each<[string, (db: Database) => Promise<unknown>]>([
    ['a workspace is in the queue', async () => {}],
    [
      'a delivery is due',
      (db) =>
        db.pendingDelivery.updateMany({ data: { ready: false, nextAttemptAt: new Date(Date.now() - 1) } }),
    ],
    [
      'the lease of a claim has ended',
      (db) =>
        db.pendingDelivery.updateMany({
          data: { ready: false, claimToken: randomUUID(), leaseExpiresAt: new Date(Date.now() - 1) },
        }),
    ],
    [
      'an endpoint is reconciling',
      async (db) => {
        await db.pendingDelivery.deleteMany();
        await db.webhookEndpoint.updateMany({ data: { reconciledTo: 0n } });
      },
    ],
  ])('have work when %s', async (name, prepare) => {
    const { db } = database;
    await addDelivery(db, endpointId);
    await prepare(db);
    if (name !== 'a workspace is in the queue') await db.queuedWorkspace.deleteMany();
    expect(await takeTick(db, 60_000)).toMatchObject({ isTaken: true, hasWork: true });
    expect(await sinceLastTick(db)).toBeNull();
  });

  test.each([
    ['a worker stopped in the middle of one', "interval '0'"],
    ['the clock of the database has stepped back by an hour', "interval '1 hour'"],
  ])('continue when %s', async (_when, ahead) => {
    await database.db.$executeRawUnsafe(
      `INSERT INTO dispatcher (ticked_at) VALUES (clock_timestamp() + ${ahead})`,
    );
    const before = await begun();
    start();
    await until('another tick', async () => (await begun()) !== before);
    const second = await begun();
    await until('one more', async () => (await begun()) !== second);
  });

  test('continue after one has failed', async () => {
    const { db } = database;
    const results: string[] = [];
    const metrics = { observeTick: (result: string) => void results.push(result) };
    await db.$executeRaw`ALTER TABLE pending_deliveries RENAME COLUMN ready TO renamed`;
    tickers.push(keepTicking(tickContext({ tickMs: TICK_MS, metrics })));
    await until('a failure', () => results.includes('failed'));
    expect(await sinceLastTick(db)).toBeNull();
    await db.$executeRaw`ALTER TABLE pending_deliveries RENAME COLUMN renamed TO ready`;
    await until('a tick', () => results.includes('completed'));
  });
});

/** @param changes the fields that differ from the defaults. */
function tickContext(changes: Partial<TickerContext> = {}): TickerContext {
  const { db } = database;
  return {
    db,
    attempts,
    logger,
    limits: { batch: 50, endpointLimit: 50, workspaceLimit: 1_000, leaseMs: 30_000 },
    reconciling: { after: FIRST_ENDPOINT },
    metrics: createWorkerMetrics(),
    tickMs: 15_000,
    onQueueError: () => {},
    ...changes,
  };
}
