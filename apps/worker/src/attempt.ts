import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { deliveryHeaders } from '@deal-signals/webhooks/delivery-headers';
import { checkEndpointUrl } from '@deal-signals/webhooks/endpoint-url';
import type { Sender, SendResult } from '@deal-signals/webhooks/guarded-send';
import type { AttemptResult } from '@deal-signals/webhooks/outcome';
import { type Recorded, recordOutcome } from '@deal-signals/webhooks/record-outcome';
import type { WebhookSettings } from '@deal-signals/webhooks/settings';
import { decryptSigningSecret } from '@deal-signals/webhooks/signing-secret';
import { beginAttempt, type BegunClaim, parkIfDisabled, type QueuedClaim, release } from './claims.ts';

/** What an attempt works with. */
export interface AttemptContext {
  db: Database;
  sender: Sender;
  settings: WebhookSettings;
  leaseMs: number;
  logger: Logger;
  /** Whether the process is about to end, so that nothing new may begin. */
  isDraining: () => boolean;
}

const RECORD_RETRY_MS = 1_000;

/**
 * One job: one attempt of one delivery, from the claim to the record of its outcome.
 *
 * Whatever the receiver does is an outcome. An exception is a fault of ours, such as a database that is gone: nothing is
 * recorded then, and the claim falls back when its lease runs out.
 */
export async function attempt(context: AttemptContext, queued: QueuedClaim): Promise<void> {
  const { db, logger, leaseMs } = context;
  if (context.isDraining()) {
    await release(db, [queued]);
    return;
  }
  const begunAtMs = performance.now();
  const claim = await beginAttempt(db, queued, leaseMs);
  if (claim === null) {
    logger.debug('stale job', { deliveryId: String(queued.deliveryId), companyId: queued.companyId });
    return;
  }
  if (!claim.enabled) {
    // Enabled again in between: the next tick takes it up.
    const parked = await parkIfDisabled(db, claim);
    if (!parked) await release(db, [claim]);
    logger.info('attempt', { ...nameOf(claim), outcome: parked ? 'parked' : 'released' });
    return;
  }
  const result = await send(context, claim);
  if (result.kind === 'interrupted') {
    await release(db, [claim]);
    logger.info('attempt', { ...nameOf(claim), outcome: 'interrupted' });
    return;
  }
  const recorded = await record(context, claim, result, begunAtMs);
  logAttempt(logger, claim, result, recorded);
}

/** Signs with the secret of this moment and sends. */
function send(context: AttemptContext, claim: BegunClaim): Promise<SendResult> | SendResult {
  const { sender, settings } = context;
  const check = checkEndpointUrl(claim.url, settings.allowedPrivateHosts);
  if (!check.ok) return { kind: 'failed', error: `the URL ${check.reason}`, durationMs: 0 };
  const secret = decryptSigningSecret(settings.secretsKey, claim.companyId, claim.secretCiphertext);
  const headers = deliveryHeaders({ ...claim, secret, at: new Date() });
  return sender.send({ url: check.url, body: claim.body, headers });
}

/**
 * Records the outcome, again and again while the lease is likely to last: a receiver that has taken the event should not
 * get it twice because the database was away for a moment.
 */
async function record(
  context: AttemptContext,
  claim: BegunClaim,
  result: AttemptResult,
  begunAtMs: number,
): Promise<Recorded> {
  const { db, settings, leaseMs, logger } = context;
  for (;;) {
    try {
      return await recordOutcome(db, settings, claim, result);
    } catch (error) {
      const elapsedMs = performance.now() - begunAtMs;
      if (elapsedMs + RECORD_RETRY_MS >= leaseMs) throw error;
      logger.warn('outcome not recorded yet', { ...nameOf(claim), ...describeError(error) });
      await sleep(RECORD_RETRY_MS);
    }
  }
}

/** The one line that tells of an attempt. The URL is left out: its query may hold a secret of the receiver. */
function logAttempt(logger: Logger, claim: BegunClaim, result: AttemptResult, recorded: Recorded): void {
  logger.info('attempt', {
    ...nameOf(claim),
    attempt: claim.attempt,
    ...(recorded.written
      ? { outcome: recorded.outcome, error: recorded.error }
      : { outcome: 'claim lost', error: null }),
    statusCode: result.kind === 'answered' ? result.status : null,
    durationMs: result.durationMs,
    ...(recorded.written && recorded.endpointDisabled && { endpointDisabled: true }),
  });
}

function nameOf(claim: BegunClaim): Record<string, string | number> {
  return {
    deliveryId: String(claim.deliveryId),
    eventId: claim.eventId,
    eventType: claim.eventType,
    companyId: claim.companyId,
    endpointId: claim.endpointId,
  };
}
