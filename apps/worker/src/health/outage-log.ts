import { databaseFailure } from '@deal-signals/db/database-errors';
import type { AppMetrics } from '@deal-signals/runtime/app-metrics';
import type { Logger } from '@deal-signals/runtime/logger';
import { createOutageLog } from '@deal-signals/runtime/outage-log';

/** The source of an error: PostgreSQL, the connection that listens to it, a Redis connection, or BullMQ's use of one. */
type Source = 'database' | 'wake' | 'redis' | 'queue';

/** Counts and logs the errors of a worker's connections. */
export interface Outages {
  /** Creates the error listener of a source. */
  listener: (source: Source) => (error: Error) => void;
  /** Reports that a statement has failed or got no connection. */
  statementFailed: (error: unknown) => void;
  /** Stops probing the servers. */
  stop: () => void;
}

/**
 * Creates the outage logs of the servers.
 *
 * @param probes reject while their server is unavailable.
 */
export function createOutages(
  logger: Logger,
  metrics: Pick<AppMetrics, 'databaseErrors' | 'redisErrors'>,
  probes: Record<'database' | 'redis', () => Promise<unknown>>,
): Outages {
  const database = createOutageLog(logger, 'PostgreSQL', probes.database);
  const redis = createOutageLog(logger, 'Redis', probes.redis);
  return {
    listener(source) {
      const [counter, log] =
        source === 'database' || source === 'wake'
          ? [metrics.databaseErrors, database]
          : [metrics.redisErrors, redis];
      return (error) => {
        counter.inc();
        log.failed(source, error);
      };
    },
    statementFailed(error) {
      metrics.databaseErrors.inc();
      if (databaseFailure(error)?.meaning === 'away') database.failed('database', error);
    },
    stop() {
      database.stop();
      redis.stop();
    },
  };
}
