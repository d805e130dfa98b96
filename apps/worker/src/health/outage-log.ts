import type { AppMetrics } from '@deal-signals/runtime/app-metrics';
import { describeError, type Logger } from '@deal-signals/runtime/logger';

const QUIET_MS = 10_000;

/** Where such an error comes from: PostgreSQL, a connection to Redis, or BullMQ's work over one. */
type Source = 'database' | 'redis' | 'queue' | 'scheduler';

/** Makes the error listener of one source. */
export type OutageLog = (source: Source) => (error: Error) => void;

/**
 * Counts and logs errors that come from connections in the background. Each of several sockets reports every try to come
 * back, so the same message is logged once in ten seconds.
 */
export function createOutageLog(
  logger: Logger,
  metrics: Pick<AppMetrics, 'databaseErrors' | 'redisErrors'>,
): OutageLog {
  const quietUntil = new Map<string, number>();
  return (source) => (error) => {
    (source === 'database' ? metrics.databaseErrors : metrics.redisErrors).inc();
    const key = `${source} ${error.message}`;
    const now = performance.now();
    if ((quietUntil.get(key) ?? 0) > now) return;
    quietUntil.set(key, now + QUIET_MS);
    logger.warn('connection trouble', { source, error: describeError(error).error });
  };
}
