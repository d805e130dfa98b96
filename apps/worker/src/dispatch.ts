import type { Database } from '@deal-signals/db/database';
import type { Logger } from '@deal-signals/runtime/logger';
import type { Queue } from 'bullmq';
import { claimReady, markDue, release } from './claims.ts';
import { toAttemptJob } from './queue.ts';

/** What a tick works with. */
export interface DispatchContext {
  db: Database;
  attempts: Queue;
  logger: Logger;
  /** Most deliveries that a tick sends off. */
  batch: number;
  leaseMs: number;
}

/**
 * One tick: what is due becomes ready, and the first of the ready deliveries become one job each.
 *
 * It fills the queue up to a batch, counting the jobs that still wait there: when attempts are slower than ticks, claims
 * would only pile up in the queue and outlive their leases, while the order of the ready queue would be lost.
 */
export async function dispatch(context: DispatchContext): Promise<void> {
  const { db, attempts, logger, batch, leaseMs } = context;
  const due = await markDue(db);
  const room = batch - (await attempts.getWaitingCount());
  const claims = room > 0 ? await claimReady(db, room, leaseMs) : [];
  if (claims.length > 0) {
    try {
      await attempts.addBulk(claims.map(toAttemptJob));
    } catch (error) {
      // A job that did get through is harmless: whichever comes first, the release or its attempt, makes the other void.
      await release(db, claims);
      throw error;
    }
  }
  logger.log(claims.length > 0 ? 'info' : 'debug', 'dispatched', { due, claimed: claims.length });
}
