import type { Database } from '@deal-signals/db/database';
import type { BeginAttempt } from '@deal-signals/deliveries/attempts/begin-attempt';
import {
  type AttemptContext,
  attemptFacts,
  sendAndRecord,
} from '@deal-signals/deliveries/attempts/send-and-record';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import { releaseClaims } from '@deal-signals/deliveries/claims/release-claims';

/** The dependencies of an attempt. */
export interface RunContext extends AttemptContext {
  db: Database;
  begin: BeginAttempt;
  /** Reports whether the process is shutting down, so that nothing new may begin. */
  isDraining: () => boolean;
}

/**
 * Makes the attempt of a claim, from its beginning to the recorded outcome.
 *
 * @throws errors on our side. The delivery becomes due again when the claim's lease ends.
 */
export async function runAttempt(context: RunContext, claim: Claim): Promise<void> {
  const { db, begin, logger } = context;
  if (context.isDraining()) {
    await releaseClaims(db, [claim]);
    return;
  }
  const beginning = await begin(claim);
  if (beginning.kind === 'stale') {
    logger.debug('stale claim skipped', { deliveryId: String(claim.deliveryId), companyId: claim.companyId });
    return;
  }
  const { kind, attempt } = beginning;
  if (kind !== 'begun') {
    logger.info('attempt', { ...attemptFacts(attempt), outcome: kind });
    return;
  }
  const recorded = await sendAndRecord(context, attempt);
  if (recorded === null) await releaseClaims(db, [attempt]);
}
