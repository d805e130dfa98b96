import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { tracing } from '@deal-signals/runtime/tracing';
import { type JobsOptions, Queue, type Telemetry } from 'bullmq';
import { z } from 'zod';

// The queue only carries attempts from one process to another. The database holds which deliveries are due and when.

/** The name of the queue. Each job carries the claims of up to ten attempts. */
export const ATTEMPT_QUEUE = 'webhook-attempts';

/**
 * Maximum claims per job. In a burst, a delivery costs 0.8 ms of CPU time in all processes with one claim per job, and 0.7 ms
 * with ten.
 */
const CLAIMS_PER_JOB = 10;

/** A delivery and the token of its claim. The payload stays in the database, so it cannot fill Redis. */
const jobClaim = z.object({
  companyId: z.int32(),
  deliveryId: z
    .string()
    .regex(/^\d{1,19}$/)
    // A greater id would make the statement of a whole batch fail.
    .refine((id) => BigInt(id) <= GREATEST_ID),
  claimToken: z.uuid(),
});

const attemptJob = z.object({ claims: z.array(jobClaim).min(1).max(CLAIMS_PER_JOB) });

/** The data of a job in the attempt queue. */
type AttemptJob = z.infer<typeof attemptJob>;

/** The queue never retries a job, because the database schedules retries. It keeps no finished jobs. */
const JOB_OPTIONS: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Options that trace the jobs of a queue and its workers; none if tracing is off. */
export type Traced = { telemetry?: Telemetry };

/** Returns the options that trace jobs. The library is loaded only if tracing is on. */
export async function traceJobs(): Promise<Traced> {
  if (tracing() === undefined) return {};
  const { BullMQOtel } = await import('bullmq-otel');
  return { telemetry: new BullMQOtel({ tracerName: 'deal-signals' }) };
}

/** Opens the queue for adding jobs. */
export function openQueue(connection: RedisClient, prefix: string, traced: Traced = {}): Queue {
  return new Queue(ATTEMPT_QUEUE, { connection, prefix, defaultJobOptions: JOB_OPTIONS, ...traced });
}

/**
 * Converts claims to jobs, in the same order. The id of a job is derived from its claims, so they cannot be queued twice. It
 * contains the number of claims, so that `countWaitingClaims` reads no job data.
 */
export function toAttemptJobs(
  claims: readonly Claim[],
): { name: string; data: AttemptJob; opts: JobsOptions }[] {
  const jobs = [];
  for (let first = 0; first < claims.length; first += CLAIMS_PER_JOB) {
    const own = claims.slice(first, first + CLAIMS_PER_JOB);
    jobs.push({
      name: 'attempts',
      data: { claims: own.map((claim) => ({ ...claim, deliveryId: String(claim.deliveryId) })) },
      opts: { jobId: `${own.length}-${own[0]!.claimToken}` },
    });
  }
  return jobs;
}

/**
 * Returns how many claims wait in the queue; once `enough` is reached, the count may stop. A job that another program has added
 * counts as one.
 *
 * @param enough the number of jobs to read: each has at least one claim.
 */
export async function countWaitingClaims(queue: Queue, enough: number): Promise<number> {
  const ids = await queue.getRanges(['waiting'], 0, enough - 1);
  return ids.reduce((sum, id) => sum + Number(/^(\d{1,2})-/.exec(id)?.[1] ?? 1), 0);
}

/**
 * Returns the claims of a job; null if the job has another shape. Such a job belongs to a newer version, during a deployment, or
 * was added by another program. It is counted and removed. If it has claims, their deliveries become due again when the leases
 * end.
 */
export function toClaims(data: unknown): Claim[] | null {
  const job = attemptJob.safeParse(data);
  if (!job.success) return null;
  return job.data.claims.map((claim) => ({ ...claim, deliveryId: BigInt(claim.deliveryId) }));
}
