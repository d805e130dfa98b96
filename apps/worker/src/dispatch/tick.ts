import { completeTick } from '@deal-signals/deliveries/claims/ticks';
import { describeError } from '@deal-signals/runtime/logger';
import type { WorkerMetrics } from '../health/metrics.ts';
import type { Retention } from '../retention/retention.ts';
import { dispatch, type DispatchContext, QueueUnavailableError } from './dispatch.ts';
import { removeOldCounts } from './remove-old-counts.ts';

/** The dependencies of a tick. */
export interface TickContext extends DispatchContext {
  metrics: Pick<WorkerMetrics, 'observeTick'>;
  retention: Retention;
  /** The interval between two ticks. */
  tickMs: number;
  /** Called when attempts have to wait for Redis. */
  onQueueError: (error: Error) => void;
}

/** The share of the tick interval, and the maximum time, that a tick may spend removing old deliveries. */
const RETENTION_SHARE = 0.1;
const MAX_RETENTION_MS = 2_000;

/** How long the removal of old counts pauses after it found none. */
const COUNTS_PAUSE_MS = 60_000;

/** Runs a tick. A tick without work dispatches nothing. */
export type Tick = (hasWork: boolean) => Promise<'completed' | 'unqueued'>;

/**
 * Creates the function that runs a tick of this process. A tick dispatches, marks itself as complete for all workers, and removes
 * rows that are no longer shown or kept. Without Redis, everything except the attempts continues. A tick without work was already
 * marked as complete when it was taken.
 *
 * @returns a function that throws database errors of the dispatch.
 */
export function createTick(context: TickContext): Tick {
  const { db, logger, retention, tickMs, onQueueError } = context;
  let countsResumeAtMs = 0;

  async function dispatchAll(): Promise<'completed' | 'unqueued'> {
    let result: 'completed' | 'unqueued' = 'completed';
    try {
      await dispatch(context);
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      onQueueError(error);
      result = 'unqueued';
    }
    await completeTick(db);
    return result;
  }

  async function removeCounts(): Promise<void> {
    if (performance.now() < countsResumeAtMs) return;
    try {
      const rows = await removeOldCounts(db);
      if (rows > 0) logger.debug('old counts removed', { removed: rows });
      else countsResumeAtMs = performance.now() + COUNTS_PAUSE_MS;
    } catch (error) {
      // Deliveries do not depend on this. The next tick tries again.
      logger.warn('could not remove old counts', describeError(error));
    }
  }

  return async (hasWork) => {
    const result = hasWork ? await dispatchAll() : 'completed';
    await removeCounts();
    try {
      await retention.run(Math.min(RETENTION_SHARE * tickMs, MAX_RETENTION_MS));
    } catch (error) {
      logger.warn('could not remove old deliveries or audit records', describeError(error));
    }
    return result;
  };
}
