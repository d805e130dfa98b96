import { Counter, Registry } from 'prom-client';

/** What this process counts for its operators, in Prometheus' terms. */
export interface Metrics {
  registry: Registry;
  /** Requests whose rate limit this process counted by itself, because Redis was away or slow. */
  countedLocally: Counter;
}

/** Metrics of one app; a registry of its own keeps several apps in one process apart. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    countedLocally: new Counter({
      name: 'deal_signals_rate_limit_counted_locally_total',
      help: 'Requests whose rate limit was counted in this process, because Redis was away or slow',
      registers: [registry],
    }),
  };
}
