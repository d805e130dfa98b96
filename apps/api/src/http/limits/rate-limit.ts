import type { Logger } from '@deal-signals/runtime/logger';
import { createOutageLog, type OutageTiming } from '@deal-signals/runtime/outage-log';
import { connectRedis, type RedisClient } from '@deal-signals/runtime/redis/connect';
import type { RedisSettings } from '@deal-signals/runtime/redis/settings';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '../errors.ts';
import { createSharedCounter } from '../optimizations.ts';

/** The length of the window in which requests are counted. A window starts with a key's first request. */
export const WINDOW_SECONDS = 60;

/** Maximum time that a request waits for Redis before this process counts it locally. */
export const REDIS_DEADLINE_MS = 50;
const RECONNECT_WAIT_MS = 250;
/** Maximum time to connect, or to wait for a reply, before the connection is closed. */
const SILENT_CONNECTION_MS = 2_000;
/** In a cluster, a key may have moved to a node that is not connected yet. More redirections would outlast the request. */
const REDIRECTIONS = 3;

/** Counts the requests of each caller: of an API key, a user or a workspace. */
export interface RateLimit {
  readonly perMinute: number;
  /** Counts one request; never rejects. */
  count(caller: string): Promise<Count>;
}

/** The state of a caller's current window. */
export interface Count {
  isOverLimit: boolean;
  remaining: number;
  /** Whole seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/**
 * Connects to the Redis in which all processes count requests. Commands fail immediately while there is no connection, and the
 * client tries to reconnect for as long as the process runs. Connection errors are logged as an outage.
 *
 * @param onError called with each error of the connection.
 */
export function connectForCounting(
  settings: RedisSettings,
  logger: Logger,
  onError: () => void,
  outageTiming?: OutageTiming,
): RedisClient {
  const redis = connectRedis(settings, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: SILENT_CONNECTION_MS,
    socketTimeout: SILENT_CONNECTION_MS,
    retryStrategy: () => RECONNECT_WAIT_MS,
    maxRedirections: REDIRECTIONS,
  });
  const outage = createOutageLog(logger, 'Redis', () => redis.ping(), outageTiming);
  redis.on('error', (error: unknown) => {
    onError();
    outage.failed('redis', error);
  });
  redis.on('end', () => outage.stop());
  return redis;
}

/**
 * Counts requests in Redis, across all processes. While Redis is unavailable or slow, each process counts locally. The limit then
 * applies per process, which is better than rejecting all requests and better than no limit.
 *
 * @param keyPrefix the prefix of the keys; separates the counts of several limits. A key has no hash tag, so the counts of many
 * callers spread over the nodes of a cluster.
 * @param deadlineMs maximum time that a request waits for Redis.
 * @param onCountedLocally called with the number of requests that Redis did not count in time.
 */
export function createRateLimit(
  redis: RedisClient,
  keyPrefix: string,
  perMinute: number,
  deadlineMs: number,
  onCountedLocally: (requests: number) => void = () => {},
): RateLimit {
  const window = { points: perMinute, duration: WINDOW_SECONDS, keyPrefix };
  const shared = new RateLimiterRedis({ ...window, storeClient: redis, rejectIfRedisNotReady: true });
  const local = new RateLimiterMemory(window);

  async function consume(caller: string, requests: number): Promise<RateLimiterRes> {
    const inTime = await limiterResult(withTimeout(deadlineMs, shared.consume(caller, requests)));
    if (inTime !== null) return inTime;
    onCountedLocally(requests);
    const counted = await limiterResult(local.consume(caller, requests));
    if (counted === null) throw new Error('the local rate limiter could not count the request');
    return counted;
  }
  const consumeTogether = createSharedCounter(consume);

  return {
    perMinute,
    async count(caller) {
      const { result, later } = await consumeTogether(caller);
      const consumed = result.consumedPoints - later;
      return {
        isOverLimit: consumed > perMinute,
        remaining: Math.max(0, perMinute - consumed),
        // Rounded up, so that a caller that waits this long is not rejected again.
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
      };
    },
  };
}

/** Sets the headers that state the limit and the length of its window. Every response has them. */
export function limitHeaders(perMinute: number): RequestHandler {
  return (_request, response, next) => {
    response.set('X-RateLimit-Limit', String(perMinute));
    response.set('X-RateLimit-Window', String(WINDOW_SECONDS));
    next();
  };
}

/**
 * Adds a limit that a request was counted for, and what is left of it, to the headers `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers). Both are lists, with an item for each limit.
 *
 * @param name the name of the limit.
 */
export function addLimitHeaders(
  response: Response,
  name: string,
  { perMinute }: Pick<RateLimit, 'perMinute'>,
  { remaining, resetSeconds }: Count,
): void {
  response.append('RateLimit-Policy', `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`);
  response.append('RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
}

/**
 * Counts one of what a limit counts.
 *
 * @param what what is counted and whose, for the message.
 * @param onCount called with the count before anything is thrown.
 * @throws ApiError RATE_LIMITED with `Retry-After` if the caller has exceeded the limit.
 */
export async function requireWithin(
  limit: RateLimit,
  caller: string,
  what: string,
  onCount?: (count: Count) => void,
): Promise<void> {
  const count = await limit.count(caller);
  onCount?.(count);
  if (!count.isOverLimit) return;
  const message = `more than ${limit.perMinute} ${what} in ${WINDOW_SECONDS} seconds`;
  throw rateLimited(message, count.resetSeconds);
}

/** Counts a request of a key, and sets the headers that state how many requests are left. @throws as `requireWithin`. */
export function countRequest(limit: RateLimit, key: string, response: Response): Promise<void> {
  return requireWithin(limit, key, 'requests', (count) => {
    addLimitHeaders(response, 'key', limit, count);
    response.set('X-RateLimit-Remaining', String(count.remaining));
    response.set('X-RateLimit-Reset', String(count.resetSeconds));
  });
}

/** Counts a test event of a workspace. @throws as `requireWithin`. */
export function countPing(limit: RateLimit, companyId: number): Promise<void> {
  return requireWithin(limit, String(companyId), 'test events of the workspace');
}

/** Returns the result of a limiter, which rejects with the same result when the limit is exceeded; null if it could not count. */
async function limiterResult(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
  try {
    return await counting;
  } catch (rejected) {
    return rejected instanceof RateLimiterRes ? rejected : null;
  }
}
