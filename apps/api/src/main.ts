import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSession, type Database, openDatabase } from '@deal-signals/db/database';
import { createLogger, describeError, type Logger } from '@deal-signals/runtime/logger';
import { createSender } from '@deal-signals/sending/guarded-send';
import { assertSecretsKey } from '@deal-signals/sending/secrets-key-check';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { isDatabaseUnavailable } from '@deal-signals/db/database-errors';
import { drain } from './http/drain.ts';
import { createMetrics } from './metrics.ts';
import { connectForCounting } from './http/rate-limit.ts';
import { createApiServer } from './http/server.ts';

/** Longer than any of our statements takes on a healthy database; a slower one is cut instead of piling up. */
const STATEMENT_TIMEOUT_MS = 10_000;
const DATABASE_RETRY_MS = 1_000;
/** How long running requests may take to end once the process was told to stop: a test event, and to record it. */
const DRAIN_MARGIN_MS = 5_000;
const LEAST_DRAIN_MS = 15_000;

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger('api', config.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

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
  let isDatabaseChecked = await checkDatabase(db, config.webhooks.secretsKey, logger);
  const sender = createSender(config.webhooks);
  const app = createApp({
    db,
    redis,
    sender,
    metrics,
    logger,
    settings: config,
    isDatabaseChecked: () => isDatabaseChecked,
  });
  const server = createApiServer(app, logger, config.rateLimitPerMinute, metrics.observeRequest);
  const port = await listen(server, config.port);

  // A database that is away does not end the process: until it is there, requests get 503 and /readyz is red.
  while (!isDatabaseChecked && !stop.signal.aborted) {
    await sleep(DATABASE_RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    isDatabaseChecked = await checkDatabase(db, config.webhooks.secretsKey, logger);
  }
  if (!stop.signal.aborted) {
    logger.info('api ready', { port });
    await once(stop.signal, 'abort');
  }
  logger.info('api stopping');
  const drainMs = Math.max(LEAST_DRAIN_MS, config.webhooks.timeoutMs + DRAIN_MARGIN_MS);
  if (!(await drain(server, drainMs))) logger.warn('requests were cut off');
  sender.close();
  redis.disconnect();
  await db.$disconnect();
  logger.info('api stopped');
}

/**
 * Opens the port.
 * @returns the port that was taken.
 * @throws Error that names `PORT` when it cannot be had.
 */
async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port);
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`PORT: cannot listen on ${port} (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Asks the database for its session settings, and whether `SECRETS_KEY` is the one its signing secrets are encrypted with:
 * endpoints registered under another key could not be delivered to.
 *
 * @returns whether it answered.
 * @throws Error when it answered and a setting or the key is wrong.
 */
async function checkDatabase(db: Database, secretsKey: Buffer, logger: Logger): Promise<boolean> {
  try {
    await assertSession(db);
    await assertSecretsKey(db, secretsKey);
    return true;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    logger.warn('the database is away, trying again', describeError(error));
    return false;
  }
}
