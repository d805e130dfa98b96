import { once } from 'node:events';
import { Database } from '@deal-signals/db/database';
import { databaseFailure, UnusableDatabaseError } from '@deal-signals/db/database-errors';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { escapeForTerminal, escapeLinesForTerminal } from '@deal-signals/db/escape-for-terminal';
import { openReplicas } from '@deal-signals/db/replicas';
import { untilDatabaseIsUsable } from '@deal-signals/db/start-up';
import { announcePort } from '@deal-signals/runtime/listening';
import { createLogger, describeError, type Logger } from '@deal-signals/runtime/logger';
import { createOutageLog } from '@deal-signals/runtime/outage-log';
import { createProbeServer } from '@deal-signals/runtime/probe-server';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { tracing } from '@deal-signals/runtime/tracing';
import { warnAboutUnknownSettings } from '@deal-signals/runtime/unknown-settings';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import { assertSecretKeys } from '@deal-signals/sending/secrets/secrets-key-check';
import { createAdminApp, createApp } from './app.ts';
import { createKeyUsage } from './auth/key-usage.ts';
import { openCapturePort } from './capture/port.ts';
import { apiPrefixes, apiSettings, type Config, readConfig, STATEMENT_TIMEOUT_MS } from './config.ts';
import { Drain } from './http/server/drain.ts';
import { listen } from './http/server/listen.ts';
import { connectForCounting } from './http/limits/rate-limit.ts';
import { expressMessages } from './http/optimizations.ts';
import { createApiServer } from './http/server/server.ts';
import { shutdownOnSignals } from './http/server/shutdown.ts';
import { createMetrics } from './metrics.ts';

/** Added to the timeout of a test event, this is the time that running requests get after the process was told to stop. */
const DRAIN_MARGIN_MS = 5_000;
const MIN_DRAIN_MS = 15_000;

try {
  await run();
} catch (error) {
  const isPlain = error instanceof ConfigurationError || error instanceof UnusableDatabaseError;
  const { error: named, stack = named } = describeError(error);
  process.stderr.write(`${isPlain ? escapeForTerminal(error.message) : escapeLinesForTerminal(stack)}\n`);
  process.exit(1);
}

/** Serves until SIGTERM or SIGINT. A second signal ends the process immediately. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger('api', config.logLevel);
  warnAboutUnknownSettings(logger, process.env, apiSettings, apiPrefixes);
  const shutdown = shutdownOnSignals();
  const { stopping } = shutdown;

  warnOfOpenSessions(config, logger);
  const metrics = createMetrics();
  const schema = createSchemaWatch();
  const outage = createOutageLog(logger, 'PostgreSQL', () => db.probe());
  const watched = {
    onIdleError(error: Error): void {
      metrics.databaseErrors.inc();
      outage.failed('database', error);
    },
    onFailure(error: unknown): void {
      metrics.databaseErrors.inc();
      schema.notice(error);
      if (databaseFailure(error)?.meaning === 'away') outage.failed('database', error);
    },
  };
  const pool = {
    poolSize: config.databasePoolSize,
    applicationName: 'deal-signals-api',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  const db = new Database({ ...pool, ...watched, url: config.databaseUrl });
  const countError = () => metrics.databaseErrors.inc();
  const replicas =
    config.replicaUrls.length === 0
      ? null
      : openReplicas(db, {
          ...pool,
          // A failing replica is not an outage, because the reads go elsewhere.
          onIdleError: countError,
          onFailure: countError,
          urls: config.replicaUrls,
          onChange: ({ host, problem }) =>
            problem === null
              ? logger.info('replica in use', { host })
              : logger.warn('replica not in use', { host, error: problem }),
        });
  if (replicas !== null) metrics.watchReplicas(() => replicas.counts());
  const redis = connectForCounting(config.redis, logger, () => metrics.redisErrors.inc());
  let isDatabaseChecked = false;
  const sender = createSender(config.webhooks);
  const keyUsage = createKeyUsage(db, logger);
  const deps = {
    db,
    replicas,
    redis,
    sender,
    metrics,
    keyUsage,
    logger,
    settings: config,
    isDatabaseChecked: () => isDatabaseChecked,
    schema,
    isStopping: () => stopping.aborted,
  };
  const app = createApp(deps);
  const server = createApiServer(app, {
    messages: expressMessages(app),
    logger,
    perMinute: config.rateLimitPerMinute,
    limits: config.connections,
    metrics,
    stopping,
  });
  metrics.watchConnections('public', server);
  const drain = new Drain(server);
  const port = await listen(server, 'PORT', config.port, config.host);
  const admin = config.adminPort === null ? null : createProbeServer(createAdminApp(deps));
  const adminPort = admin && (await listen(admin, 'API_ADMIN_PORT', config.adminPort ?? 0, config.host));
  const capture =
    config.capture &&
    (await openCapturePort(config.capture, config.databaseUrl, { ...deps, watched }, shutdown));
  announcePort(port);

  try {
    // Until the database has been checked, requests get 503 and /readyz reports that the process is not ready.
    await untilDatabaseIsUsable(db, {
      check: () => assertSecretKeys(db, config.webhooks.secretKeys),
      schema,
      onWaiting: (reason) => logger.warn('waiting for the database', describeError(reason)),
      signal: stopping,
    });
    isDatabaseChecked = true;
    logger.info('api ready', {
      port,
      ...(adminPort !== null && { adminPort }),
      ...(capture !== null && { capturePort: capture.port }),
    });
    await once(stopping, 'abort');
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
  logger.info('api stopping');
  // A process that was never ready gets no requests.
  await shutdown.close(isDatabaseChecked ? config.shutdownDelayMs : 0);
  const drainMs = Math.max(MIN_DRAIN_MS, config.webhooks.timeoutMs + DRAIN_MARGIN_MS);
  const finished = await Promise.all([drain.run(drainMs), capture?.drain(drainMs) ?? true]);
  if (finished.includes(false)) logger.warn('requests were cut off');
  // Closed last, so that probes and scrapes reach the process until its requests have finished.
  admin?.close();
  admin?.closeAllConnections();
  sender.close();
  redis.disconnect();
  outage.stop();
  await keyUsage.close();
  await replicas?.close();
  await Promise.all([db.close(), capture?.close()]);
  await tracing()?.stop();
  logger.info('api stopped');
}

/** Warns in production if this service would accept a token that the same signer issued for another service. */
function warnOfOpenSessions({ isProduction, sessions }: Config, logger: Logger): void {
  const missing = [
    ...(sessions.issuer === null ? ['SESSION_JWT_ISSUER'] : []),
    ...(sessions.audience === null ? ['SESSION_JWT_AUDIENCE'] : []),
  ];
  if (isProduction && missing.length > 0) {
    logger.warn('session tokens of any issuer or audience are accepted', { missing });
  }
}
