import { type AttemptMetrics, createAttemptMetrics } from '@deal-signals/deliveries/attempts/attempt-metrics';
import { type AppMetrics, createAppMetrics } from '@deal-signals/runtime/app-metrics';
import { Counter, Gauge } from 'prom-client';
import { RETENTION_TABLES, type RetentionTable } from '../retention/retention.ts';

/** The Prometheus metrics of a worker. */
export interface WorkerMetrics extends AppMetrics {
  attempts: AttemptMetrics;
  /** Counts a tick that this worker ran. */
  observeTick: (result: TickResult) => void;
  /** Counts a job that ended in an exception. */
  observeFailedJob: () => void;
  /** Counts a job of the attempt queue with another shape. */
  observeUnreadableJob: () => void;
  /** Counts rows that retention has removed. */
  observeRemovedRows: (table: RetentionTable, rows: number) => void;
  /** Counts a row that an erasure could not rewrite, so it still contains personal data. */
  observeRowNotErased: () => void;
}

/** `unqueued`: the tick did everything except the attempts, which wait for Redis. */
export type TickResult = 'completed' | 'unqueued' | 'failed';

/** The problems that `watchReadiness` may report. */
const READINESS_WORDS = [
  'starting',
  'migrations',
  'draining',
  'database',
  'database-writes',
  'redis',
  'redis-writes',
  'queues-paused',
  'queues',
  'ticks',
];

/** Creates the metrics of a worker. The values of all labels come from the code, never from data. */
export function createWorkerMetrics(): WorkerMetrics {
  const app = createAppMetrics(READINESS_WORDS);
  const registers = [app.registry];
  const ticks = new Counter({
    name: 'deal_signals_ticks_total',
    help: 'Dispatcher ticks that this worker ran, by result: completed, unqueued (attempts wait for Redis), or failed',
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
    help: 'Attempts that ended in an error on our side; the delivery is due again when its lease ends',
    registers,
  });
  const unreadableJobs = new Counter({
    name: 'deal_signals_unreadable_jobs_total',
    help: 'Jobs of the attempt queue that this version cannot read, and were removed',
    registers,
  });
  const removedRows = new Counter({
    name: 'deal_signals_removed_rows_total',
    help: 'Rows that this worker removed because they were older than RETENTION_DAYS or AUDIT_RETENTION_DAYS, by table',
    labelNames: ['table'],
    registers,
  });
  const rowsNotErased = new Counter({
    name: 'deal_signals_rows_not_erased_total',
    help: 'Rows that an erasure could not rewrite, so they still contain personal data',
    registers,
  });
  for (const table of RETENTION_TABLES) removedRows.inc({ table }, 0);
  for (const result of ['completed', 'unqueued', 'failed'] satisfies TickResult[]) ticks.inc({ result }, 0);
  return {
    ...app,
    attempts: createAttemptMetrics(app.registry),
    observeTick(result) {
      ticks.inc({ result });
      if (result !== 'failed') lastTick.setToCurrentTime();
    },
    observeFailedJob: () => failedJobs.inc(),
    observeUnreadableJob: () => unreadableJobs.inc(),
    observeRemovedRows: (table, rows) => removedRows.inc({ table }, rows),
    observeRowNotErased: () => rowsNotErased.inc(),
  };
}
