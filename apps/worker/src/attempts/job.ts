import { type AttemptContext, describeClaim, makeAttempt } from '@deal-signals/deliveries/attempt-delivery';
import { beginAttempt, type QueuedClaim, release, withdraw } from '@deal-signals/deliveries/claims';

/** What a job works with. */
export interface JobContext extends AttemptContext {
  /** Whether the process is about to end, so that nothing new may begin. */
  isDraining: () => boolean;
}

/**
 * One job: one attempt of one delivery, from the claim to the record of its outcome.
 *
 * An exception is a fault of ours: the claim falls back when its lease runs out.
 */
export async function attempt(context: JobContext, queued: QueuedClaim): Promise<void> {
  const { db, logger, settings } = context;
  if (context.isDraining()) {
    await release(db, [queued]);
    return;
  }
  const claim = await beginAttempt(db, queued, settings.leaseMs);
  if (claim === null) {
    logger.debug('stale job', { deliveryId: String(queued.deliveryId), companyId: queued.companyId });
    return;
  }
  if (!claim.endpointEnabled) {
    const withdrawn = await withdraw(db, claim);
    // Enabled again in between: the next tick takes it up.
    if (withdrawn === null) await release(db, [claim]);
    logger.info('attempt', { ...describeClaim(claim), outcome: withdrawn ?? 'released' });
    return;
  }
  const recorded = await makeAttempt(context, claim);
  if (recorded === null) await release(db, [claim]);
}
