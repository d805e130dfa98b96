import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { takeTick } from '@deal-signals/deliveries/claims/ticks';
import { describeError } from '@deal-signals/runtime/logger';
import { tracing } from '@deal-signals/runtime/tracing';
import type { TickResult, WorkerMetrics } from '../health/metrics.ts';
import { runTick, type TickContext } from './tick.ts';

/** The dependencies of a ticker. */
export interface TickerContext extends TickContext {
  metrics: Pick<WorkerMetrics, 'observeTick'>;
  /** The interval between two ticks. */
  tickMs: number;
}

/** Runs ticks in this process. */
export interface Ticker {
  /** Takes no further tick, and waits for a running one. */
  stop(): Promise<void>;
}

/** The wait before the next request when the database did not respond. */
const RETRY_MS = 1_000;

/**
 * Runs one tick every `tickMs`, over all workers. Each worker asks the database when the next tick is due, and the first one that
 * finds it due takes it. If a worker stops in the middle of a tick, the rest of that tick is lost; the next one comes in time. An
 * error is logged and counted, unless it belongs to an outage of the database, which is already logged.
 */
export function keepTicking(context: TickerContext): Ticker {
  const { db, tickMs, metrics, logger } = context;
  const stopping = new AbortController();

  /** @returns the milliseconds until the next request. */
  async function tickIfDue(): Promise<number> {
    try {
      const { isTaken, hasWork, nextInMs } = await takeTick(db, tickMs);
      // Counted from the answer. Counted from the request, the next one would often come slightly too early and be repeated.
      const answeredAtMs = performance.now();
      // A tick without work was marked as complete when it was taken.
      const tick = async (): Promise<TickResult> => (hasWork ? runTick(context) : 'completed');
      if (isTaken) metrics.observeTick(await traced(tick));
      return nextInMs - (performance.now() - answeredAtMs);
    } catch (error) {
      metrics.observeTick('failed');
      if (databaseFailure(error)?.meaning !== 'away') logger.error('tick failed', describeError(error));
      return Math.min(RETRY_MS, tickMs);
    }
  }

  async function takeTicks(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Rounded up, because a timer may fire slightly early.
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
