import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@deal-signals/runtime/within';

/** A Redis that does not respond for this long has to be done without: the process has seconds to end. */
const AWAY_AFTER_MS = 1_500;
const LOOK_EVERY_MS = 200;

/** The ticks and attempts that this process is running. */
export interface RunningWork {
  /** Counts a piece of work until it has settled. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when none is left. */
  settled(): Promise<void>;
}

/** Knows what this process is running, which BullMQ only knows together with Redis. */
export function createRunningWork(): RunningWork {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const forget = () => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/**
 * Waits for an orderly end, which needs Redis. If Redis is away, only the running work is waited for: PostgreSQL gets its
 * outcomes. The claims that wait in the queue are then not given back. Another worker takes them from there, or they
 * expire.
 *
 * @param orderly resolves when every job is finished and the other claims are given back.
 * @param askRedis sends a command to Redis.
 * @returns whether the end was orderly.
 * @throws what `orderly` rejects with, if Redis is there.
 */
export async function finishDespiteRedis(
  orderly: Promise<void>,
  askRedis: () => Promise<unknown>,
  work: RunningWork,
): Promise<boolean> {
  const over = new AbortController();
  async function finishWithout(): Promise<boolean> {
    while (!over.signal.aborted && !(await isAway(askRedis)))
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    await work.settled();
    return false;
  }
  try {
    return await Promise.race([orderly.then(() => true), finishWithout()]);
  } catch (error) {
    if (!(await isAway(askRedis))) throw error;
    await work.settled();
    return false;
  } finally {
    over.abort();
  }
}

function isAway(askRedis: () => Promise<unknown>): Promise<boolean> {
  return within(AWAY_AFTER_MS, askRedis()).then(
    () => false,
    () => true,
  );
}
