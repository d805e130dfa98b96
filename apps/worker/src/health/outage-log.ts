import type { AppMetrics } from '@deal-signals/runtime/app-metrics';
import { describeError, type Logger } from '@deal-signals/runtime/logger';

const QUIET_MS = 10_000;

/** Where an error comes from: PostgreSQL, the connection that listens to it, a Redis connection, or BullMQ's use of one. */
type Source = 'database' | 'wake' | 'redis' | 'queue' | 'scheduler';

/** Creates the error listener for one source. */
export type OutageLog = (source: Source) => (error: Error) => void;

/**
 * Counts and logs errors of background connections. Each of several sockets reports every failed reconnect, so the same
 * message is logged at most once in ten seconds.
 */
export function createOutageLog(
  logger: Logger,
  metrics: Pick<AppMetrics, 'databaseErrors' | 'redisErrors'>,
): OutageLog {
  const quietUntil = new Map<string, number>();
  return (source) => (error) => {
    (source === 'database' || source === 'wake' ? metrics.databaseErrors : metrics.redisErrors).inc();
    const key = `${source} ${error.message}`;
    const now = performance.now();
    if ((quietUntil.get(key) ?? 0) > now) return;
    quietUntil.set(key, now + QUIET_MS);
    logger.warn('connection trouble', { source, error: describeError(error).error });
  };
}
