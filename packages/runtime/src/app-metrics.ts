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
  /** The words of `/readyz` for what is wrong; none if the process is ready. */
  failing: readonly string[];
  /** Used and idle connections to PostgreSQL, and the statements waiting for one. */
  pool: { used: number; idle: number; waiting: number };
}

/**
 * Creates the registry of an app with the metrics that all apps share: those of a Node.js process, under the names that
 * dashboards expect, readiness, the database connection pool, and the errors of PostgreSQL and Redis.
 *
 * @param readinessWords the words with which the app may report that it is not ready. They are shown as 0 from the start;
 *   any other word is shown once it has been reported.
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
    help: 'What is wrong with this process, in the words of /readyz: 1 for each that it reports, else 0',
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
