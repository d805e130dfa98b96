import type { Database } from '@deal-signals/db/database';
import { beginAttemptsInGroups } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcomesInGroups } from '@deal-signals/deliveries/attempts/record-outcomes';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { within } from '@deal-signals/runtime/within';
import type { Sender } from '@deal-signals/sending/guard/guarded-send';
import { type Job, type Queue, Worker } from 'bullmq';
import type { Config } from '../config.ts';
import type { WorkerMetrics } from '../health/metrics.ts';
import type { Outages } from '../health/outage-log.ts';
import { connectConsumer } from '../redis.ts';
import { giveBackWaiting } from './give-back.ts';
import { type JobContext, runAttempt } from './job.ts';
import { ATTEMPT_QUEUE, toClaim, type Traced } from './queue.ts';

/** What takes attempts from the queue and makes them. */
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
 * After this time another worker runs a job whose worker went silent. If the claim is still held, the receiver may get the delivery
 * twice; one outcome is recorded.
 */
const JOB_LOCK_MS = 30_000;
/** A Redis that does not respond for this long has to be done without: the process has seconds to end. */
const AWAY_AFTER_MS = 1_500;

/** Starts taking jobs, each of which is one attempt. */
export function consumeAttempts(config: Config, options: ConsumerOptions): AttemptConsumer {
  const { db, queue, prefix, sender, logger, metrics, outages, isDraining, traced } = options;
  const { webhooks: settings, concurrency } = config;
  const connection = connectConsumer(config.redis).on('error', outages.listener('redis'));
  const context: JobContext = {
    db,
    begin: beginAttemptsInGroups(db, settings),
    record: recordOutcomesInGroups(db, settings),
    sender,
    settings,
    logger,
    metrics: metrics.attempts,
    isDraining,
  };
  /** The attempts that are under way, by their claim tokens. BullMQ knows what runs only together with Redis. */
  const running = new Map<string, Promise<void>>();

  /** A job of another shape ends here: it is counted, and the queue removes it. */
  async function runJob({ data }: Job): Promise<void> {
    const claim = toClaim(data);
    if (claim === null) {
      metrics.observeUnreadableJob();
      // Nothing of its data is logged: nobody knows what it is.
      logger.warn('unreadable job');
      return;
    }
    // A Redis that fails over may hand out a job again that is under way here. It ends with the attempt that it asks for.
    const underWay = running.get(claim.claimToken);
    if (underWay !== undefined) return underWay;
    const attempt = runAttempt(context, claim);
    running.set(claim.claimToken, attempt);
    await attempt.finally(() => running.delete(claim.claimToken));
  }

  const worker = new Worker(ATTEMPT_QUEUE, runJob, {
    connection,
    prefix,
    concurrency,
    lockDuration: JOB_LOCK_MS,
    runRetryDelay: QUEUE_RETRY_MS,
    // Our own jobs carry these options themselves. This is for jobs that somebody else has added.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    ...traced,
  });
  worker.on('error', outages.listener('queue'));
  worker.on('failed', (job, error) => {
    metrics.observeFailedJob();
    logger.error('job failed', { ...describeJob(job), ...describeError(error) });
  });
  let closed: Promise<void> | undefined;

  async function isClosed(): Promise<boolean> {
    return within(AWAY_AFTER_MS, closed ?? worker.close()).then(
      () => true,
      () => false,
    );
  }

  return {
    connection,
    worker,
    stop() {
      // It would wait for Redis.
      closed = worker.close();
      closed.catch(() => {});
    },
    async finish() {
      const [isRedisThere] = await Promise.all([
        giveBackWaiting(db, queue, logger, metrics.observeUnreadableJob, AWAY_AFTER_MS),
        settled(running),
      ]);
      return isRedisThere && (await isClosed());
    },
  };
}

async function settled(running: ReadonlyMap<string, Promise<void>>): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running.values());
}

/** The log fields of a job: its delivery. Nothing else of a job is logged. */
function describeJob(job: Job | undefined): { companyId?: number; deliveryId?: string } {
  const claim = toClaim(job?.data);
  return claim === null ? {} : { companyId: claim.companyId, deliveryId: String(claim.deliveryId) };
}
