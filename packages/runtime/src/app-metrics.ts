import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The Prometheus metrics that every app has. */
export interface AppMetrics {
  /** A registry of this app alone, so that several apps in one process, as in a test, stay separate. */
  registry: Registry;
  redisErrors: Counter;
  databaseErrors: Counter;
  /** Sets the state of the process for the current scrape. */
  describeProcess: (state: ProcessState) => void;
}

/** The state of the process that a scrape shows in addition to the counters. */
export interface ProcessState {
  /** The problems that `/readyz` reports; empty if the process is ready. */
  failing: readonly string[];
  /** Used and idle connections to PostgreSQL, and the statements waiting for one. */
  pool: { used: number; idle: number; waiting: number };
}

/**
 * Creates the registry of an app with the metrics that all apps share: those of a Node.js process under the usual names,
 * readiness, the database connection pool, and the errors of PostgreSQL and Redis.
 *
 * @param readinessWords the problems that the app's `/readyz` may report. Each is shown as 0 from the start. Any other problem
 *   appears once it has been reported.
 */
export function createAppMetrics(readinessWords: readonly string[]): AppMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const ready = new Gauge({
    name: 'deal_signals_ready',
    help: 'Whether this process is ready, as /readyz reports it: 1 or 0',
    registers,
  });
  const failingChecks = new Gauge({
    name: 'deal_signals_failing_checks',
    help: 'Problems of this process, by the words of /readyz: 1 if it reports the problem, otherwise 0',
    labelNames: ['check'],
    registers,
  });
  const knownWords = new Set(readinessWords);
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
    describeProcess({ failing, pool }) {
      ready.set(failing.length === 0 ? 1 : 0);
      for (const check of failing) knownWords.add(check);
      for (const check of knownWords) failingChecks.set({ check }, failing.includes(check) ? 1 : 0);
      for (const [state, count] of Object.entries(pool)) connections.set({ state }, count);
    },
  };
}
