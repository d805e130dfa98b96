import type { WorkerMetrics } from '../health/metrics.ts';
import { dispatch, type DispatchContext } from './dispatch.ts';
import type { Heartbeat } from './heartbeat.ts';

/** What a job of the dispatch queue needs. */
export interface TickContext extends DispatchContext {
  metrics: Pick<WorkerMetrics, 'observeTick'>;
  heartbeat: Heartbeat;
}

/** Runs one tick, counts it, and tells all workers when it completed. */
export async function tick(context: TickContext): Promise<void> {
  const { metrics, heartbeat } = context;
  try {
    await dispatch(context);
  } catch (error) {
    metrics.observeTick('failed');
    throw error;
  }
  metrics.observeTick('completed');
  await heartbeat.beat();
}
