import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { advanceErasure } from './advance.ts';
import { type ErasureRun, buildErasureTools } from './erasure-run.ts';
import { releaseErasure, LEASE_MS, msUntilNextStep, type Pause, takeErasure } from './turns.ts';
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
  /** Called when an erasure is done. Of the names of the person, those were left out that are too many: see `MAX_NAMES_CHARACTERS`. */
  onDone: (erasure: LoggedErasure & { namesLeftOut: number }) => void;
  /** Called for a row that cannot be rewritten and therefore still says what it said. */
  onSkipped: (row: LoggedErasure & SkippedRow) => void;
  /** Called when a step has failed: it is taken again after a minute. */
  onError: (error: unknown) => void;
}

/** Shortest time to sleep while no step is due, in milliseconds. */
const MIN_SLEEP_MS = 5;
/** An erasure whose step has failed waits. The other erasures of its workspace do not. */
const AFTER_FAILURE: Pause = { waitMs: LEASE_MS, restMs: 0 };

/**
 * Continues the erasures that capture has begun, a step at a time, until each is done. Workspaces take turns, and a worker never sleeps
 * while it holds an erasure. If a process ends during a step, another one takes the erasure a minute later.
 */
export function keepErasing({ db, pollMs, onDone, onSkipped, onError }: ErasingContext): Erasing {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Takes one step. */
  async function step(run: ErasureRun): Promise<void> {
    const erasure: LoggedErasure = { companyId: run.companyId, erasureId: run.id };
    try {
      const pause = await advanceErasure(db, run, (row) => onSkipped({ ...erasure, ...row }));
      if (pause === null)
        onDone({ ...erasure, namesLeftOut: buildErasureTools(run).matcher?.namesLeftOut ?? 0 });
      else await releaseErasure(db, run, pause);
    } catch (error) {
      // If that fails as well, the lease ends by itself.
      await releaseErasure(db, run, AFTER_FAILURE).catch(() => {});
      throw error;
    }
  }

  /** Takes one step if one is due. Returns how long to sleep before the next one, in milliseconds. */
  async function next(): Promise<number> {
    // One statement without a transaction, because there is nearly always none.
    const sleepMs = Math.min(pollMs, (await msUntilNextStep(db)) ?? pollMs);
    const run = sleepMs > 0 ? null : await takeErasure(db);
    if (run === null) return Math.max(MIN_SLEEP_MS, sleepMs);
    await step(run);
    return 0;
  }

  async function eraseAll(): Promise<void> {
    while (!signal.aborted) {
      const sleepMs = await next().catch((error: unknown) => {
        onError(error);
        return pollMs;
      });
      if (sleepMs > 0) await sleep(sleepMs, undefined, { signal }).catch(() => {});
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
 * Finishes every erasure that has begun, as the worker does, and returns when all are done.
 *
 * @throws Error for a row that cannot be rewritten.
 */
export async function finishErasures(db: Database): Promise<void> {
  function onSkipped({ stage, key, error }: SkippedRow): never {
    throw new Error(`${key} of ${stage} was not erased: ${error}`);
  }
  for (let run = await takeErasure(db); run !== null; run = await takeErasure(db)) {
    if ((await advanceErasure(db, run, onSkipped)) !== null) await releaseErasure(db, run);
  }
}
