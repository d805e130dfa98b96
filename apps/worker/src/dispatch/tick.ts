import { describeError } from '@deal-signals/runtime/logger';
import type { WorkerMetrics } from '../health/metrics.ts';
import type { Retention } from '../retention/retention.ts';
import { dispatch, type DispatchContext } from './dispatch.ts';
import type { Heartbeat } from './heartbeat.ts';
import { removeOldCounts } from './remove-old-counts.ts';

/** What a job of the dispatch queue needs. */
export interface TickContext extends DispatchContext {
  metrics: Pick<WorkerMetrics, 'observeTick'>;
  heartbeat: Heartbeat;
  retention: Retention;
  /** Time between two ticks. */
  tickMs: number;
}

/** The share of the time between two ticks, and the longest time, that a tick may spend removing old deliveries. */
const RETENTION_SHARE = 0.1;
const MOST_RETENTION_MS = 2_000;

/** Runs one tick, counts it, tells all workers when it completed, and removes what is no longer shown or kept. */
export async function tick(context: TickContext): Promise<void> {
  const { db, logger, metrics, heartbeat, retention, tickMs } = context;
  try {
    await dispatch(context);
  } catch (error) {
    metrics.observeTick('failed');
    throw error;
  }
  metrics.observeTick('completed');
  await heartbeat.beat();
  try {
    const rows = await removeOldCounts(db);
    if (rows > 0) logger.debug('old counts removed', { removed: rows });
  } catch (error) {
    // Deliveries do not depend on it. The next tick tries again.
    logger.warn('could not remove old counts', describeError(error));
  }
  try {
    await retention.run(Math.min(RETENTION_SHARE * tickMs, MOST_RETENTION_MS));
  } catch (error) {
    logger.warn('could not remove old deliveries or audit records', describeError(error));
  }
}
