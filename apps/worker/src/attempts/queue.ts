import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import type { RedisClient } from '@deal-signals/runtime/redis/connect';
import { tracing } from '@deal-signals/runtime/tracing';
import { type JobsOptions, Queue, type Telemetry } from 'bullmq';
import { z } from 'zod';

// The queue only carries attempts from one process to another. What is due, and when, is in the database.

/** One job per attempt. */
export const ATTEMPT_QUEUE = 'webhook-attempts';

/** Identifies a delivery and proves the claim on it. The payload stays in the database, so it cannot fill Redis. */
const attemptJob = z.object({
  companyId: z.int32(),
  deliveryId: z
    .string()
    .regex(/^\d{1,19}$/)
    // A greater id would make the statement for all jobs of a group fail.
    .refine((id) => BigInt(id) <= GREATEST_ID),
  claimToken: z.uuid(),
});

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

/** The job of a claim. Its id is derived from the claim, so a claim cannot be queued twice. */
export function toAttemptJob(claim: Claim): { name: string; data: AttemptJob; opts: JobsOptions } {
  const data = { ...claim, deliveryId: String(claim.deliveryId) };
  return { name: 'attempt', data, opts: { jobId: `${data.deliveryId}-${claim.claimToken}` } };
}

/**
 * The claim of a job; null if the job has another shape. Such a job is of a newer version, during a deployment, or was
 * not added by us. It is counted and removed: if there is a claim, its delivery becomes due again when the lease ends.
 */
export function toClaim(data: unknown): Claim | null {
  const job = attemptJob.safeParse(data);
  return job.success ? { ...job.data, deliveryId: BigInt(job.data.deliveryId) } : null;
}
