import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { advanceErasure, giveBackErasure, takeErasure } from './advance.ts';
import { meansOf } from './erasure-run.ts';
import type { SkippedRow } from './write-rows.ts';

/** This process's part in the erasures of all processes. */
export interface Erasing {
  /** Takes no further step, and waits for the one that this process is taking. */
  stop(): Promise<void>;
}

/** An erasure, as it is logged. */
export interface LoggedErasure {
  companyId: number;
  erasureId: string;
}

/** What erasing needs. */
export interface ErasingContext {
  db: Database;
  /** How soon to look for new erasures, in milliseconds. */
  pollMs: number;
  /** See `Pace`. */
  stragglersMs: number;
  /** Called when an erasure is done. Of the names of the person, those were left out that are too many: see `MAX_NAMES_CHARACTERS`. */
  onDone: (erasure: LoggedErasure & { namesLeftOut: number }) => void;
  /** Called for a row that cannot be rewritten and therefore still says what it said. */
  onSkipped: (row: LoggedErasure & SkippedRow) => void;
  /** Called when a step has failed: it is taken again after a minute. */
  onError: (error: unknown) => void;
}

/**
 * Goes on with the erasures that capture has begun, a step at a time, until each is done. A process that goes away in the middle of a step
 * costs a minute: then somebody else takes it.
 */
export function keepErasing({
  db,
  pollMs,
  stragglersMs,
  onDone,
  onSkipped,
  onError,
}: ErasingContext): Erasing {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleepUntilStopped = (ms: number) => sleep(ms, undefined, { signal });

  /** Takes one step. Returns whether there may be another one at once. */
  async function step(): Promise<boolean> {
    const run = await takeErasure(db);
    if (run === null) return false;
    const erasure: LoggedErasure = { companyId: run.companyId, erasureId: run.id };
    try {
      const progress = await advanceErasure(db, run, {
        rest: sleepUntilStopped,
        stragglersMs,
        onSkipped: (row) => onSkipped({ ...erasure, ...row }),
      });
      if (progress === null) onDone({ ...erasure, namesLeftOut: meansOf(run).matcher?.namesLeftOut ?? 0 });
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

/**
 * Finishes every erasure that has begun, as the worker does: for whoever waits for it.
 *
 * @throws Error for a row that cannot be rewritten.
 */
export async function finishErasures(db: Database): Promise<void> {
  const pace = {
    rest: () => Promise.resolve(),
    stragglersMs: 0,
    onSkipped({ place, key, error }: SkippedRow) {
      throw new Error(`${key} of ${place} was not erased: ${error}`);
    },
  };
  for (let run = await takeErasure(db); run !== null; run = await takeErasure(db)) {
    if ((await advanceErasure(db, run, pace)) !== null) await giveBackErasure(db, run);
  }
}
