import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, probe } from '@deal-signals/db/database';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { untilDatabaseIsUsable } from '@deal-signals/db/start-up';
import { beginAttemptsInGroups } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcomesInGroups } from '@deal-signals/deliveries/attempts/record-outcomes';
import { announcePort } from '@deal-signals/runtime/listening';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { queuePrefix } from '@deal-signals/runtime/redis/keys';
import { tracing } from '@deal-signals/runtime/tracing';
import { createSender, type Sender } from '@deal-signals/sending/guarded-send';
import { assertSecretKeys } from '@deal-signals/sending/secrets-key-check';
import { type Job, Worker } from 'bullmq';
import { giveBackWaiting } from './attempts/give-back.ts';
import { runAttempt } from './attempts/job.ts';
import type { Config } from './config.ts';
import { createHeartbeat } from './dispatch/heartbeat.ts';
import { type DispatchContext, dispatchReady } from './dispatch/dispatch.ts';
import { keepTicking } from './dispatch/scheduler.ts';
import { tick } from './dispatch/tick.ts';
import { dispatchWhenWoken } from './dispatch/wake.ts';
import { createWorkerMetrics, type WorkerMetrics } from './health/metrics.ts';
import { createOutages, type Outages } from './health/outage-log.ts';
import { type Machinery, type Stage, watchReadiness } from './health/readiness.ts';
import { createScrape } from './health/scrape.ts';
import { serveHealth } from './health/server.ts';
import { ATTEMPT_QUEUE, DISPATCH_QUEUE, openQueue, toClaim, type Traced } from './queues.ts';
import { connectConsumer, connectProducer } from './redis.ts';
import { createRetention } from './retention/retention.ts';
import { createRunningWork, finishDespiteRedis, type RunningWork } from './shutdown.ts';

