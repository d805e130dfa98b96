import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createRateLimit, type RateLimit, REDIS_DEADLINE_MS } from '../../../src/http/limits/rate-limit.ts';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { limitsLeft } from './rate-limit-headers.ts';

const LIMIT = 3;
/** Returns the results of a limit for requests that are counted at the same time, in their order. */
async function countAtOnce(limit: RateLimit, callers: readonly string[]): Promise<(number | 'over')[]> {
  const counts = await Promise.all(callers.map((caller) => limit.count(caller)));
  return counts.map(({ isOverLimit, remaining }) => (isOverLimit ? 'over' : remaining));
}

/** Redis may be slow on a busy machine, so only one test uses the production timeout. */
const PATIENCE_MS = 10_000;

describe('with Redis', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await openTestApi({ settings: { rateLimitPerMinute: LIMIT } });
    await addCompany(api.db, 1);
    await addCompany(api.db, 2, { apiEnabled: false });
    await until('Redis to be connected', () => api.redis.status === 'ready');
  });

  afterAll(() => api.close());

  test('a key may make as many requests as the limit, and the responses count down', async () => {
    const key = await addKey(api.db, 1);
    for (const remaining of [2, 1, 0]) {
      const { headers } = await api.get('/status', key).expect(200);
      expect(headers['x-ratelimit-limit']).toBe(String(LIMIT));
      expect(headers['x-ratelimit-window']).toBe('60');
      expect(headers['x-ratelimit-remaining']).toBe(String(remaining));
      expect(headers['x-ratelimit-reset']).toMatch(/^(60|[1-5]?\d)$/);
      const resetSeconds = Number(headers['x-ratelimit-reset']);
      expect(limitsLeft(headers)).toEqual([{ name: 'key', limit: LIMIT, remaining, resetSeconds }]);
    }
    const refused = await api.get('/calls', key);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    expect(refused.headers['retry-after']).toBe(refused.headers['x-ratelimit-reset']);
    // Another key has a limit of its own.
    await api.get('/status', await addKey(api.db, 1)).expect(200);
  });

  test('counts requests that fail as well', async () => {
    const key = await addKey(api.db, 1);
    await api.get('/calls?limit=0', key).expect(400);
    await api.get('/calls/unknown', key).expect(404);
    expect((await api.get('/status', key).expect(200)).headers['x-ratelimit-remaining']).toBe('0');
    const closed = await addKey(api.db, 2);
    expect((await api.get('/status', closed).expect(403)).headers['x-ratelimit-remaining']).toBe('2');
  });

  test('management requests do not count against the limit of a key', async () => {
    for (let request = 0; request < LIMIT + 2; request += 1) {
      const { headers } = await api.get('/webhooks', sessionToken()).expect(200);
      expect(headers['x-ratelimit-remaining']).toBeUndefined();
    }
  });

  test('serves a request after the time in Retry-After', async () => {
    const key = await addKey(api.db, 1);
    for (let request = 0; request < LIMIT; request += 1) await api.get('/status', key).expect(200);
    // Shortens the current window, as if most of the minute had passed.
    for (const name of await api.redis.keys('test:rate-limit:*')) await api.redis.pexpire(name, 5_000);
    const { headers } = await api.get('/status', key).expect(429);
    const refusedAtMs = performance.now();
    const waitMs = Number(headers['retry-after']) * 1_000;
    expect(waitMs).toBeGreaterThan(0);
    await until('Retry-After to pass', () => performance.now() - refusedAtMs >= waitMs);
    await api.get('/status', key).expect(200);
  });

  test('two processes share the limit of a key', async () => {
    const one = createRateLimit(api.redis, 'test:both', LIMIT, PATIENCE_MS);
    const other = createRateLimit(api.redis, 'test:both', LIMIT, PATIENCE_MS);
    expect((await one.count('shared')).remaining).toBe(2);
    expect((await other.count('shared')).remaining).toBe(1);
    expect((await one.count('shared')).remaining).toBe(0);
    expect((await other.count('shared')).isOverLimit).toBe(true);
  });

  test('concurrent requests each have their own position in the window of their caller', async () => {
    const limit = createRateLimit(api.redis, 'test:at-once', LIMIT, PATIENCE_MS);
    expect(await countAtOnce(limit, ['a', 'a', 'b', 'a', 'b'])).toEqual([2, 1, 2, 0, 1]);
    expect(await countAtOnce(limit, ['b', 'b', 'b', 'a'])).toEqual([0, 'over', 'over', 'over']);
    // All nine were counted, including those over the limit.
    expect(await api.redis.mget('test:at-once:a', 'test:at-once:b')).toEqual(['4', '5']);
  });
});

