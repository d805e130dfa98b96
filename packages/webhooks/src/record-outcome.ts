import type { Database, Transaction } from '@deal-signals/db/database';
import { alignDeliveries, disableEndpoint, lockEndpoint, type LockedEndpoint } from './endpoint-state.ts';
import { type AttemptResult, errorOf, type Outcome, outcomeOf } from './outcome.ts';
import { nextWaitMs } from './retry-schedule.ts';
import type { WebhookSettings } from './settings.ts';

/** A delivery whose attempt is under way. Whoever holds the token may write the outcome, and nobody else. */
export interface Claim {
  companyId: number;
  deliveryId: bigint;
  endpointId: number;
  claimToken: string;
  /** When the attempt began, by the database's clock. */
  startedAt: Date;
}

/** What recording an attempt came to. */
export type Recorded =
  | {
      written: true;
      outcome: Outcome;
      /** Which attempt of the present schedule it was, from 1. */
      attempt: number;
      error: string | null;
      /** Whether this attempt was the one that disabled the endpoint. */
      endpointDisabled: boolean;
    }
  /** The lease ran out meanwhile and the delivery is somebody else's: nothing was written. */
  | { written: false };

/** The parts of the settings that decide what follows a failure. */
export type OutcomeRules = Pick<WebhookSettings, 'retryScheduleMs' | 'maxAttempts' | 'disableAfter'>;

interface ClaimedDelivery {
  attempts: number;
  lastNumber: number;
}

/**
 * Writes what came of an attempt, in one transaction and only while the claim is still held: the attempt itself, the
 * delivery's new state, the endpoint's counters and, where they call for it, the end of the endpoint.
 */
export function recordOutcome(
  db: Database,
  rules: OutcomeRules,
  claim: Claim,
  result: AttemptResult,
): Promise<Recorded> {
  return db.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, claim.companyId, claim.endpointId);
    const delivery = await lockClaimedDelivery(tx, claim);
    if (endpoint === null || delivery === null) return { written: false };
    const outcome = outcomeOf(result);
    const error = errorOf(result);
    const attempt = delivery.attempts + 1;
    await tx.webhookAttempt.create({
      data: {
        deliveryId: claim.deliveryId,
        number: delivery.lastNumber + 1,
        startedAt: claim.startedAt,
        durationMs: result.durationMs,
        statusCode: result.kind === 'answered' ? result.status : null,
        error,
        responseExcerpt: result.kind === 'answered' ? result.excerpt : null,
      },
      select: { number: true },
    });
    await updateDelivery(tx, rules, claim, endpoint, attempt, result);
    await countAttempt(tx, claim, error);
    const reason = reasonToDisable(rules, endpoint, outcome);
    const endpointDisabled =
      reason !== null && (await disableEndpoint(tx, claim.companyId, claim.endpointId, reason));
    if (!endpointDisabled) await alignDeliveries(tx, claim.companyId, claim.endpointId, endpoint.enabled);
    return { written: true, outcome, attempt, error, endpointDisabled };
  });
}

async function lockClaimedDelivery(tx: Transaction, claim: Claim): Promise<ClaimedDelivery | null> {
  const [delivery] = await tx.$queryRaw<ClaimedDelivery[]>`
    SELECT attempts,
      (SELECT coalesce(max(number), 0) FROM webhook_attempts WHERE delivery_id = delivery.id) AS "lastNumber"
    FROM webhook_deliveries AS delivery
    WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}
      AND endpoint_id = ${claim.endpointId} AND claim_token = ${claim.claimToken}::uuid
    FOR NO KEY UPDATE`;
  return delivery ?? null;
}

async function updateDelivery(
  tx: Transaction,
  rules: OutcomeRules,
  claim: Claim,
  endpoint: LockedEndpoint,
  attempt: number,
  result: AttemptResult,
): Promise<void> {
  const outcome = outcomeOf(result);
  const isDead = outcome === 'gone' || (outcome === 'failed' && attempt >= rules.maxAttempts);
  const status = outcome === 'delivered' ? 'delivered' : isDead ? 'dead' : 'pending';
  // Without a wait the delivery is parked: its endpoint was disabled while the attempt was under way.
  const waitMs = status === 'pending' && endpoint.enabled ? nextWaitMs(rules.retryScheduleMs, attempt) : null;
  await tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = ${status}::delivery_status,
        attempts = ${attempt},
        next_attempt_at = clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond',
        delivered_at = CASE WHEN ${status} = 'delivered' THEN clock_timestamp() END,
        last_status_code = ${result.kind === 'answered' ? result.status : null}::int,
        last_error = ${errorOf(result)},
        ready = false,
        claim_token = NULL,
        lease_expires_at = NULL
    WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}`;
}

/** Any attempt of any delivery counts: a success wipes out the failures before it. */
async function countAttempt(tx: Transaction, claim: Claim, error: string | null): Promise<void> {
  if (error === null) {
    await tx.$executeRaw`
      UPDATE webhook_endpoints
      SET consecutive_failures = 0, last_success_at = clock_timestamp()
      WHERE company_id = ${claim.companyId} AND id = ${claim.endpointId}`;
  } else {
    await tx.$executeRaw`
      UPDATE webhook_endpoints
      SET consecutive_failures = consecutive_failures + 1, last_error_at = clock_timestamp(), last_error = ${error}
      WHERE company_id = ${claim.companyId} AND id = ${claim.endpointId}`;
  }
}

/** Why the endpoint has to be disabled after this attempt; null when it may go on. */
function reasonToDisable(rules: OutcomeRules, endpoint: LockedEndpoint, outcome: Outcome): string | null {
  if (outcome === 'gone') return 'the receiver answered 410 Gone';
  const failures = endpoint.consecutiveFailures + 1;
  // Not "exactly": attempts of one endpoint end side by side, and the limit may have been lowered since.
  if (outcome === 'failed' && failures >= rules.disableAfter)
    return `${failures} consecutive failed attempts`;
  return null;
}
