import { type DatabaseOptions, Database } from '@deal-signals/db/database';
import { Drain } from '../http/server/drain.ts';
import { expressMessages } from '../http/optimizations.ts';
import { listen } from '../http/server/listen.ts';
import type { Dependencies } from '../http/route.ts';
import type { Shutdown } from '../http/server/shutdown.ts';
import { createCaptureApp } from './app.ts';
import { createCaptureServer } from './server.ts';
import type { CaptureSettings } from './settings.ts';

/** An open capture port. */
export interface CapturePort {
  readonly port: number;
  /** Waits until the requests in progress have ended. @returns whether they ended in time. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Closes the connections to the database. */
  close(): Promise<void>;
}

/** What the port shares with the public API. */
type CapturePortDependencies = Pick<Dependencies, 'metrics' | 'logger' | 'isDatabaseChecked' | 'schema'> & {
  /** Counts and logs the errors of connections to the database. */
  watched: Pick<DatabaseOptions, 'onIdleError' | 'onFailure'>;
};

/** The same as for the command. A batch of 1,000 records takes far less. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Senders may be slowed down, so a batch may wait longer for a connection than a request of the public API. */
const ACQUIRE_TIMEOUT_MS = 30_000;

/**
 * Opens the capture port.
 *
 * It has a connection pool of its own. A bulk of records keeps a connection busy for its whole duration, so with the pool of the
 * public API, a few senders would starve the consumers.
 *
 * @throws ConfigurationError if the port is not available.
 */
export async function openCapturePort(
  settings: CaptureSettings,
  databaseUrl: string,
  { metrics, logger, isDatabaseChecked, schema, watched }: CapturePortDependencies,
  shutdown: Shutdown,
): Promise<CapturePort> {
  const db = new Database({
    url: databaseUrl,
    poolSize: settings.poolSize,
    applicationName: 'deal-signals-capture-api',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    ...watched,
  });
  const app = createCaptureApp({ db, metrics, logger, isDatabaseChecked, schema, settings, shutdown });
  const server = createCaptureServer(app, settings, metrics, shutdown.stopping, expressMessages(app));
  metrics.watchConnections('capture', server);
  const drain = new Drain(server);
  const port = await listen(server, 'CAPTURE_PORT', settings.port, settings.host);
  return {
    port,
    drain: (timeoutMs) => drain.run(timeoutMs),
    close: () => db.close(),
  };
}
