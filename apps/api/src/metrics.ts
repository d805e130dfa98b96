import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { type AttemptMetrics, createAttemptMetrics } from '@deal-signals/deliveries/attempts/attempt-metrics';
import { type AppMetrics, createAppMetrics } from '@deal-signals/runtime/app-metrics';
import type { Replicas } from '@deal-signals/db/replicas';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Progress } from '@deal-signals/capture/stream/capture-stream';
import type { EndedRequest, ConcurrencyLimit } from './http/request-log.ts';

/** The Prometheus metrics of the API. */
export interface Metrics extends AppMetrics {
  /** Requests that this process counted locally, because Redis was unavailable or slow. */
  countedLocally: Counter;
  /** Records whether the issuer of a kind of tokens could be reached for its keys. */
  setIssuerAvailable: (tokens: 'session' | 'access', isAvailable: boolean) => void;
  /** Connections that were closed because there were too many. */
  connectionsDropped: Counter;
  /** Adds a server to the metric of open connections, with the name of its port as the label. */
  watchConnections: (port: string, server: Server) => void;
  /** Responses that were cut off because their caller stopped reading. */
  responsesCut: Counter;
  /** Sets the source of the number of replicas by state. */
  watchReplicas: (count: () => ReturnType<Replicas['counts']>) => void;
  /** Sets the source of the number of requests that wait for a slot. */
  watchWaiting: (count: () => number) => void;
  /** Counts the results of records that were captured over HTTP. */
  countCaptured: (progress: Progress) => void;
  /** Sets the source of the number of requests with records in progress. */
  watchCaptureStreams: (count: () => number) => void;
  /** Attempts of test events, which the API sends itself. */
  attempts: AttemptMetrics;
  /** Starts the request counters of a route table at zero, so that Prometheus sees the first request as an increase. */
  expectRequests: (table: readonly { method: string; path: string; status?: number }[]) => void;
  /** Counts a request that has ended. */
  observeRequest: (request: EndedRequest) => void;
}

/** From the duration of a lookup by id to the statement timeout and the timeout of a test event. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The methods of the route table, and HEAD, which is served wherever GET is. All others share one label value. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/** The words that `/readyz` may report. */
const READINESS_WORDS = ['starting', 'draining', 'migrations', 'database'];

const FAULTS = [500, 503];

const CONCURRENCY_LIMITS: readonly ConcurrencyLimit[] = ['credential', 'key', 'workspace', 'writes'];

/**
 * Creates the metrics of the API. Labels only have values from a fixed set, which limits the number of time series. Ids and error
 * texts are in the log.
 */
export function createMetrics(): Metrics {
  const app = createAppMetrics(READINESS_WORDS);
  const registers = [app.registry];
  const requests = new Counter({
    name: 'deal_signals_requests_total',
    help: 'Requests by method, route path and status; "aborted" if the caller disconnected before a response',
    labelNames: ['method', 'route', 'status_code'],
    registers,
  });
  const durations = new Histogram({
    name: 'deal_signals_request_duration_seconds',
    help: 'From the arrival of a request to the end of its response',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const rateLimited = new Counter({
    name: 'deal_signals_rate_limited_requests_total',
    help: 'Requests refused with 429 because a limit was exceeded',
    registers,
  });
  const crowded = new Counter({
    name: 'deal_signals_concurrency_refusals_total',
    help: 'Requests refused with 429 because too many of their key or workspace were in progress, by limit: credential, key, workspace or writes',
    labelNames: ['limit'],
    registers,
  });
  for (const limit of CONCURRENCY_LIMITS) crowded.inc({ limit }, 0);
  const watchedGauge = (name: string, help: string) => {
    let count = (): number => 0;
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(count());
      },
    });
    return (source: () => number): void => {
      count = source;
    };
  };
  const servers = new Map<string, Server>();
  void new Gauge({
    name: 'deal_signals_open_connections',
    help: 'Open connections of callers, by port: public or capture',
    labelNames: ['port'],
    registers,
    async collect() {
      for (const [port, server] of servers)
        this.set({ port }, await promisify(server.getConnections.bind(server))());
    },
  });
  void new Gauge({
    name: 'deal_signals_max_connections',
    help: 'Maximum number of connections of callers, by port',
    labelNames: ['port'],
    registers,
    collect() {
      for (const [port, { maxConnections }] of servers) this.set({ port }, maxConnections);
    },
  });
  let countReplicas = (): ReturnType<Replicas['counts']> => ({ used: 0, unused: 0 });
  void new Gauge({
    name: 'deal_signals_replicas',
    help: 'Replicas of the database, by state: used or unused, because it lags or is unavailable',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(countReplicas())) this.set({ state }, count);
    },
  });
  const unavailableIssuers = new Gauge({
    name: 'deal_signals_issuer_unavailable',
    help: 'Whether the last request for the keys that verify tokens failed, by kind of token: session or access',
    labelNames: ['tokens'],
    registers,
  });
  const captured = new Counter({
    name: 'deal_signals_captured_records_total',
    help: 'Records taken in over HTTP, by result: captured, unchanged or refused; without dry runs',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['captured', 'unchanged', 'refused']) captured.inc({ result }, 0);
  return {
    ...app,
    countCaptured(progress) {
      if (progress.kind === 'refused') captured.inc({ result: 'refused' });
      else {
        for (const result of ['captured', 'unchanged'] as const) captured.inc({ result }, progress[result]);
      }
    },
    watchCaptureStreams: watchedGauge(
      'deal_signals_capture_streams',
      'Requests with records that are in progress',
    ),
    setIssuerAvailable: (tokens, isAvailable) => unavailableIssuers.set({ tokens }, isAvailable ? 0 : 1),
    connectionsDropped: new Counter({
      name: 'deal_signals_dropped_connections_total',
      help: 'Connections closed immediately, because the process had reached its maximum',
      registers,
    }),
    watchConnections: (port, server) => void servers.set(port, server),
    responsesCut: new Counter({
      name: 'deal_signals_cut_responses_total',
      help: 'Responses cut off because the caller read nothing for too long',
      registers,
    }),
    watchReplicas(count) {
      countReplicas = count;
    },
    watchWaiting: watchedGauge(
      'deal_signals_waiting_requests',
      'Requests that wait until fewer of their key or workspace are in progress',
    ),
    attempts: createAttemptMetrics(app.registry),
    countedLocally: new Counter({
      name: 'deal_signals_rate_limit_counted_locally_total',
      help: 'Requests counted in this process only, because Redis was unavailable or slow',
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
      limit,
    }) {
      const method = METHODS.has(sentMethod) ? sentMethod : 'other';
      requests.inc({ method, route, status_code: isAborted ? 'aborted' : String(statusCode) });
      durations.observe({ method, route }, durationMs / 1_000);
      if (limit !== undefined) crowded.inc({ limit });
      else if (errorCode === 'RATE_LIMITED') rateLimited.inc();
    },
  };
}
