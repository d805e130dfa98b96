import type { Redis } from 'ioredis';
import { DISPATCH_QUEUE } from '../queues.ts';

/** For a tick that takes its time, and for a wiped Redis to get its scheduler back. */
const SLACK_MS = 10_000;

/** The answers of GET and PTTL, each beside its error. */
type Reply = [[unknown, string | null], [unknown, number]];

/** Tells whether the dispatcher ticks, in whichever worker. */
export interface Heartbeat {
  /** Says to all workers that a tick was completed. */
  beat(): Promise<void>;
  /** Whether a tick was completed lately, or this worker has not waited long enough to miss one. */
  isAlive(): Promise<boolean>;
}

/**
 * Keeps the mark of the last completed tick in Redis, with an expiry. Its age follows from the time that it has left, so
 * the clocks of the workers do not have to agree; and each remembers what it saw, so a wiped Redis is not a missed tick.
 */
export function createHeartbeat(
  redis: Redis,
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
      // The value is the whole life, so that workers with different ticks understand each other.
      await redis.set(key, String(lifeMs), 'PX', lifeMs);
    },
    async isAlive() {
      // In one step, so that both are of the same tick.
      const [[, whole], [, left]] = (await redis.multi().get(key).pttl(key).exec()) as Reply;
      const ageMs = Number(whole) - left;
      // More left than there ever was: the clock of Redis has stepped back, and the mark says nothing.
      if (whole !== null && left >= 0 && ageMs >= 0) {
        lastTickMs = Math.max(lastTickMs, performance.now() - ageMs);
      }
      return performance.now() - lastTickMs <= lifeMs;
    },
  };
}
