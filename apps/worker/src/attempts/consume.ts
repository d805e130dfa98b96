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

/** What takes claims from the queue and makes their attempts. */
export interface AttemptConsumer {
  /** Its connection to Redis. */
  connection: RedisClient;
  worker: Worker;
  /** Takes no further job. The attempts that are under way go on. */
  stop(): void;
  /**
   * Releases the claims that wait in the queue, and waits until the attempts that are under way are recorded. Without Redis, only
   * for the attempts, which end in PostgreSQL: another worker takes the claims from the queue, or they expire.
   *
   * @returns whether Redis was there.
   */
  finish(): Promise<boolean>;
}

/** What taking attempts needs. */
export interface ConsumerOptions {
  db: Database;
  queue: Queue;
  prefix: string;
  sender: Sender;
  logger: Logger;
  metrics: WorkerMetrics;
  outages: Outages;
  /** Whether the process is shutting down, so that nothing new may begin. */
  isDraining: () => boolean;
  traced: Traced;
}

/** How soon the queue is read again after Redis was away. BullMQ's default of 15 s would cost a tick. */
const QUEUE_RETRY_MS = 1_000;
/**
 * After this time another worker runs a job whose worker went silent before all of its attempts had begun. If a claim is still held, the
 * receiver may get the delivery twice; one outcome is recorded.
 */
const JOB_LOCK_MS = 30_000;
/** A Redis that does not respond for this long has to be done without: the process has seconds to end. */
const AWAY_AFTER_MS = 1_500;

/**
 * Starts taking jobs, one after the other. An attempt begins as soon as fewer than `concurrency` are under way. A job ends when all of
 * its attempts have begun and one more could, so that a busy worker leaves the next job to others; an attempt itself outlives
 * its job. If the process dies, its deliveries become due again when the leases end.
 */
export function consumeAttempts(config: Config, options: ConsumerOptions): AttemptConsumer {
  const { db, queue, prefix, sender, logger, metrics, outages, isDraining, traced } = options;
  const { webhooks: settings, concurrency } = config;
  const connection = connectConsumer(config.redis).on('error', outages.listener('redis'));
  const context: RunContext = {
    db,
    begin: beginAttemptsInBatches(db, settings),
    record: recordOutcomesInBatches(db, settings),
    sender,
    settings,
    logger,
    metrics: metrics.attempts,
    isDraining,
  };
  const slots = pLimit(concurrency);
  /** The attempts that wait for a slot or are under way, by their claim tokens. */
  const taken = new Map<string, Promise<void>>();

  /** A job of another shape ends here: it is counted, and the queue removes it. */
  async function runJob({ data }: Job): Promise<void> {
    const claims = toClaims(data);
    if (claims === null) {
      metrics.observeUnreadableJob();
      // Nothing of its data is logged: nobody knows what it is.
      logger.warn('unreadable job');
      return;
    }
    // A Redis that fails over may hand out a job again whose attempts are under way here.
    for (const claim of claims) if (!taken.has(claim.claimToken)) take(claim);
    // Slots are given in turn, so this one is free when all of these have begun.
    await slots(() => {});
  }

  function take(claim: Claim): void {
    const { companyId, deliveryId, claimToken } = claim;
    const attempt = slots(() => runAttempt(context, claim))
      .catch((error: unknown) => noteFailure(error, { companyId, deliveryId: String(deliveryId) }))
      .finally(() => taken.delete(claimToken));
    taken.set(claimToken, attempt);
  }

  function noteFailure(error: unknown, about: object): void {
    metrics.observeFailedJob();
    logger.error('job failed', { ...about, ...describeError(error) });
  }

  const worker = new Worker(ATTEMPT_QUEUE, runJob, {
    connection,
    prefix,
    concurrency: 1,
    lockDuration: JOB_LOCK_MS,
    runRetryDelay: QUEUE_RETRY_MS,
    // Our own jobs carry these options themselves. This is for jobs that somebody else has added.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    ...traced,
  });
  worker.on('error', outages.listener('queue'));
  worker.on('failed', (_, error) => noteFailure(error, {}));
  let closed: Promise<void> | undefined;

  async function isClosed(): Promise<boolean> {
    return withTimeout(AWAY_AFTER_MS, closed ?? worker.close()).then(
      () => true,
      () => false,
    );
  }

  return {
    connection,
    worker,
    stop() {
      // What waits for a slot ends at once: its claim is released.
      slots.concurrency = Infinity;
      // It would wait for Redis.
      closed = worker.close();
      closed.catch(() => {});
    },
    async finish() {
      const isGivenBack = await releaseWaitingClaims(
        db,
        queue,
        logger,
        metrics.observeUnreadableJob,
        AWAY_AFTER_MS,
      );
      const isRedisThere = isGivenBack && (await isClosed());
      await settled(taken);
      return isRedisThere;
    },
  };
}

async function settled(attempts: ReadonlyMap<string, Promise<void>>): Promise<void> {
  while (attempts.size > 0) await Promise.all(attempts.values());
}
