import type { Database } from '@deal-signals/db/database';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import type { Queue } from 'bullmq';
import { toClaims } from './queue.ts';

/**
 * Removes the jobs that wait in the queue and releases their claims, so that the next tick of any worker finds their deliveries: there
 * may be no other worker to take these jobs. A claim is released only after its job was removed, because whoever runs a job has the
 * right to attempt. Each job is read by itself, so that one we cannot read spoils no other.
 *
 * @param onUnreadable called for each job of another shape. It is removed like the others.
 * @param deadlineMs how long Redis may take.
 * @returns whether Redis was there. Otherwise the jobs stay in the queue, and the claims end with their leases.
 */
export async function releaseWaitingClaims(
  db: Database,
  attempts: Queue,
  logger: Logger,
  onUnreadable: () => void,
  deadlineMs: number,
): Promise<boolean> {
  const claims: Claim[] = [];
  const removing = removeWaiting(attempts, (removed) => {
    if (removed === null) onUnreadable();
    else claims.push(...removed);
  });
  const isRedisThere = await withTimeout(deadlineMs, removing).then(
    () => true,
    (error: unknown) => {
      logger.warn('claims not given back', describeError(error));
      return false;
    },
  );
  const released = await releaseClaims(db, claims);
  if (released > 0) logger.info('claims given back', { released });
  return isRedisThere;
}

/** Removes the jobs that wait. Calls `onRemoved` for each with its claims, or with null for a job of another shape. */
async function removeWaiting(attempts: Queue, onRemoved: (claims: Claim[] | null) => void): Promise<void> {
  const ids = await attempts.getRanges(['waiting'], 0, -1);
  await Promise.all(
    ids.map(async (id) => {
      const claims = await readClaims(attempts, id);
      // Another worker may have taken the job meanwhile.
      if ((await attempts.remove(id)) === 1 && claims !== 'gone') onRemoved(claims);
    }),
  );
}

/** The claims of a job that waits; null if the job has another shape, `gone` if another worker has finished it meanwhile. */
async function readClaims(attempts: Queue, id: string): Promise<Claim[] | null | 'gone'> {
  try {
    const job = await attempts.getJob(id);
    return job === undefined ? 'gone' : toClaims(job.data);
  } catch (error) {
    // The data of the job is not even JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
