import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The Prometheus metrics that every app has. */
export interface AppMetrics {
  /** Belongs to this app alone, so that several apps in one process, as in a test, do not mix. */
  registry: Registry;
  redisErrors: Counter;
  databaseErrors: Counter;
  /** Sets the state of the process for the scrape that follows. */
  describeProcess: (state: ProcessState) => void;
}

/** What a scrape shows of the process in addition to its counters. */
export interface ProcessState {
  isReady: boolean;
  /** Used and idle connections to PostgreSQL, and the statements waiting for one. */
  pool: { used: number; idle: number; waiting: number };
}

/**
 * Creates the registry of an app with the metrics that all apps share: those of a Node.js process, under the names that
 * dashboards expect, readiness, the database connection pool, and the errors of PostgreSQL and Redis.
 */
export function createAppMetrics(): AppMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const ready = new Gauge({
    name: 'deal_signals_ready',
    help: 'Whether this process is ready, as /readyz reports it: 1 or 0',
    registers,
  });
  const connections = new Gauge({
    name: 'deal_signals_database_connections',
    help: 'Connections of this process to PostgreSQL: used or idle; waiting counts the statements waiting for one',
    labelNames: ['state'],
    registers,
  });
  return {
    registry,
    redisErrors: new Counter({
      name: 'deal_signals_redis_errors_total',
      help: 'Connection errors of Redis, and commands that failed or timed out',
      registers,
    }),
    databaseErrors: new Counter({
      name: 'deal_signals_database_errors_total',
      help: 'Failed statements, failed attempts to connect to PostgreSQL, and connections that broke while idle',
      registers,
    }),
    describeProcess({ isReady, pool }) {
      ready.set(isReady ? 1 : 0);
      for (const [state, count] of Object.entries(pool)) connections.set({ state }, count);
    },
  };
}
