import { Counter, Histogram, type Registry } from 'prom-client';
import type { Attempt } from './begin-attempt.ts';
import type { AttemptResult, Recorded } from './outcome.ts';

/** Counts attempts, in the worker and in the API. */
export interface AttemptMetrics {
  /**
   * Observes how long an attempt was due before it began. Endpoints with a rate limit are left out, because their owners chose
   * the wait.
   */
  observeWait(attempt: Pick<Attempt, 'waitedMs' | 'isRateLimited'>): void;
  /**
   * Counts a completed attempt.
   *
   * @param deliveryMs the time from the creation of the delivery to the end of the attempt.
   */
  observe(
    attempt: Pick<Attempt, 'attemptNumber' | 'isRateLimited'>,
    result: AttemptResult,
    recorded: Recorded,
    deliveryMs: number,
  ): void;
}

/** From a nearby receiver, over the contract's timeout of 10 s, to the maximum of the setting. */
const DURATION_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** From a woken dispatcher, over the contract's tick of 15 s, to a backlog of an hour. */
const WAIT_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 900, 3_600];
/** As above, up to the 21 hours of the contract's retry schedule. */
const DELIVERY_BUCKETS_SECONDS = [...WAIT_BUCKETS_SECONDS, 14_400, 86_400];

/** Registers the metrics of attempts. Labels have a fixed set of values: workspaces and endpoints are in the log. */
export function createAttemptMetrics(registry: Registry): AttemptMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'deal_signals_attempts_total',
    help: 'Delivery attempts by outcome: delivered, failed, gone, not_sent (for a reason on our side), or lost (the claim was no longer held)',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'deal_signals_attempt_duration_seconds',
    help: 'Time from the DNS lookup to the response headers or the failure',
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
  const waits = new Histogram({
    name: 'deal_signals_attempt_wait_seconds',
    help: 'Time from when an attempt was due to its start: until a tick, in the ready queue, and as a job; endpoints with a rate limit are excluded',
    buckets: WAIT_BUCKETS_SECONDS,
    registers,
  });
  const deliveryTimes = new Histogram({
    name: 'deal_signals_delivery_duration_seconds',
    help: 'Time from the capture of an event, or the request to resend it, to the response that accepted it, by whether the first attempt or a later one succeeded; endpoints with a rate limit are excluded',
    labelNames: ['attempt'],
    buckets: DELIVERY_BUCKETS_SECONDS,
    registers,
  });
  for (const attempt of ['first', 'later']) deliveryTimes.zero({ attempt });
  for (const outcome of ['delivered', 'failed', 'gone', 'not_sent', 'lost']) attempts.inc({ outcome }, 0);
  for (const status of ['delivered', 'dead']) deliveries.inc({ status }, 0);
  for (const reason of ['gone', 'failures']) disabled.inc({ reason }, 0);
  return {
    observeWait({ waitedMs, isRateLimited }) {
      if (!isRateLimited) waits.observe(waitedMs / 1_000);
    },
    observe({ attemptNumber, isRateLimited }, result, recorded, deliveryMs) {
      const outcome = recorded.written ? recorded.outcome : 'lost';
      attempts.inc({ outcome });
      durations.observe({ outcome }, result.durationMs / 1_000);
      if (!recorded.written) return;
      if (recorded.status === 'delivered' && !isRateLimited) {
        deliveryTimes.observe({ attempt: attemptNumber === 1 ? 'first' : 'later' }, deliveryMs / 1_000);
      }
      if (recorded.status !== 'pending') deliveries.inc({ status: recorded.status });
      if (recorded.endpointDisabled) disabled.inc({ reason: outcome === 'gone' ? 'gone' : 'failures' });
    },
  };
}
