import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createHeartbeat } from '../../src/dispatch/heartbeat.ts';

describe('the mark of a tick', () => {
  /** A tick is missed after twice as long, which is far more than a question to Redis takes. */
  const TICK_MS = 1_000;
  let redis: Redis;

  beforeAll(async () => {
    redis = new Redis(await createTestRedis());
    await redis.ping();
  });
  afterAll(() => redis.disconnect());

  test('counts for every worker, whatever its period, and survives a wiped Redis', async () => {
    const rare = createHeartbeat(redis, 'test', 3_600_000, 0);
    const frequent = createHeartbeat(redis, 'test', TICK_MS, 0);
    expect(await frequent.isAlive()).toBe(true);
    await until('a tick to be missed', async () => !(await frequent.isAlive()));
    await rare.beat();
    expect(await frequent.isAlive()).toBe(true);
    await redis.flushdb();
    expect([await rare.isAlive(), await frequent.isAlive()]).toEqual([true, true]);
    await until('the next one to be missed', async () => !(await frequent.isAlive()));
    expect(await rare.isAlive()).toBe(true);
  });

  test('is ignored when the clock of Redis has stepped back', async () => {
    const heartbeat = createHeartbeat(redis, 'test', TICK_MS, 0);
    // A step of an hour turns the two seconds that were left of a mark into this.
    await redis.set('test:webhook-dispatch:ticked', String(2 * TICK_MS), 'PX', 3_600_000);
    expect(await heartbeat.isAlive()).toBe(true);
    await until('a tick to be missed', async () => !(await heartbeat.isAlive()));
  });

  test('is as old as its remaining time tells', async () => {
    const heartbeat = createHeartbeat(redis, 'test', TICK_MS, 0);
    await until('a tick to be missed', async () => !(await heartbeat.isAlive()));
    const key = 'test:webhook-dispatch:ticked';
    await redis.set(key, '120000', 'PX', 60_000);
    expect(await heartbeat.isAlive()).toBe(false);
    await redis.set(key, '120000', 'PX', 119_990);
    expect(await heartbeat.isAlive()).toBe(true);
  });
});
