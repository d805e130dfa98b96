import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { advanceErasure, giveBackErasure, takeErasure } from './advance.ts';

/** This process's part in the erasures of all processes. */
export interface Erasing {
  /** Takes no further step, and waits for the one that this process is taking. */
  stop(): Promise<void>;
}

/** What erasing needs. */
export interface ErasingContext {
  db: Database;
  /** How soon to look for new erasures, in milliseconds. */
  pollMs: number;
  /** See `Pace`. */
  stragglersMs: number;
  /** Called when an erasure is done. */
  onDone: () => void;
  /** Called when a step has failed: it is taken again after a minute. */
  onError: (error: unknown) => void;
}

/**
 * Goes on with the erasures that capture has begun, a step at a time, until each is done. A process that goes away in the middle of a step
 * costs a minute: then somebody else takes it.
 */
export function keepErasing({ db, pollMs, stragglersMs, onDone, onError }: ErasingContext): Erasing {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleepUntilStopped = (ms: number) => sleep(ms, undefined, { signal });

  /** Takes one step. Returns whether there may be another one at once. */
  async function step(): Promise<boolean> {
    const run = await takeErasure(db);
    if (run === null) return false;
    try {
      const progress = await advanceErasure(db, run, { rest: sleepUntilStopped, stragglersMs });
      if (progress === null) onDone();
      else await giveBackErasure(db, run);
      return progress?.waits !== true;
    } catch (error) {
      // A rest that is cut short ends the step. Somebody else takes it at once.
      if (!signal.aborted) throw error;
      await giveBackErasure(db, run);
      return false;
    }
  }

  async function eraseAll(): Promise<void> {
    while (!signal.aborted) {
      const goesOn = await step().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!goesOn) await sleepUntilStopped(pollMs).catch(() => {});
    }
  }

  const erasing = eraseAll();
  return {
    async stop() {
      stopping.abort();
      await erasing;
    },
  };
}

/** Finishes every erasure that has begun, as the worker does: for whoever waits for it. */
export async function finishErasures(db: Database): Promise<void> {
  const pace = { rest: () => Promise.resolve(), stragglersMs: 0 };
  for (let run = await takeErasure(db); run !== null; run = await takeErasure(db)) {
    if ((await advanceErasure(db, run, pace)) !== null) await giveBackErasure(db, run);
  }
}
