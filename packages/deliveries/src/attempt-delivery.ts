import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { AttemptMetrics } from './attempt-metrics.ts';
import { deliveryHeaders } from '@deal-signals/sending/delivery-headers';
import { checkEndpointUrl } from '@deal-signals/sending/endpoint-url';
import type { Sender, SendResult } from '@deal-signals/sending/guarded-send';
import type { AttemptResult } from './outcome.ts';
import { type Claim, type Recorded, recordOutcome } from './record-outcome.ts';
import type { WebhookSettings } from './settings.ts';
import { decryptSigningSecret } from '@deal-signals/sending/signing-secret';
import { createTurns } from './turns.ts';

/** What an attempt works with. */
export interface AttemptContext {
  db: Database;
  sender: Sender;
  settings: WebhookSettings;
  logger: Logger;
  metrics: AttemptMetrics;
}

/** A claim whose attempt has begun, with the event it carries and the endpoint as it was at that moment. */
export interface BegunClaim extends Claim {
  eventId: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  url: string;
  secretCiphertext: Uint8Array;
}

const RECORD_RETRY_MS = 1_000;

/**
 * Outcomes of one endpoint follow one another in the database anyway, because each locks the endpoint's row. Waiting for
 * that there, a connection each, a row that somebody holds would take the whole pool away from all other endpoints.
 */
const inTurn = createTurns();

/**
 * Makes one attempt: signs with the secret of this moment, sends, records what came of it, and leaves one line in the log.
 * The worker's deliveries and the API's test events both go through here.
 *
 * Whatever the receiver does is an outcome. An exception is a fault of ours, such as a database that is gone: nothing is
 * recorded then, and the claim falls back when its lease runs out.
 *
 * @param requestId of the API request that asked for the attempt, for the log.
 * @returns what was recorded; null when the sender was closed meanwhile: that is not an attempt, and the claim is still
 *   held.
 */
export async function makeAttempt(
  context: AttemptContext,
  claim: BegunClaim,
  requestId?: string,
): Promise<Recorded | null> {
  const begunAtMs = performance.now();
  const facts = { ...(requestId !== undefined && { requestId }), ...describeClaim(claim) };
  const result = await send(context, claim);
  if (result.kind === 'interrupted') {
    context.logger.info('attempt', { ...facts, outcome: 'interrupted' });
    return null;
  }
  try {
    const recorded = await record(context, claim, result, begunAtMs);
    context.metrics.observe(result, recorded);
    // The URL is left out: its query may hold a secret of the receiver.
    context.logger.info('attempt', { ...facts, ...describeOutcome(result, recorded) });
    return recorded;
  } catch (error) {
    // The receiver has had its request all the same, so there is a line about it.
    const notWritten = { written: false } as const;
    context.metrics.observe(result, notWritten);
    context.logger.error('attempt', {
      ...facts,
      ...describeOutcome(result, notWritten),
      ...describeError(error),
    });
    throw error;
  }
}

/** The log fields that name a delivery; the same in every line about one. */
export function describeClaim(claim: BegunClaim): Record<string, string | number> {
  return {
    deliveryId: String(claim.deliveryId),
    eventId: claim.eventId,
    eventType: claim.eventType,
    companyId: claim.companyId,
    endpointId: claim.endpointId,
    attempt: claim.attempt,
  };
}

function send({ sender, settings }: AttemptContext, claim: BegunClaim): Promise<SendResult> | SendResult {
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
  { db, settings, logger }: AttemptContext,
  claim: BegunClaim,
  result: AttemptResult,
  begunAtMs: number,
): Promise<Recorded> {
  for (;;) {
    try {
      const key = `${claim.companyId}:${claim.endpointId}`;
      return await inTurn(key, () => recordOutcome(db, settings, claim, result));
    } catch (error) {
      const elapsedMs = performance.now() - begunAtMs;
      if (elapsedMs + RECORD_RETRY_MS >= settings.leaseMs) throw error;
      logger.warn('outcome not recorded yet', { ...describeClaim(claim), ...describeError(error) });
      await sleep(RECORD_RETRY_MS);
    }
  }
}

function describeOutcome(result: AttemptResult, recorded: Recorded): Record<string, unknown> {
  return {
    ...(recorded.written
      ? { outcome: recorded.outcome, deliveryStatus: recorded.status, error: recorded.error }
      : { outcome: 'lost', error: null }),
    statusCode: result.kind === 'answered' ? result.status : null,
    durationMs: result.durationMs,
    ...(recorded.written && recorded.endpointDisabled && { endpointDisabled: true }),
  };
}
