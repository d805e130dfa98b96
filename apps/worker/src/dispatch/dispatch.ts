import type { Database } from '@deal-signals/db/database';
import { claimReady, type ClaimLimits } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { requeueWorkspaces } from '@deal-signals/deliveries/claims/ready-workspaces';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';
import { settleEndpoints } from '@deal-signals/deliveries/endpoints/settle';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { Queue } from 'bullmq';
import { toAttemptJob } from '../queues.ts';

/** What a tick needs. */
export interface DispatchContext {
  db: Database;
  attempts: Queue;
  logger: Logger;
  limits: ClaimLimits;
}

/**
 * Runs one tick: deliveries that are due become ready, endpoints that are still settling move another part of their
 * deliveries, and the first deliveries of the ready queue are claimed and become one job each.
 *
 * A tick fills the attempt queue up to one batch, including the jobs that already wait there. If it claimed more while
 * attempts are slower than ticks, claims would pile up in the queue and outlive their leases.
 */
export async function dispatch(context: DispatchContext): Promise<void> {
  const { db, attempts, logger, limits } = context;
  const due = await markDue(db);
  const settled = await settleEndpoints(db, (error, endpoint) =>
    logger.error('endpoint not settled', { ...endpoint, ...describeError(error) }),
  );
  const room = limits.batch - (await attempts.getWaitingCount());
  const { claims, workspaces } =
    room > 0 ? await claimReady(db, { ...limits, batch: room }) : { claims: [], workspaces: [] };
  if (claims.length > 0) {
    try {
      await attempts.addBulk(claims.map(toAttemptJob));
    } catch (error) {
      // A job that was added nevertheless is harmless: either the release or the attempt comes first and voids the other.
      await releaseClaims(db, claims);
      throw error;
    }
  }
  await db.$transaction((tx) => requeueWorkspaces(tx, workspaces));
  const isNews = claims.length > 0 || settled > 0;
  logger.log(isNews ? 'info' : 'debug', 'dispatched', { due, settled, claimed: claims.length });
}