/** A worker that dispatches and attempts deliveries. */
export interface WorkerProcess {
  /**
   * Shuts down gracefully: no new tick or attempt begins, claims waiting in the queue are released, and running attempts
   * finish and are recorded. An attempt that takes too long is interrupted, and its claim is released as well.
   *
   * @returns whether everything finished by itself.
   */
  drain(): Promise<boolean>;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** How soon a queue is read again after Redis was away. BullMQ's default of 15 s would cost a tick. */
const QUEUE_RETRY_MS = 1_000;
/** After this time another worker runs a job whose worker went silent. The job is stale if its attempt had begun. */
const JOB_LOCK_MS = 30_000;
/** Time in addition to the receiver's timeout, to record the outcome and to close connections. */
const DRAIN_MARGIN_MS = 5_000;
const INTERRUPT_MARGIN_MS = 2_000;

/**
 * Starts dispatching and attempting. PostgreSQL and Redis may be unavailable: it waits for them at the start, and
 * continues by itself when they come back later.
 *
 * @param signal ends the wait at the start.
 * @throws UnusableDatabaseError when the database must not be used as it is; the reason of `signal` when that comes first.
 */
export async function startWorker(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<WorkerProcess> {
  const metrics = createWorkerMetrics();
  const schema = createSchemaWatch();
  const outages = createOutages(logger, metrics, {
    database: () => probe(db),
    redis: () => producer.ping(),
  });
  const db = openDatabase({
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
  const producer = connectProducer(config.redis).on('error', outages.listener('redis'));
  const prefix = queuePrefix(config.redis.prefix);
  let stage: Stage = 'starting';
  let machinery: Machinery | undefined;
  const readiness = watchReadiness({
    db,
    schema,
    producer,
    prefix,
    logger,
    stage: () => stage,
    machinery: () => machinery,
  });
  const scrape = createScrape(metrics, {
    db,
    queues: () => machinery?.queues ?? [],
    readiness: readiness.failing,
  });
  // Opened before the wait for the database, so that a waiting worker can be told from one that hangs.
  const health = await serveHealth(config.port, config.host, {
    failing: readiness.failing,
    missingMigrations: schema.missing,
    metrics: { contentType: metrics.registry.contentType, scrape },
  });
  announcePort(health.port);
  await untilDatabaseIsUsable(db, {
    check: () => assertSecretKeys(db, config.webhooks.secretKeys),
    schema,
    onWaiting: (reason) => logger.warn('waiting for the database', describeError(reason)),
    signal,
  });

  const sender = createSender(config.webhooks);
  const isDraining = () => stage === 'draining';
  const work = createRunningWork();
  const { consumer, workers, queues } = (machinery = takeJobs(config, {
    db,
    producer,
    work,
    sender,
    logger,
    metrics,
    outages,
    isDraining,
    traced: await traceJobs(),
  }));
  const [dispatcher, attempter] = workers;
  const [ticks, attempts] = queues;
  const scheduler = keepTicking(ticks, config.tickMs, outages.listener('scheduler'));
  const woken = config.wake
    ? dispatchWhenWoken({
        databaseUrl: config.databaseUrl,
        dispatch: () => dispatchReady(dispatchContext(config, { db, logger, attempts })),
        onConnectionError: outages.listener('wake'),
        onDispatchError: (error) => logger.error('woken dispatch failed', describeError(error)),
      })
    : null;
  async function announceReady(): Promise<void> {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    if (stage === 'starting') stage = 'running';
    const { concurrency, tickMs } = config;
    logger.info('worker ready', { concurrency, tickMs, port: health.port });
  }
  announceReady().catch(outages.listener('queue'));

  async function finish(): Promise<void> {
    const attemptsDone = attempter.close();
    await Promise.all([dispatcher.close(), woken?.stop()]);
    // Not earlier, because the last tick may have claimed some more.
    await giveBackWaiting(db, attempts, logger, metrics.observeUnreadableJob);
    await attemptsDone;
  }

  return {
    async drain() {
      stage = 'draining';
      readiness.stop();
      outages.stop();
      scheduler.stop();
      const finished = finishDespiteRedis(finish(), () => producer.exists(`${prefix}:stop-probe`), work).then(
        (isOrderly) => {
          if (!isOrderly) logger.warn('stopped without Redis');
          return true;
        },
        (error) => {
          logger.error('drain failed', describeError(error));
          return false;
        },
      );
      const limitMs = config.webhooks.timeoutMs + DRAIN_MARGIN_MS;
      const inTime = await Promise.race([finished, after(limitMs)]);
      sender.close();
      if (!inTime) await Promise.race([finished, after(INTERRUPT_MARGIN_MS)]);
      health.close();
      for (const redis of [consumer, producer]) redis.disconnect();
      await Promise.race([db.$disconnect(), after(INTERRUPT_MARGIN_MS)]);
      await tracing()?.stop();
      return inTime;
    },
  };
}

/** The spans of jobs. The library is only loaded if tracing is on. */
async function traceJobs(): Promise<Traced> {
  if (tracing() === undefined) return {};
  const { BullMQOtel } = await import('bullmq-otel');
  return { telemetry: new BullMQOtel({ tracerName: 'deal-signals' }) };
}

/** What jobs need. */
interface Means {
  db: Database;
  producer: RedisClient;
  work: RunningWork;
  sender: Sender;
  logger: Logger;
  metrics: WorkerMetrics;
  outages: Outages;
  isDraining: () => boolean;
  traced: Traced;
}

/** What ticks and woken dispatches share. */
function dispatchContext(
  { batch, endpointLimit, workspaceLimit, webhooks: { leaseMs } }: Config,
  means: Pick<DispatchContext, 'db' | 'logger' | 'attempts'>,
): DispatchContext {
  return { ...means, limits: { batch, endpointLimit, workspaceLimit, leaseMs } };
}

/** Opens the queues and starts taking jobs from them. */
function takeJobs(config: Config, means: Means): Machinery {
  const { db, producer, work, sender, logger, metrics, outages, isDraining, traced } = means;
  const { redis, webhooks: settings } = config;
  const prefix = queuePrefix(redis.prefix);
  const consumer = connectConsumer(redis).on('error', outages.listener('redis'));
  const ticks = openQueue(DISPATCH_QUEUE, producer, prefix, traced).on('error', outages.listener('redis'));
  const attempts = openQueue(ATTEMPT_QUEUE, producer, prefix, traced).on('error', outages.listener('redis'));
  const heartbeat = createHeartbeat(producer, prefix, config.tickMs);

  const { tickMs, retentionDays, auditRetentionDays } = config;
  const onRemoved = metrics.observeRemovedRows;
  const retention = createRetention({ db, retentionDays, auditRetentionDays, onRemoved });
  const tickContext = {
    ...dispatchContext(config, { db, logger, attempts }),
    metrics,
    heartbeat,
    retention,
    tickMs,
  };
  const jobContext = {
    db,
    begin: beginAttemptsInGroups(db, settings.leaseMs),
    record: recordOutcomesInGroups(db, settings),
    sender,
    settings,
    logger,
    metrics: metrics.attempts,
    isDraining,
  };
  const options = {
    connection: consumer,
    prefix,
    lockDuration: JOB_LOCK_MS,
    runRetryDelay: QUEUE_RETRY_MS,
    // Our own jobs carry these options themselves. This is for jobs that somebody else has added.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    ...traced,
  };
  /** A job of another shape ends here: it is counted, and the queue removes it. */
  async function runJob({ data }: Job): Promise<void> {
    const claim = toClaim(data);
    if (claim !== null) return work.track(runAttempt(jobContext, claim));
    metrics.observeUnreadableJob();
    // Nothing of its data is logged: nobody knows what it is.
    logger.warn('unreadable job');
  }
  const workers = [
    new Worker(DISPATCH_QUEUE, () => work.track(tick(tickContext)), { ...options, concurrency: 1 }),
    new Worker(ATTEMPT_QUEUE, runJob, {
      ...options,
      concurrency: config.concurrency,
    }),
  ] as const;
  for (const worker of workers) {
    worker.on('error', outages.listener('queue'));
    worker.on('failed', (job, error) => {
      metrics.observeFailedJob(worker.name);
      logger.error('job failed', { queue: worker.name, ...describeJob(job), ...describeError(error) });
    });
  }
  return { consumer, workers, queues: [ticks, attempts], heartbeat };
}

/** The log fields of a job: its delivery. Nothing else of a job is logged. */
function describeJob(job: Job | undefined): { companyId?: number; deliveryId?: string } {
  const claim = toClaim(job?.data);
  return claim === null ? {} : { companyId: claim.companyId, deliveryId: String(claim.deliveryId) };
}

async function after(ms: number): Promise<false> {
  await sleep(ms, undefined, { ref: false });
  return false;
}
