import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { takeTick } from '@deal-signals/deliveries/claims/ticks';
import { describeError } from '@deal-signals/runtime/logger';
import { tracing } from '@deal-signals/runtime/tracing';
import { createTick, type TickContext } from './tick.ts';

/** This process's part in the ticks of all workers. */
export interface Ticker {
  /** Takes no further tick, and waits for the one that this process is running. */
  stop(): Promise<void>;
}

/** How soon a worker asks again when the database did not respond. */
const RETRY_MS = 1_000;

/**
 * Runs one tick every `tickMs`, over all workers: each asks the database when the next one is due, and whoever finds it due first
 * takes it. A worker that goes away in the middle of a tick costs the rest of that tick; the next one comes in time.
 * An error is logged and counted, unless it belongs to an outage of the database, which is logged already.
 */
export function keepTicking(context: TickContext): Ticker {
  const { db, tickMs, metrics, logger } = context;
  const stopping = new AbortController();
  const tick = createTick(context);

  /** @returns in how many milliseconds to ask again. */
  async function tickIfDue(): Promise<number> {
    try {
      const { isTaken, hasWork, nextInMs } = await takeTick(db, tickMs);
      // Counted from the answer. From the question, the next one would often come a moment too early, and be asked twice.
      const answeredAtMs = performance.now();
      if (isTaken) metrics.observeTick(await traced(() => tick(hasWork)));
      return nextInMs - (performance.now() - answeredAtMs);
    } catch (error) {
      metrics.observeTick('failed');
      if (databaseFailure(error)?.meaning !== 'away') logger.error('tick failed', describeError(error));
      return Math.min(RETRY_MS, tickMs);
    }
  }

  async function takeTicks(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Rounded up, because a timer may fire just before its time.
      const waitMs = Math.max(1, Math.ceil(await tickIfDue()));
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const ticking = takeTicks();
  return {
    async stop() {
      stopping.abort();
      await ticking;
    },
  };
}

function traced<T>(run: () => Promise<T>): Promise<T> {
  return tracing()?.traceTick(run) ?? run();
}
