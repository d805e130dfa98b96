import { once } from 'node:events';
import { createServer } from 'node:http';
import { openDatabase } from '@deal-signals/db/database';
import { UnusableDatabaseError } from '@deal-signals/db/database-errors';
import { untilDatabaseIsUsable } from '@deal-signals/db/start-up';
import { announcePort } from '@deal-signals/runtime/listening';
import { createLogger, describeError, type Logger } from '@deal-signals/runtime/logger';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { createSender } from '@deal-signals/sending/guarded-send';
import { assertSecretsKey } from '@deal-signals/sending/secrets-key-check';
import { createAdminApp, createApp } from './app.ts';
import { openCapturePort } from './capture/port.ts';
import { type Config, readConfig } from './config.ts';
import { drain } from './http/drain.ts';
import { listen } from './http/listen.ts';
import { connectForCounting } from './http/rate-limit.ts';
import { createApiServer } from './http/server.ts';
import { createMetrics } from './metrics.ts';

/** Longer than any of our statements takes on a healthy database. A slower one is cancelled, so that they do not pile up. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Running requests may take this much longer than a test event may, once the process was told to stop. */
const DRAIN_MARGIN_MS = 5_000;
const LEAST_DRAIN_MS = 15_000;

try {
  await run();
} catch (error) {
  const isPlain = error instanceof ConfigurationError || error instanceof UnusableDatabaseError;
  process.stderr.write(`${isPlain ? error.message : describeError(error).stack}\n`);
  process.exit(1);
}

/** Serves until SIGTERM or SIGINT. A second signal ends the process at once. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger('api', config.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

  warnOfOpenSessions(config, logger);
  const metrics = createMetrics();
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'deal-signals-api',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError(error) {
      metrics.databaseErrors.inc();
      logger.warn('an idle database connection broke', describeError(error));
    },
    onFailure: () => metrics.databaseErrors.inc(),
  });
  const redis = connectForCounting(config.redisUrl, logger);
  let isDatabaseChecked = false;
  const sender = createSender(config.webhooks);
  const deps = {
    db,
    redis,
    sender,
    metrics,
    logger,
    settings: config,
    isDatabaseChecked: () => isDatabaseChecked,
  };
  const server = createApiServer(createApp(deps), {
    logger,
    perMinute: config.rateLimitPerMinute,
    limits: config.connections,
    metrics,
  });
  const port = await listen(server, 'PORT', config.port, config.host);
  const admin = config.adminPort === null ? null : createServer(createAdminApp(deps));
  const adminPort = admin && (await listen(admin, 'API_ADMIN_PORT', config.adminPort ?? 0, config.host));
  const capture =
    config.capture && (await openCapturePort(config.capture, config.databaseUrl, deps, stop.signal));
  announcePort(port);

  try {
    // Until the database has been checked, requests get 503 and /readyz is red.
    await untilDatabaseIsUsable(db, {
      check: () => assertSecretsKey(db, config.webhooks.secretsKey),
      onWaiting: (reason) => logger.warn('waiting for the database', { error: describeError(reason).error }),
      signal: stop.signal,
    });
    isDatabaseChecked = true;
    logger.info('api ready', {
      port,
      ...(adminPort !== null && { adminPort }),
      ...(capture !== null && { capturePort: capture.port }),
    });
    await once(stop.signal, 'abort');
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  logger.info('api stopping');
  const drainMs = Math.max(LEAST_DRAIN_MS, config.webhooks.timeoutMs + DRAIN_MARGIN_MS);
  const finished = await Promise.all([drain(server, drainMs), capture?.drain(drainMs) ?? true]);
  if (finished.includes(false)) logger.warn('requests were cut off');
  // Last, so that probes and scrapes see the process until its requests have finished.
  admin?.close();
  admin?.closeAllConnections();
  sender.close();
  redis.disconnect();
  await Promise.all([db.$disconnect(), capture?.close()]);
  logger.info('api stopped');
}

/** Warns in production if a token that another service's users got from the same signer would be valid here. */
function warnOfOpenSessions({ isProduction, sessions }: Config, logger: Logger): void {
  const missing = [
    ...(sessions.issuer === null ? ['SESSION_JWT_ISSUER'] : []),
    ...(sessions.audience === null ? ['SESSION_JWT_AUDIENCE'] : []),
  ];
  if (isProduction && missing.length > 0) {
    logger.warn('session tokens of any issuer or audience are accepted', { missing });
  }
}
