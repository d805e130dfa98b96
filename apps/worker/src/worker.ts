import { setTimeout as sleep } from 'node:timers/promises';
import { keepErasing } from '@deal-signals/capture/erasures/keep-erasing';
import { Database } from '@deal-signals/db/database';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { untilDatabaseIsUsable } from '@deal-signals/db/start-up';
import { FIRST_ENDPOINT } from '@deal-signals/deliveries/endpoints/reconcile';
import { announcePort } from '@deal-signals/runtime/listening';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { queuePrefix } from '@deal-signals/runtime/redis/keys';
import { tracing } from '@deal-signals/runtime/tracing';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import { assertSecretKeys } from '@deal-signals/sending/secrets/secrets-key-check';
import { startAlertSender } from './alerts/alert-sender.ts';
import { type AttemptConsumer, consumeAttempts } from './attempts/consume.ts';
import { openQueue, traceJobs } from './attempts/queue.ts';
import type { Config } from './config.ts';
import { dispatchReady } from './dispatch/dispatch.ts';
import { keepTicking } from './dispatch/ticker.ts';
import { dispatchWhenWoken } from './dispatch/wake.ts';
import { createWorkerMetrics } from './health/metrics.ts';
import { createOutages } from './health/outage-log.ts';
import { type Stage, watchReadiness } from './health/readiness.ts';
import { createScrape } from './health/scrape.ts';
import { serveHealth } from './health/server.ts';
import { connectProducer } from './redis.ts';
import { keepRemoving } from './retention/retention.ts';

/** A worker that dispatches and attempts deliveries. */
export interface WorkerProcess {
  /**
   * Shuts down gracefully: no new tick or attempt begins, claims that wait in the queue are released, and running attempts finish
   * and are recorded. An attempt that takes too long is interrupted, and its claim is released as well.
   *
   * @returns whether everything finished without being interrupted.
   */
  drain(): Promise<boolean>;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** Time in addition to the receiver's timeout, for recording the outcome and closing connections. */
const DRAIN_MARGIN_MS = 5_000;
const INTERRUPT_MARGIN_MS = 2_000;

/**
 * Starts dispatching and attempting. PostgreSQL and Redis may be unavailable: it waits for the database at startup, and recovers
 * by itself from later outages.
 *
 * @param signal ends the wait at startup.
 * @throws UnusableDatabaseError if the database must not be used in its present state; the reason of `signal` if that comes
 *   first.
 */
export async function startWorker(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<WorkerProcess> {
  const { tickMs, concurrency, webhooks: settings } = config;
  const metrics = createWorkerMetrics();
  const schema = createSchemaWatch();
  const outages = createOutages(logger, metrics, {
    database: () => db.probe(),
    redis: () => producer.ping(),
  });
  const db = new Database({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'deal-signals-worker',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    keepPlans: true,
    onIdleError: outages.listener('database'),
    onFailure(error) {
      outages.statementFailed(error);
      schema.notice(error);
    },
  });
  const prefix = queuePrefix(config.redis.prefix);
  const traced = await traceJobs();
  const producer = connectProducer(config.redis).on('error', outages.listener('redis'));
  const queue = openQueue(producer, prefix, traced).on('error', outages.listener('redis'));
  let stage: Stage = 'starting';
  let consumer: AttemptConsumer | undefined;
  const readiness = watchReadiness({
    db,
    schema,
    queue,
    producer,
    prefix,
    tickMs,
    logger,
    stage: () => stage,
    consumer: () => consumer,
  });
  const scrape = createScrape(metrics, { db, queue, readiness: readiness.failing });
  // Opened before the wait for the database, so that a waiting worker can be distinguished from a hanging one.
  const health = await serveHealth(config.port, config.host, {
    failing: readiness.failing,
    missingMigrations: schema.missing,
    metrics: { contentType: metrics.registry.contentType, scrape },
  });
  announcePort(health.port);
  await untilDatabaseIsUsable(db, {
    check: () => assertSecretKeys(db, settings.secretKeys),
    schema,
    onWaiting: (reason) => logger.warn('waiting for the database', describeError(reason)),
    signal,
  });

  const sender = createSender(settings);
  const attempts = (consumer = consumeAttempts(config, {
    db,
    queue,
    prefix,
    sender,
    logger,
    metrics,
    outages,
    traced,
    isDraining: () => stage === 'draining',
  }));
  const { batch, endpointLimit, workspaceLimit, auditRetentionDays } = config;
  const limits = { batch, endpointLimit, workspaceLimit, leaseMs: settings.leaseMs };
  const dispatchContext = { db, attempts: queue, logger, limits, reconciling: { after: FIRST_ENDPOINT } };
  const retention = keepRemoving({
    db,
    retentionDays: settings.retentionDays,
    auditRetentionDays,
    onRemoved: metrics.observeRemovedRows,
    onError(error) {
      // An outage of the database is already logged.
      if (databaseFailure(error)?.meaning !== 'away')
        logger.warn('could not remove old rows', describeError(error));
    },
  });
  const onQueueError = outages.listener('queue');
  const ticks = keepTicking({ ...dispatchContext, metrics, tickMs, onQueueError });
  const woken = config.wake
    ? dispatchWhenWoken({
        databaseUrl: config.databaseUrl,
        dispatch: () => dispatchReady(dispatchContext),
        onConnectionError: outages.listener('wake'),
        onDispatchError: (error) => logger.error('woken dispatch failed', describeError(error)),
      })
    : null;
  const erasing = keepErasing({
    db,
    pollMs: tickMs,
    onDone({ namesLeftOut, ...erasure }) {
      logger.info('erasure finished', erasure);
      if (namesLeftOut > 0) logger.warn('names left out of an erasure', { ...erasure, namesLeftOut });
    },
    onSkipped(row) {
      logger.error('row not erased', row);
      metrics.observeRowNotErased();
    },
    onError(error) {
      // An outage of the database is already logged.
      if (databaseFailure(error)?.meaning !== 'away') logger.error('erasure failed', describeError(error));
    },
  });
  const alertSender = startAlertSender(config, { db, logger, pollMs: tickMs });
  async function announceReady(): Promise<void> {
    await attempts.worker.waitUntilReady();
    if (stage === 'starting') stage = 'running';
    logger.info('worker ready', { concurrency, tickMs, port: health.port });
  }
  announceReady().catch(onQueueError);

  async function finish(): Promise<boolean> {
    attempts.stop();
    await Promise.all([ticks.stop(), woken?.stop(), retention.stop(), erasing.stop(), alertSender.stop()]);
    // After the last tick, which may have claimed more deliveries.
    if (!(await attempts.finish())) logger.warn('stopped without Redis');
    return true;
  }

  return {
    async drain() {
      stage = 'draining';
      readiness.stop();
      outages.stop();
      const finished = finish().catch((error: unknown) => {
        logger.error('drain failed', describeError(error));
        return false;
      });
      const inTime = await Promise.race([finished, after(settings.timeoutMs + DRAIN_MARGIN_MS)]);
      sender.close();
      if (!inTime) await Promise.race([finished, after(INTERRUPT_MARGIN_MS)]);
      health.close();
      for (const redis of [attempts.connection, producer]) redis.disconnect();
      await Promise.race([db.close(), after(INTERRUPT_MARGIN_MS)]);
      await tracing()?.stop();
      return inTime;
    },
  };
}

async function after(ms: number): Promise<false> {
  await sleep(ms, undefined, { ref: false });
  return false;
}
