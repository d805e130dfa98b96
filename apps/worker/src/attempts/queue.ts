import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { tracing } from '@deal-signals/runtime/tracing';
import { type JobsOptions, Queue, type Telemetry } from 'bullmq';
import { z } from 'zod';

// The queue only carries attempts from one process to another. What is due, and when, is in the database.

/** Each job carries the claims of up to ten attempts. */
export const ATTEMPT_QUEUE = 'webhook-attempts';

/** How many claims a job carries at most. With one, a delivery in a burst costs 0.8 ms of CPU in all processes; with ten, 0.7. */
const CLAIMS_PER_JOB = 10;

/** Identifies a delivery and proves the claim on it. The payload stays in the database, so it cannot fill Redis. */
const jobClaim = z.object({
  companyId: z.int32(),
  deliveryId: z
    .string()
    .regex(/^\d{1,19}$/)
    // A greater id would make the statement for all jobs of a group fail.
    .refine((id) => BigInt(id) <= GREATEST_ID),
  claimToken: z.uuid(),
});

const attemptJob = z.object({ claims: z.array(jobClaim).min(1).max(CLAIMS_PER_JOB) });

/** The data of a job in the attempt queue. */
type AttemptJob = z.infer<typeof attemptJob>;

/** The queue never retries a job, because the database schedules retries, and it keeps no finished jobs. */
const JOB_OPTIONS: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Options of a queue and of its workers that trace their jobs; none if tracing is off. */
export type Traced = { telemetry?: Telemetry };

/** The spans of jobs. The library is only loaded if tracing is on. */
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
 * The jobs of claims, in the same order. The id of a job is derived from its claims, so they cannot be queued twice, and says how many
 * they are, so that `countWaitingClaims` reads no data.
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
 * How many claims wait in the queue, or some number from `enough` on. A job that was not added by us counts as one.
 *
 * @param enough how many jobs are looked at: each has one claim at least.
 */
export async function countWaitingClaims(queue: Queue, enough: number): Promise<number> {
  const ids = await queue.getRanges(['waiting'], 0, enough - 1);
  return ids.reduce((sum, id) => sum + Number(/^(\d{1,2})-/.exec(id)?.[1] ?? 1), 0);
}

/**
 * The claims of a job; null if the job has another shape. Such a job is of a newer version, during a deployment, or was
 * not added by us. It is counted and removed: if there are claims, their deliveries become due again when the leases end.
 */
export function toClaims(data: unknown): Claim[] | null {
  const job = attemptJob.safeParse(data);
  if (!job.success) return null;
  return job.data.claims.map((claim) => ({ ...claim, deliveryId: BigInt(claim.deliveryId) }));
}
