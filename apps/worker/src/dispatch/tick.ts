import { completeTick } from '@deal-signals/deliveries/claims/ticks';
import type { TickResult } from '../health/metrics.ts';
import { dispatch, type DispatchContext, QueueUnavailableError } from './dispatch.ts';

/** The dependencies of a tick. */
export interface TickContext extends DispatchContext {
  /** Called when attempts have to wait for Redis. */
  onQueueError: (error: Error) => void;
}

/**
 * Dispatches, and marks the tick as complete for all workers. Without Redis, everything except the attempts continues.
 *
 * @throws database errors of the dispatch.
 */
export async function runTick(context: TickContext): Promise<TickResult> {
  let result: TickResult = 'completed';
  try {
    await dispatch(context);
  } catch (error) {
    if (!(error instanceof QueueUnavailableError)) throw error;
    context.onQueueError(error);
    result = 'unqueued';
  }
  await completeTick(context.db);
  return result;
}
