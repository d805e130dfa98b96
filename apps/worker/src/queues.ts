import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Claim } from '@deal-signals/deliveries/claims/claim';

// The queues carry work from one process to another and nothing else: what is due, and when, stands in the database.

/** One job a tick of the dispatcher. */
export const DISPATCH_QUEUE = 'webhook-dispatch';
/** One job an attempt. */
export const ATTEMPT_QUEUE = 'webhook-attempts';

/** Names a delivery and proves the claim to it. The payload stays in the database, where it cannot fill Redis. */
export const attemptJob = z.object({
  companyId: z.int(),
  deliveryId: z.string().regex(/^\d{1,19}$/),
  claimToken: z.uuid(),
});

/** The data of a job in the attempt queue. */
export type AttemptJob = z.infer<typeof attemptJob>;

/** The queue never tries a job again, because the database knows when to, and keeps no trace of a finished one. */
export const JOB_OPTIONS: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Opens one of the queues to put jobs into it. */
export function openQueue(name: string, connection: Redis, prefix: string): Queue {
  return new Queue(name, { connection, prefix, defaultJobOptions: JOB_OPTIONS });
}

/** The job of a claim. Its id follows from the claim, so that a claim cannot be queued twice. */
export function toAttemptJob(claim: Claim): { name: string; data: AttemptJob; opts: JobsOptions } {
  const data = { ...claim, deliveryId: String(claim.deliveryId) };
  return { name: 'attempt', data, opts: { jobId: `${data.deliveryId}-${claim.claimToken}` } };
}

/**
 * The claim of a job.
 * @throws ZodError when the job is none of ours.
 */
export function toClaim(data: unknown): Claim {
  const job = attemptJob.parse(data);
  return { ...job, deliveryId: BigInt(job.deliveryId) };
}