describe('without Redis', () => {
  let proxy: TcpProxy;
  let api: TestApi;

  beforeAll(async () => {
    proxy = await startTcpProxy(await createTestRedis());
    api = await openTestApi({ redisUrl: proxy.url, settings: { rateLimitPerMinute: LIMIT } });
    await addCompany(api.db, 1);
    await until('Redis to be connected', () => api.redis.status === 'ready');
  });

  afterAll(async () => {
    await api.close();
    await proxy.cut();
  });

  /** Returns the number of requests that the process counted locally, from its metrics. */
  async function countedLocally(): Promise<number> {
    const { text } = await supertest(api.app).get('/metrics').expect(200);
    return Number(/^deal_signals_rate_limit_counted_locally_total (\d+)$/m.exec(text)?.[1]);
  }

  async function expectLimited(key: string): Promise<void> {
    for (let request = 0; request < LIMIT; request += 1) await api.get('/status', key).expect(200);
    const refused = await api.get('/status', key).expect(429);
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
  }

  test('a Redis that hangs delays no request, and the process counts locally', async () => {
    const key = await addKey(api.db, 1);
    await api.get('/status', key).expect(200);
    proxy.stall();
    const limit = createRateLimit(api.redis, 'test:fast', LIMIT, REDIS_DEADLINE_MS);
    expect((await limit.count('held up')).remaining).toBe(2);
    // The request did not wait until the connection was closed.
    expect(api.redis.status).toBe('ready');
    for (const remaining of [1, 0]) expect((await limit.count('held up')).remaining).toBe(remaining);
    expect((await limit.count('held up')).isOverLimit).toBe(true);
    expect(await countAtOnce(limit, ['at once', 'at once', 'at once', 'at once'])).toEqual([2, 1, 0, 'over']);
    await expectLimited(await addKey(api.db, 1));
    await proxy.restore();
  });

  test('an outage of Redis logs a line, a count at intervals, and a line when it is over', async () => {
    await until('Redis to be connected', () => api.redis.status === 'ready');
    const lines = () => api.log.filter(({ server }) => server === 'Redis');
    // The connection that hung in the previous test.
    await until('an earlier outage to be over', () => lines().at(-1)?.level !== 'warn');
    const before = lines().length;
    const countedBefore = await countedLocally();
    await proxy.cut();
    await until('the loss to be noticed', () => api.redis.status !== 'ready');
    await expectLimited(await addKey(api.db, 1));
    expect(await countedLocally()).toBe(countedBefore + LIMIT + 1);
    const key = await addKey(api.db, 1);
    const together = await Promise.all(Array.from({ length: LIMIT + 1 }, () => api.get('/status', key)));
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429]);
    expect(await countedLocally()).toBe(countedBefore + 2 * (LIMIT + 1));
    await until('more than two errors to be counted', () =>
      lines()
        .slice(before)
        .some(({ errors }) => Number(errors) > 2),
    );
    await proxy.restore();
    await until('the return to be logged', () => lines().at(-1)?.level === 'info');
    const [first, ...later] = lines().slice(before);
    const trouble = {
      level: 'warn',
      message: 'connection trouble',
      server: 'Redis',
      source: 'redis',
      error: expect.stringContaining('ECONNREFUSED'),
    };
    const counts = { errors: expect.any(Number), durationMs: expect.any(Number) };
    expect(first).toEqual(trouble);
    expect(later.slice(0, -1)).toEqual(later.slice(1).map(() => ({ ...trouble, ...counts })));
    expect(later.at(-1)).toEqual({
      level: 'info',
      message: 'connection restored',
      server: 'Redis',
      ...counts,
    });
    expect(Number(later.at(-1)?.['errors'])).toBeGreaterThan(2);
    await expectLimited(await addKey(api.db, 1));
    expect(await api.redis.keys('test:rate-limit:*')).not.toHaveLength(0);
  });
});
