import { Redis } from 'ioredis';
import { currentTestRun } from '../test-run.ts';

const COUNTER = 'deal-signals:test-databases';

/**
 * Provides an empty logical Redis database, so that concurrent test files do not share queues. `FLUSHDB` is safe there. A test
 * that needs `FLUSHALL` or a restart has to start its own server.
 *
 * @returns the connection URL of the database.
 */
export async function createTestRedis(): Promise<string> {
  const { redisUrl } = currentTestRun();
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  try {
    // Database 0 holds only the counter.
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
