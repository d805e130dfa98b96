import { connectRedis, type RedisClient } from '@deal-signals/runtime/redis/connect';
import type { RedisSettings } from '@deal-signals/runtime/redis/settings';

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;
const LONGEST_RETRY_MS = 2_000;
/** TCP keep-alive probes detect an idle connection whose other end silently disappeared. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** The wait before a reconnect grows to two seconds, so a Redis that comes back is found soon. */
function retryStrategy(times: number): number {
  return Math.min(times * 100, LONGEST_RETRY_MS);
}

/** The connection for taking jobs. Its commands wait for as long as Redis is away, as BullMQ requires. */
export function connectConsumer(settings: RedisSettings): RedisClient {
  return connectRedis(settings, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    maxRetriesPerRequest: null,
    retryStrategy,
    enableOfflineQueue: true,
  });
}

/** The connection for adding jobs. Its commands fail soon, so that a tick can release its claims if Redis is away. */
export function connectProducer(settings: RedisSettings): RedisClient {
  return connectRedis(settings, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
    // A cluster has no limit for the time that a command waits for it.
    enableOfflineQueue: settings.address.kind !== 'cluster',
  });
}
