import type { Database } from '@deal-signals/db/database';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { settleEndpoints } from '@deal-signals/deliveries/endpoints/settle';
import type { Queue } from 'bullmq';
import { claimReady, type ClaimLimits } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { toAttemptJob } from '../queues.ts';

/** What a tick works with. */
export interface DispatchContext {
  db: Database;
  attempts: Queue;
  logger: Logger;
  limits: ClaimLimits;
}

/**
 * One tick: what is due becomes ready, what endpoints have left behind follows them, and the first of the ready
 * deliveries become one job each.
 *
 * It fills the queue up to a batch, counting the jobs that still wait there: when attempts are slower than ticks, claims
 * would only pile up in the queue and outlive their leases, while the order of the ready queue would be lost.
 */
export async function dispatch(context: DispatchContext): Promise<void> {
  const { db, attempts, logger, limits } = context;
  const due = await markDue(db);
  const settled = await settleEndpoints(db, (error, endpoint) =>
    logger.error('endpoint not settled', { ...endpoint, ...describeError(error) }),
  );
  const room = limits.batch - (await attempts.getWaitingCount());
  const claims = room > 0 ? await claimReady(db, { ...limits, batch: room }) : [];
  if (claims.length > 0) {
    try {
      await attempts.addBulk(claims.map(toAttemptJob));
    } catch (error) {
      // A job that did get through is harmless: whichever comes first, the release or its attempt, makes the other void.
      await releaseClaims(db, claims);
      throw error;
    }
  }
  const isNews = claims.length > 0 || settled > 0;
  logger.log(isNews ? 'info' : 'debug', 'dispatched', { due, settled, claimed: claims.length });
}
