import { Counter, Histogram, type Registry } from 'prom-client';
import type { AttemptResult, Recorded } from './outcome.ts';

/** Counts attempts, in whichever app makes them. */
export interface AttemptMetrics {
  /** Counts an attempt that was made. */
  observe(result: AttemptResult, recorded: Recorded): void;
}

/** From a nearby receiver to the contract's timeout of 10 s and the longest that an operator may set. */
const DURATION_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** Registers the metrics of attempts. No label depends on data: workspaces and endpoints are in the log. */
export function createAttemptMetrics(registry: Registry): AttemptMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'deal_signals_attempts_total',
    help: 'Delivery attempts by outcome: delivered, failed, gone, refused for a reason of ours, or lost when the claim was no longer held',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'deal_signals_attempt_duration_seconds',
    help: 'Time from the DNS look-up to the response headers or the failure',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const deliveries = new Counter({
    name: 'deal_signals_deliveries_finished_total',
    help: 'Deliveries that an attempt finished, by final status: delivered or dead',
    labelNames: ['status'],
    registers,
  });
  const disabled = new Counter({
    name: 'deal_signals_endpoints_disabled_total',
    help: 'Endpoints that an attempt disabled, by reason: 410 Gone, or too many consecutive failures',
    labelNames: ['reason'],
    registers,
  });
  for (const outcome of ['delivered', 'failed', 'gone', 'refused', 'lost']) attempts.inc({ outcome }, 0);
  for (const status of ['delivered', 'dead']) deliveries.inc({ status }, 0);
  for (const reason of ['gone', 'failures']) disabled.inc({ reason }, 0);
  return {
    observe(result, recorded) {
      const outcome = recorded.written ? recorded.outcome : 'lost';
      attempts.inc({ outcome });
      durations.observe({ outcome }, result.durationMs / 1_000);
      if (!recorded.written) return;
      if (recorded.status !== 'pending') deliveries.inc({ status: recorded.status });
      if (recorded.endpointDisabled) disabled.inc({ reason: outcome === 'gone' ? 'gone' : 'failures' });
    },
  };
}
