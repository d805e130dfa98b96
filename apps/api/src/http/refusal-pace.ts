import { createTurns } from '@deal-signals/runtime/turns';
import type { Response } from 'express';
import { ApiError } from './errors.ts';

/** Keeps a flood of refused requests from taking the processor from others. */
export interface RefusalPace {
  /**
   * Waits before a refusal is sent if other refusals of the same caller were sent just before. Returns at once for other
   * errors, and when the wait takes too long or the caller has disconnected.
   *
   * @param credential the `Authorization` header of the request.
   */
  wait(error: unknown, credential: string, response: Response): Promise<void>;
  /** How many refusals wait. */
  waiting(): number;
}

/**
 * The time between two refusals of one caller. A refusal costs the processor a millisecond or two, so a flood takes a fifth
 * of it at most. The first refusal after a pause is sent at once: nobody waits who is not flooding.
 */
const INTERVAL_MS = 10;

const REFUSALS = new Set([401, 403, 429]);

/** All callers whose credentials are invalid are one caller, because such a credential can be made up for each request. */
const UNKNOWN_CALLER = '';

/** @param maxWaitMs how long a refusal may wait. */
export function createRefusalPace(maxWaitMs: number, intervalMs = INTERVAL_MS): RefusalPace {
  const turns = createTurns();
  return {
    async wait(error, credential, response) {
      if (!(error instanceof ApiError) || !REFUSALS.has(error.status)) return;
      const caller = error.status === 401 ? UNKNOWN_CALLER : credential;
      const end = turns.takeFree(caller) ?? (await takeWithin(maxWaitMs, caller, response));
      if (end !== undefined) setTimeout(end, intervalMs);
    },
    waiting: () => turns.waiting(),
  };

  async function takeWithin(ms: number, caller: string, response: Response) {
    const wait = new AbortController();
    const giveUp = (): void => wait.abort();
    const timer = setTimeout(giveUp, ms);
    response.once('close', giveUp);
    try {
      return await turns.take(caller, wait.signal).catch(() => undefined);
    } finally {
      clearTimeout(timer);
      response.off('close', giveUp);
    }
  }
}
