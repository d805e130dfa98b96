import type { Database } from '@deal-signals/db/database';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import type { Queue } from 'bullmq';
import { toClaims } from './queue.ts';

/**
 * Removes the jobs that wait in the queue and releases their claims, so that the next tick of any worker finds their deliveries.
 * Otherwise they would wait for another worker, which may not exist. A claim is released only after its job was removed, because
 * a worker that runs a job may attempt its claims. Jobs are read one at a time, so an unreadable job does not affect the rest.
 *
 * @param onUnreadable called for each job of another shape, which is removed as well.
 * @param deadlineMs how long to wait for Redis.
 * @returns whether Redis responded. If not, the jobs stay in the queue, and the claims end with their leases.
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
  const isRedisAvailable = await withTimeout(deadlineMs, removing).then(
    () => true,
    (error: unknown) => {
      logger.warn('claims not released', describeError(error));
      return false;
    },
  );
  const released = await releaseClaims(db, claims);
  if (released > 0) logger.info('claims released', { released });
  return isRedisAvailable;
}

/** Removes the waiting jobs. Calls `onRemoved` for each with its claims, or with null for a job of another shape. */
async function removeWaiting(attempts: Queue, onRemoved: (claims: Claim[] | null) => void): Promise<void> {
  const ids = await attempts.getRanges(['waiting'], 0, -1);
  await Promise.all(
    ids.map(async (id) => {
      const claims = await readClaims(attempts, id);
      // Another worker may have taken the job in the meantime.
      if ((await attempts.remove(id)) === 1 && claims !== 'gone') onRemoved(claims);
    }),
  );
}

/**
 * Returns the claims of a waiting job; null if the job has another shape, `gone` if another worker has finished it in the
 * meantime.
 */
async function readClaims(attempts: Queue, id: string): Promise<Claim[] | null | 'gone'> {
  try {
    const job = await attempts.getJob(id);
    return job === undefined ? 'gone' : toClaims(job.data);
  } catch (error) {
    // The data of the job is not valid JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
