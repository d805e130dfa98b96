import { Redis } from 'ioredis';
import { currentTestRun } from './test-run.ts';

const COUNTER = 'deal-signals:test-databases';

/**
 * Hands out an empty logical Redis database of its own, so that queues of test files that run at the same time do not
 * mix. `FLUSHDB` is safe there; a test that wants `FLUSHALL` or a restart starts its own server.
 *
 * @returns its connection URL.
 */
export async function createTestRedis(): Promise<string> {
  const { redisUrl } = currentTestRun();
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  try {
    // Database 0 only counts.
    const [, databases] = (await redis.config('GET', 'databases')) as [string, string];
    const index = 1 + (((await redis.incr(COUNTER)) - 1) % (Number(databases) - 1));
    await redis.select(index);
    await redis.flushdb();
    const url = new URL(redisUrl);
    url.pathname = `/${index}`;
    return url.href;
  } finally {
    redis.disconnect();
  }
}
