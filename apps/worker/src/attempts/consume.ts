import type { Database } from '@deal-signals/db/database';
import { beginAttemptsInBatches } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcomesInBatches } from '@deal-signals/deliveries/attempts/record-outcomes';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import type { Sender } from '@deal-signals/sending/guard/guarded-send';
import { type Job, type Queue, Worker } from 'bullmq';
import pLimit from 'p-limit';
import type { Config } from '../config.ts';
import type { WorkerMetrics } from '../health/metrics.ts';
import type { Outages } from '../health/outage-log.ts';
import { connectConsumer } from '../redis.ts';
import { releaseWaitingClaims } from './release-waiting-claims.ts';
import { ATTEMPT_QUEUE, toClaims, type Traced } from './queue.ts';
import { type RunContext, runAttempt } from './run-attempt.ts';

/** Takes jobs from the queue and makes the attempts of their claims. */
export interface AttemptConsumer {
  /** The connection of the consumer to Redis. */
  connection: RedisClient;
  worker: Worker;
  /** Takes no further jobs. Running attempts continue. */
  stop(): void;
  /**
   * Releases the claims that wait in the queue, and waits until the running attempts are recorded. If Redis is unavailable, it
   * only waits for the attempts, which end in PostgreSQL: another worker takes the claims from the queue, or their leases end.
   *
   * @returns whether Redis responded.
   */
  finish(): Promise<boolean>;
}

/** The dependencies of a consumer. */
export interface ConsumerOptions {
  db: Database;
  queue: Queue;
  prefix: string;
  sender: Sender;
  logger: Logger;
  metrics: WorkerMetrics;
  outages: Outages;
  /** Reports whether the process is shutting down, so that nothing new may begin. */
  isDraining: () => boolean;
  traced: Traced;
}

/** How soon the queue is read again after an outage of Redis. BullMQ's default of 15 s would cost a tick. */
const QUEUE_RETRY_MS = 1_000;
/**
 * How long a job is locked. If its worker stops responding before all attempts of the job have begun, another worker then runs
 * the job. If a claim is still held, the receiver may get the delivery twice; one outcome is recorded.
 */
const JOB_LOCK_MS = 30_000;
/** How long a shutdown waits for Redis. The process has only seconds to end. */
const REDIS_DEADLINE_MS = 1_500;

/**
 * Starts taking jobs, one at a time. An attempt begins as soon as fewer than `concurrency` are running. A job ends when all of
 * its attempts have begun and a slot is free, so that a busy worker leaves the next job to others. Attempts may run longer than
 * their job. If the process dies, its deliveries become due again when the leases end.
 */
export function consumeAttempts(config: Config, options: ConsumerOptions): AttemptConsumer {
  const { db, queue, prefix, sender, logger, metrics, outages, isDraining, traced } = options;
  const { webhooks: settings, concurrency } = config;
  const connection = connectConsumer(config.redis).on('error', outages.listener('redis'));
  const context: RunContext = {
    db,
    begin: beginAttemptsInBatches(db, settings),
    record: recordOutcomesInBatches(db, { ...settings, alertsOperator: config.operatorAlertsUrl !== null }),
    sender,
    settings,
    logger,
    metrics: metrics.attempts,
    isDraining,
  };
  const slots = pLimit(concurrency);
  /** The attempts that wait for a slot or are running, by their claim tokens. */
  const taken = new Map<string, Promise<void>>();

  /** A job of another shape is counted and discarded. The queue removes it. */
  async function runJob({ data }: Job): Promise<void> {
    const claims = toClaims(data);
    if (claims === null) {
      metrics.observeUnreadableJob();
      // The payload is not logged, because its format is unknown.
      logger.warn('unreadable job discarded');
      return;
    }
    // After a failover, Redis may return a job again whose attempts are already running here.
    for (const claim of claims) if (!taken.has(claim.claimToken)) take(claim);
    // Slots are granted in order, so this one is granted when all of these attempts have begun.
    await slots(() => {});
  }

  function take(claim: Claim): void {
    const { companyId, deliveryId, claimToken } = claim;
    const attempt = slots(() => runAttempt(context, claim))
      .catch((error: unknown) => reportFailure(error, { companyId, deliveryId: String(deliveryId) }))
      .finally(() => taken.delete(claimToken));
    taken.set(claimToken, attempt);
  }

  function reportFailure(error: unknown, about: object): void {
    metrics.observeFailedJob();
    logger.error('job failed', { ...about, ...describeError(error) });
  }

  const worker = new Worker(ATTEMPT_QUEUE, runJob, {
    connection,
    prefix,
    concurrency: 1,
    lockDuration: JOB_LOCK_MS,
    runRetryDelay: QUEUE_RETRY_MS,
    // Our own jobs have these options. They are repeated for jobs that another program has added.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    ...traced,
  });
  worker.on('error', outages.listener('queue'));
  worker.on('failed', (_, error) => reportFailure(error, {}));
  let closed: Promise<void> | undefined;

  async function isClosed(): Promise<boolean> {
    return withTimeout(REDIS_DEADLINE_MS, closed ?? worker.close()).then(
      () => true,
      () => false,
    );
  }

  return {
    connection,
    worker,
    stop() {
      // Attempts that wait for a slot end at once and release their claims.
      slots.concurrency = Infinity;
      // Closing waits for Redis, so it is not awaited here.
      closed = worker.close();
      closed.catch(() => {});
    },
    async finish() {
      const isReleased = await releaseWaitingClaims(
        db,
        queue,
        logger,
        metrics.observeUnreadableJob,
        REDIS_DEADLINE_MS,
      );
      const isRedisAvailable = isReleased && (await isClosed());
      await waitForAll(taken);
      return isRedisAvailable;
    },
  };
}

async function waitForAll(attempts: ReadonlyMap<string, Promise<void>>): Promise<void> {
  while (attempts.size > 0) await Promise.all(attempts.values());
}
