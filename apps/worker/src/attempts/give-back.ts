import type { Database } from '@deal-signals/db/database';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { within } from '@deal-signals/runtime/within';
import type { Queue } from 'bullmq';
import { toClaim } from './queue.ts';

/**
 * Releases the claims of jobs that wait in the queue, so that the next tick of any worker finds their deliveries: there
 * may be no other worker to take these jobs. Each job is read by itself, so that one we cannot read spoils no other.
 *
 * @param onUnreadable called for each job of another shape. It is removed like the others.
 * @param deadlineMs how long Redis may take.
 * @returns whether Redis was there. Otherwise the claims stay in the queue.
 */
export async function giveBackWaiting(
  db: Database,
  attempts: Queue,
  logger: Logger,
  onUnreadable: () => void,
  deadlineMs: number,
): Promise<boolean> {
  const waiting = await within(deadlineMs, readWaiting(attempts)).catch((error: unknown) => {
    logger.warn('claims not given back', describeError(error));
    return null;
  });
  if (waiting === null) return false;
  const claims: Claim[] = [];
  for (const { claim } of waiting) {
    if (claim === 'unreadable') onUnreadable();
    else if (claim !== 'gone') claims.push(claim);
  }
  const released = await releaseClaims(db, claims);
  if (released > 0) logger.info('claims given back', { released });
  // A job that another worker has just taken cannot be removed. Its claim is void, or its attempt has begun.
  const removed = Promise.allSettled(waiting.map(({ id }) => attempts.remove(id)));
  return within(deadlineMs, removed).then(
    () => true,
    () => false,
  );
}

async function readWaiting(attempts: Queue): Promise<{ id: string; claim: Claim | 'unreadable' | 'gone' }[]> {
  const ids = await attempts.getRanges(['waiting'], 0, -1);
  return Promise.all(ids.map(async (id) => ({ id, claim: await readClaim(attempts, id) })));
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
