import type { Database } from '@deal-signals/db/database';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import type { Logger } from '@deal-signals/runtime/logger';
import type { Queue } from 'bullmq';
import { toClaim } from '../queues.ts';

/**
 * Releases the claims of jobs that wait in the queue, so that the next tick of any worker finds their deliveries: there
 * may be no other worker to take these jobs. Each job is read by itself, so that one we cannot read spoils no other.
 *
 * @param onUnreadable called for each job of another shape. It is removed like the others.
 */
export async function giveBackWaiting(
  db: Database,
  attempts: Queue,
  logger: Logger,
  onUnreadable: () => void,
): Promise<void> {
  const ids = await attempts.getRanges(['waiting'], 0, -1);
  const claims: Claim[] = [];
  for (const read of await Promise.all(ids.map((id) => readClaim(attempts, id)))) {
    if (read === 'unreadable') onUnreadable();
    else if (read !== 'gone') claims.push(read);
  }
  const released = await releaseClaims(db, claims);
  // A job that another worker has just taken cannot be removed. Its claim is void, or its attempt has begun.
  await Promise.allSettled(ids.map((id) => attempts.remove(id)));
  if (released > 0) logger.info('claims given back', { released });
}

/** The claim of a job that waits, unless another worker has taken and finished the job meanwhile. */
async function readClaim(attempts: Queue, id: string): Promise<Claim | 'unreadable' | 'gone'> {
  try {
    const job = await attempts.getJob(id);
    return job === undefined ? 'gone' : (toClaim(job.data) ?? 'unreadable');
  } catch (error) {
    // The data of the job is not even JSON.
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}
