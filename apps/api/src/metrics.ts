import { type AppMetrics, createAppMetrics } from '@deal-signals/runtime/app-metrics';
import { type AttemptMetrics, createAttemptMetrics } from '@deal-signals/deliveries/attempts/attempt-metrics';
import { Counter, Histogram } from 'prom-client';
import type { EndedRequest } from './http/request-log.ts';

/** What this process counts for its operators, in Prometheus' terms. */
export interface Metrics extends AppMetrics {
  /** Requests whose rate limit this process counted by itself, because Redis was away or slow. */
  countedLocally: Counter;
  /** Of test events, which this app sends itself. */
  attempts: AttemptMetrics;
  /** Shows the requests of a route table as zero, so that the first one of them is seen as an increase. */
  expectRequests: (table: readonly { method: string; path: string; status?: number }[]) => void;
  /** Counts a request that has ended. */
  observeRequest: (request: EndedRequest) => void;
}

/** From a look-up by id to the longest that a statement may take, and the timeout of a test event. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The methods of the route table, and HEAD, which comes with GET. Whatever else is sent shares one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

const FAULTS = [500, 503];

/**
 * Makes the metrics of one app. No label has more values than the code has words for: paths and methods as sent, ids and
 * error texts are found in the log.
 */
export function createMetrics(): Metrics {
  const app = createAppMetrics();
  const registers = [app.registry];
  const requests = new Counter({
    name: 'deal_signals_requests_total',
    help: 'Requests by method, path as in the route table, and status; "aborted" when the caller hung up before an answer',
    labelNames: ['method', 'route', 'status_code'],
    registers,
  });
  const durations = new Histogram({
    name: 'deal_signals_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const rateLimited = new Counter({
    name: 'deal_signals_rate_limited_requests_total',
    help: 'Requests refused with 429 because their key had used its minute up',
    registers,
  });
  return {
    ...app,
    attempts: createAttemptMetrics(app.registry),
    countedLocally: new Counter({
      name: 'deal_signals_rate_limit_counted_locally_total',
      help: 'Requests whose rate limit was counted in this process, because Redis was away or slow',
      registers,
    }),
    expectRequests(table) {
      for (const { method, path, status = 200 } of table) {
        for (const code of [status, ...FAULTS]) {
          requests.inc({ method, route: path, status_code: String(code) }, 0);
        }
        durations.zero({ method, route: path });
      }
    },
    observeRequest({
      method: sentMethod,
      route = 'unmatched',
      statusCode,
      durationMs,
      isAborted,
      errorCode,
    }) {
      const method = METHODS.has(sentMethod) ? sentMethod : 'other';
      requests.inc({ method, route, status_code: isAborted ? 'aborted' : String(statusCode) });
      durations.observe({ method, route }, durationMs / 1_000);
      if (errorCode === 'RATE_LIMITED') rateLimited.inc();
    },
  };
}
