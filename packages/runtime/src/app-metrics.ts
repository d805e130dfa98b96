import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What every app counts for its operators, in Prometheus' terms. */
export interface AppMetrics {
  /** Of this app alone: several apps in one process, as in a test, do not mix. */
  registry: Registry;
  redisErrors: Counter;
  databaseErrors: Counter;
  /** Takes the state of the process for the scrape that follows. */
  describeProcess: (state: ProcessState) => void;
}

/** What a scrape shows of the process beside what it has counted. */
export interface ProcessState {
  isReady: boolean;
  /** Connections to PostgreSQL, and statements that wait for one. */
  pool: { used: number; idle: number; waiting: number };
}

/**
 * Makes the registry of an app with what all apps have: the usual metrics of a Node.js process, under the usual names
 * that dashboards know, readiness, the database's connection pool, and the errors of the two servers.
 */
export function createAppMetrics(): AppMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const ready = new Gauge({
    name: 'deal_signals_ready',
    help: 'Whether this process can do its work, as /readyz says: 1 or 0',
    registers,
  });
  const connections = new Gauge({
    name: 'deal_signals_database_connections',
    help: 'Connections of this process to PostgreSQL: used or idle; waiting counts the statements that wait for one',
    labelNames: ['state'],
    registers,
  });
  return {
    registry,
    redisErrors: new Counter({
      name: 'deal_signals_redis_errors_total',
      help: 'Errors of connections to Redis, and commands that it did not carry out in time or at all',
      registers,
    }),
    databaseErrors: new Counter({
      name: 'deal_signals_database_errors_total',
      help: 'Statements that failed, connections to PostgreSQL that were not to be had, and such as broke while idle',
      registers,
    }),
    describeProcess({ isReady, pool }) {
      ready.set(isReady ? 1 : 0);
      for (const [state, count] of Object.entries(pool)) connections.set({ state }, count);
    },
  };
}
