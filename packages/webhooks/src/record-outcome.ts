import type { Database, Transaction } from '@deal-signals/db/database';
import { alignDeliveries, disableEndpoint, lockEndpoint } from './endpoint-state.ts';
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
  /** Which attempt of the present schedule it is, from 1. */
  attempt: number;
  /** Which attempt of the delivery it is, over all its schedules, from 1. */
  attemptNumber: number;
}

/** What recording an attempt came to. */
export type Recorded =
  | {
      written: true;
      outcome: Outcome;
      error: string | null;
      /** Whether this attempt was the one that disabled the endpoint. */
      endpointDisabled: boolean;
    }
  /** The lease ran out meanwhile and the delivery is somebody else's: nothing was written. */
  | { written: false };

/** The parts of the settings that decide what follows a failure. */
export type OutcomeRules = Pick<WebhookSettings, 'retryScheduleMs' | 'maxAttempts' | 'disableAfter'>;

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
  const { companyId, endpointId } = claim;
  const outcome = outcomeOf(result);
  const error = errorOf(result);
  return db.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, companyId, endpointId);
    if (endpoint === null) return { written: false };
    const failures = await writeAttempt(tx, rules, claim, result, endpoint.enabled);
    if (failures === null) return { written: false };
    const reason = reasonToDisable(rules, outcome, failures);
    const endpointDisabled = reason !== null && (await disableEndpoint(tx, companyId, endpointId, reason));
    if (!endpointDisabled && endpoint.hasStragglers) {
      await alignDeliveries(tx, companyId, endpointId, endpoint.enabled);
    }
    return { written: true, outcome, error, endpointDisabled };
  });
}

/**
 * Writes the three rows of an attempt.
 * @returns the endpoint's failures in a row, this attempt included; null when the claim is no longer held.
 */
async function writeAttempt(
  tx: Transaction,
  rules: OutcomeRules,
  claim: Claim,
  result: AttemptResult,
  endpointEnabled: boolean,
): Promise<number | null> {
  const status = statusAfter(rules, claim, outcomeOf(result));
  // Without a wait the delivery is parked: its endpoint was disabled while the attempt was under way.
  const waitMs =
    status === 'pending' && endpointEnabled ? nextWaitMs(rules.retryScheduleMs, claim.attempt) : null;
  const isDelivered = status === 'delivered';
  const error = errorOf(result);
  const statusCode = result.kind === 'answered' ? result.status : null;
  const excerpt = result.kind === 'answered' ? result.excerpt : null;
  const [endpoint] = await tx.$queryRaw<{ failures: number }[]>`
    WITH delivery AS (
      UPDATE webhook_deliveries
      SET status = ${status}::delivery_status,
          attempts = ${claim.attempt}::int,
          next_attempt_at = clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond',
          delivered_at = CASE WHEN ${isDelivered} THEN clock_timestamp() END,
          last_status_code = ${statusCode}::int,
          last_error = ${error}::text,
          ready = false,
          claim_token = NULL,
          lease_expires_at = NULL
      WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}
        AND endpoint_id = ${claim.endpointId} AND claim_token = ${claim.claimToken}::uuid
      RETURNING company_id, id, endpoint_id
    ), attempt AS (
      INSERT INTO webhook_attempts
        (delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
      SELECT id, ${claim.attemptNumber}::int, ${claim.startedAt}::timestamptz, ${result.durationMs}::int,
        ${statusCode}::int, ${error}::text, ${excerpt}::text
      FROM delivery
    )
    UPDATE webhook_endpoints AS endpoint
    SET consecutive_failures = CASE WHEN ${isDelivered} THEN 0 ELSE consecutive_failures + 1 END,
        last_success_at = CASE WHEN ${isDelivered} THEN clock_timestamp() ELSE last_success_at END,
        last_error_at = CASE WHEN ${isDelivered} THEN last_error_at ELSE clock_timestamp() END,
        last_error = coalesce(${error}::text, last_error)
    FROM delivery
    WHERE endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING endpoint.consecutive_failures AS failures`;
  return endpoint?.failures ?? null;
}

function statusAfter(rules: OutcomeRules, claim: Claim, outcome: Outcome): 'delivered' | 'dead' | 'pending' {
  if (outcome === 'delivered') return 'delivered';
  return outcome === 'gone' || claim.attempt >= rules.maxAttempts ? 'dead' : 'pending';
}

/** Why the endpoint has to be disabled after this attempt; null when it may go on. */
function reasonToDisable(rules: OutcomeRules, outcome: Outcome, failures: number): string | null {
  if (outcome === 'gone') return 'the receiver answered 410 Gone';
  // Not "exactly": attempts of one endpoint end side by side, and the limit may have been lowered since.
  return failures >= rules.disableAfter ? `${failures} consecutive failed attempts` : null;
}
