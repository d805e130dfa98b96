import { connectRedis, type RedisClient } from '@deal-signals/runtime/redis/connect';
import type { RedisSettings } from '@deal-signals/runtime/redis/settings';

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;
const MAX_RETRY_MS = 2_000;
/** TCP keep-alive probes detect an idle connection whose other end has silently disappeared. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** The wait before a reconnection grows to two seconds, so that a recovered Redis is found soon. */
function retryStrategy(times: number): number {
  return Math.min(times * 100, MAX_RETRY_MS);
}

/** Connects for taking jobs. Commands wait for as long as Redis is unavailable, as BullMQ requires. */
export function connectConsumer(settings: RedisSettings): RedisClient {
  return connectRedis(settings, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    maxRetriesPerRequest: null,
    retryStrategy,
    enableOfflineQueue: true,
  });
}

/** Connects for adding jobs. Commands fail soon, so that a tick can release its claims if Redis is unavailable. */
export function connectProducer(settings: RedisSettings): RedisClient {
  return connectRedis(settings, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
    // A cluster client has no timeout for commands in its offline queue.
    enableOfflineQueue: settings.address.kind !== 'cluster',
  });
}
