import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { DISPATCH_QUEUE } from '../queues.ts';

/** Leaves time for a slow tick, and for the scheduler to be restored after Redis was wiped. */
const SLACK_MS = 10_000;

/** The replies to GET and PTTL, each with its error. */
type Reply = [[unknown, string | null], [unknown, number]];

/** Knows whether the dispatcher ticks, in any worker. */
export interface Heartbeat {
  /** Tells all workers that a tick completed. */
  beat(): Promise<void>;
  /** Whether a tick completed recently, or this worker has not run long enough to miss one. */
  isAlive(): Promise<boolean>;
}

/**
 * Keeps a key in Redis that each completed tick renews. Its age follows from its remaining time to live, so the clocks of
 * the workers need not agree. Each worker remembers the last tick it saw, so a wiped Redis is not taken for a missed tick.
 */
export function createHeartbeat(
  redis: RedisClient,
  prefix: string,
  tickMs: number,
  slackMs: number = SLACK_MS,
): Heartbeat {
  const key = `${prefix}:${DISPATCH_QUEUE}:ticked`;
  const lifeMs = 2 * tickMs + slackMs;
  let lastTickMs = performance.now();
  return {
    async beat() {
      lastTickMs = performance.now();
      // The value is the full time to live, so that workers with different tick lengths understand each other.
      await redis.set(key, String(lifeMs), 'PX', lifeMs);
    },
    async isAlive() {
      // In one transaction, so that both replies belong to the same tick.
      const [[, whole], [, left]] = (await redis.multi().get(key).pttl(key).exec()) as Reply;
      const ageMs = Number(whole) - left;
      // If more time is left than there ever was, the clock of Redis stepped back and the key says nothing.
      if (whole !== null && left >= 0 && ageMs >= 0) {
        lastTickMs = Math.max(lastTickMs, performance.now() - ageMs);
      }
      return performance.now() - lastTickMs <= lifeMs;
    },
  };
}
