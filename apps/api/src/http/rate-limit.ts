import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { within } from '@deal-signals/runtime/within';
import type { Response } from 'express';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './errors.ts';

/** The window in which requests are counted. It begins with a key's first request. */
export const WINDOW_SECONDS = 60;

/** Whoever has waited this long for Redis goes on without it. */
export const REDIS_DEADLINE_MS = 50;
const RECONNECT_WAIT_MS = 250;
/** A connection on which a command has waited this long for its reply is given up. */
const SILENT_CONNECTION_MS = 2_000;

/** Counts the requests of every key. */
export interface RateLimit {
  readonly perMinute: number;
  /** Counts one request; never rejects. */
  count(key: string): Promise<Count>;
}

/** Where a key stands in its window. */
export interface Count {
  isOverLimit: boolean;
  remaining: number;
  /** Whole seconds until the window has certainly ended. */
  resetSeconds: number;
}

/**
 * Connects to the Redis that the processes share for counting. Commands fail at once while there is no connection, and
 * it is tried again for as long as the process lives. The log hears of a loss and of the return, once each.
 */
export function connectForCounting(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: SILENT_CONNECTION_MS,
    socketTimeout: SILENT_CONNECTION_MS,
    retryStrategy: () => RECONNECT_WAIT_MS,
  });
  let isLost = false;
  redis.on('error', (error: unknown) => {
    if (!isLost) logger.warn('rate limit: Redis is away, counting in this process', describeError(error));
    isLost = true;
  });
  redis.on('ready', () => {
    if (isLost) logger.info('rate limit: Redis is back');
    isLost = false;
  });
  return redis;
}

/**
 * Counts requests in Redis, over all processes. While Redis is away or slow, this process counts by itself: the limit
 * then holds for each process alone, which beats refusing everybody and beats no limit.
 *
 * @param deadlineMs how long a request waits for Redis.
 * @param onCountedLocally called for each request that Redis did not count in time.
 */
export function createRateLimit(
  redis: Redis,
  perMinute: number,
  deadlineMs: number,
  onCountedLocally: () => void = () => {},
): RateLimit {
  const window = { points: perMinute, duration: WINDOW_SECONDS, keyPrefix: 'rate-limit' };
  const shared = new RateLimiterRedis({ ...window, storeClient: redis, rejectIfRedisNotReady: true });
  const local = new RateLimiterMemory(window);
  return {
    perMinute,
    async count(key) {
      const inTime = await settle(within(deadlineMs, shared.consume(key)));
      if (inTime === null) onCountedLocally();
      const result = inTime ?? (await settle(local.consume(key)));
      if (result === null) throw new Error('the in-process rate limit did not count');
      return {
        isOverLimit: result.consumedPoints > perMinute,
        remaining: Math.max(0, perMinute - result.consumedPoints),
        // Rounded up, so that a caller who waits this long is served.
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
      };
    },
  };
}

/** Says on a response how many requests a key may make, in what window; every response carries it. */
export function describeRateLimit(response: Response, perMinute: number): void {
  response.set('X-RateLimit-Limit', String(perMinute));
  response.set('X-RateLimit-Window', String(WINDOW_SECONDS));
}

/**
 * Counts a request of a key and says on its response what is left.
 *
 * @throws ApiError RATE_LIMITED with `Retry-After` when the key has used its window up.
 */
export async function countRequest(limit: RateLimit, key: string, response: Response): Promise<void> {
  const { isOverLimit, remaining, resetSeconds } = await limit.count(key);
  response.set('X-RateLimit-Remaining', String(remaining));
  response.set('X-RateLimit-Reset', String(resetSeconds));
  if (isOverLimit) {
    throw new ApiError('RATE_LIMITED', `more than ${limit.perMinute} requests in ${WINDOW_SECONDS} seconds`, {
      headers: { 'Retry-After': String(resetSeconds) },
    });
  }
}

/** A limiter rejects with its count when the limit is reached, and with an error when it could not count: null here. */
async function settle(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
  try {
    return await counting;
  } catch (rejected) {
    return rejected instanceof RateLimiterRes ? rejected : null;
  }
}
