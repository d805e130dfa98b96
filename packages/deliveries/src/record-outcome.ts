import type { Database, Transaction } from '@deal-signals/db/database';
import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import { disableEndpoint, type EndpointState, lockEndpoint } from './endpoint-state.ts';
import type { EventType } from '@deal-signals/outbox/event-types';
import { type AttemptResult, errorOf, type Outcome, outcomeOf } from './outcome.ts';
import { nextWaitMs } from './retry-schedule.ts';
import type { WebhookSettings } from './settings.ts';

/** A delivery whose attempt is under way. Whoever holds the token may write the outcome, and nobody else. */
export interface Claim {
  companyId: number;
  deliveryId: bigint;
  endpointId: number;
  eventType: string;
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
      /** What the delivery is now. */
      status: DeliveryStatus;
      /** Whether this attempt was the one that disabled the endpoint. */
      endpointDisabled: boolean;
    }
  /** The lease ran out meanwhile and the delivery is somebody else's: nothing was written. */
  | { written: false };

/** The parts of the settings that decide what follows a failure. */
export type OutcomeRules = Pick<WebhookSettings, 'retryScheduleMs' | 'maxAttempts' | 'disableAfter'>;

/** A test is told its outcome at once, so it is not tried again, and its failure says nothing of the real deliveries. */
const PING = 'integration.ping' satisfies EventType;

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
    const state = await lockEndpoint(tx, companyId, endpointId);
    const row = state === null ? null : await writeAttempt(tx, rules, claim, result, state);
    if (row === null) return { written: false };
    const reason = reasonToDisable(rules, claim, outcome, row.failures);
    const endpointDisabled = reason !== null && (await disableEndpoint(tx, companyId, endpointId, reason));
    return { written: true, outcome, error, status: row.status, endpointDisabled };
  });
}

/**
 * Writes the three rows of an attempt.
 *
 * A failure is followed by the next wait, or by nothing when the attempts are used up. Two things overrule that: what an
 * admin has asked for while the attempt was under way is due at once, even beyond the last attempt; and before that, what
 * is not to be sent again (410, a test event, a removed endpoint) is dead, and the rest is parked while the endpoint is
 * disabled.
 *
 * @returns the delivery's new status and the endpoint's failures in a row, this attempt included; null when the claim is
 *   no longer held.
 */
async function writeAttempt(
  tx: Transaction,
  rules: OutcomeRules,
  claim: Claim,
  result: AttemptResult,
  endpointState: EndpointState,
): Promise<{ status: DeliveryStatus; failures: number } | null> {
  const outcome = outcomeOf(result);
  const isDelivered = outcome === 'delivered';
  const isPing = claim.eventType === PING;
  const isOver = outcome === 'gone' || isPing || endpointState === 'removed';
  const isLast = claim.attempt >= rules.maxAttempts;
  const waitMs = nextWaitMs(rules.retryScheduleMs, claim.attempt);
  const error = errorOf(result);
  const statusCode = result.kind === 'answered' ? result.status : null;
  const excerpt = result.kind === 'answered' ? result.excerpt : null;
  const [row] = await tx.$queryRaw<{ status: DeliveryStatus; failures: number }[]>`
    WITH held AS (
      SELECT company_id, id,
        CASE WHEN ${isDelivered} THEN 'delivered'
             WHEN ${isOver} OR (${isLast} AND NOT retry_requested) THEN 'dead'
             ELSE 'pending' END::delivery_status AS status,
        CASE WHEN retry_requested THEN 0 ELSE ${waitMs}::float8 END AS wait_ms
      FROM webhook_deliveries
      WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}
        AND endpoint_id = ${claim.endpointId} AND claim_token = ${claim.claimToken}::uuid
      FOR NO KEY UPDATE
    ), delivery AS (
      UPDATE webhook_deliveries AS delivery
      SET status = held.status,
          attempts = ${claim.attempt}::int,
          next_attempt_at = CASE WHEN held.status = 'pending' AND ${endpointState === 'enabled'}
            THEN clock_timestamp() + held.wait_ms * interval '1 millisecond' END,
          delivered_at = CASE WHEN ${isDelivered} THEN clock_timestamp() END,
          last_status_code = ${statusCode}::int,
          last_error = ${error}::text,
          ready = false,
          claim_token = NULL,
          lease_expires_at = NULL,
          retry_requested = false
      FROM held
      WHERE delivery.company_id = held.company_id AND delivery.id = held.id
      RETURNING delivery.company_id, delivery.id, delivery.endpoint_id, delivery.status
    ), attempt AS (
      INSERT INTO webhook_attempts
        (delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
      SELECT id, ${claim.attemptNumber}::int, ${claim.startedAt}::timestamptz, ${result.durationMs}::int,
        ${statusCode}::int, ${error}::text, ${excerpt}::text
      FROM delivery
    )
    UPDATE webhook_endpoints AS endpoint
    SET consecutive_failures = CASE WHEN ${isDelivered} THEN 0
                                    WHEN ${isPing} THEN consecutive_failures
                                    ELSE consecutive_failures + 1 END,
        last_success_at = CASE WHEN ${isDelivered} THEN clock_timestamp() ELSE last_success_at END,
        last_error_at = CASE WHEN ${isDelivered} THEN last_error_at ELSE clock_timestamp() END,
        last_error = coalesce(${error}::text, last_error)
    FROM delivery
    WHERE endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING delivery.status, endpoint.consecutive_failures AS failures`;
  return row ?? null;
}

/** Why the endpoint has to be disabled after this attempt; null when it may go on. */
function reasonToDisable(
  rules: OutcomeRules,
  claim: Claim,
  outcome: Outcome,
  failures: number,
): string | null {
  if (outcome === 'gone') return 'the receiver answered 410 Gone';
  if (claim.eventType === PING) return null;
  // Not "exactly": attempts of one endpoint end side by side, and the limit may have been lowered since.
  return failures >= rules.disableAfter ? `${failures} consecutive failed attempts` : null;
}
