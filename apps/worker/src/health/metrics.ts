import { type AttemptMetrics, createAttemptMetrics } from '@deal-signals/deliveries/attempts/attempt-metrics';
import { type AppMetrics, createAppMetrics } from '@deal-signals/runtime/app-metrics';
import { Counter, Gauge } from 'prom-client';
import { ATTEMPT_QUEUE, DISPATCH_QUEUE } from '../queues.ts';

/** The Prometheus metrics of a worker. */
export interface WorkerMetrics extends AppMetrics {
  attempts: AttemptMetrics;
  /** Counts a tick that this worker ran. */
  observeTick: (result: TickResult) => void;
  /** Counts a job that ended in an exception. */
  observeFailedJob: (queue: string) => void;
  /** Counts a job of the attempt queue that has another shape. */
  observeUnreadableJob: () => void;
}

export type TickResult = 'completed' | 'failed';

/** Creates the metrics of a worker. The values of all labels come from the code, never from data. */
export function createWorkerMetrics(): WorkerMetrics {
  const app = createAppMetrics();
  const registers = [app.registry];
  const ticks = new Counter({
    name: 'deal_signals_ticks_total',
    help: 'Dispatcher ticks that this worker ran, by result: completed or failed',
    labelNames: ['result'],
    registers,
  });
  const lastTick = new Gauge({
    name: 'deal_signals_last_tick_timestamp_seconds',
    help: 'Unix time at which this worker last completed a tick; 0 before its first',
    registers,
  });
  const failedJobs = new Counter({
    name: 'deal_signals_failed_jobs_total',
    help: 'Jobs that failed because of a fault of ours, by queue; the delivery is due again when its lease ends',
    labelNames: ['queue'],
    registers,
  });
  const unreadableJobs = new Counter({
    name: 'deal_signals_unreadable_jobs_total',
    help: 'Jobs of the attempt queue that have another shape than those of this version, and were removed',
    registers,
  });
  for (const result of ['completed', 'failed'] satisfies TickResult[]) ticks.inc({ result }, 0);
  for (const queue of [DISPATCH_QUEUE, ATTEMPT_QUEUE]) failedJobs.inc({ queue }, 0);
  return {
    ...app,
    attempts: createAttemptMetrics(app.registry),
    observeTick(result) {
      ticks.inc({ result });
      if (result === 'completed') lastTick.setToCurrentTime();
    },
    observeFailedJob: (queue) => failedJobs.inc({ queue }),
    observeUnreadableJob: () => unreadableJobs.inc(),
  };
}
