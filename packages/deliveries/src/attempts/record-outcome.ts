import type { Database, Transaction } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { announceDisabling } from '../endpoints/announce-disabling.ts';
import { auditDisabling, type DisablingReason } from '../endpoints/audit-disabling.ts';
import { disableEndpoint, verifyEndpoint } from '../endpoints/change-state.ts';
import { type EndpointState, lockEndpoint } from '../endpoints/endpoint-state.ts';
import type { Attempt } from './begin-attempt.ts';
import { countAttempts } from './count-attempts.ts';
import {
  type AttemptResult,
  errorOfResponse,
  type Outcome,
  outcomeOf,
  type OutcomeRules,
  PING,
  type Recorded,
} from './outcome.ts';
import { nextWaitMs } from './retry-schedule.ts';
import { originOf, shownError } from './shown-error.ts';

/**
 * Records the outcome of an attempt in one transaction, and only while the claim is still held: the attempt itself, the
 * delivery's new state, the endpoint's counters and counts and, if they call for it, the disabling of the endpoint with its audit
 * record and the event that tells the other endpoints.
 *
 * That record and that event need the feed clock, which must be taken before the lock of the endpoint. Hardly any outcome
 * disables an endpoint, so the first try does not take it. If it finds that the endpoint must be disabled, it rolls back, and
 * a second try begins with the clock.
 */
export async function recordOutcome(
  db: Database,
  rules: OutcomeRules,
  attempt: Attempt,
  result: AttemptResult,
): Promise<Recorded> {
  try {
    return await db.$transaction((tx) => record(tx, rules, attempt, result, null));
  } catch (error) {
    if (!(error instanceof FeedClockNeeded)) throw error;
  }
  return inFeedTransaction(db, attempt.companyId, (feed) => record(feed.tx, rules, attempt, result, feed));
}

/** Rolls back a transaction that has to begin with the feed clock. */
class FeedClockNeeded extends Error {}

/** @param feed the transaction, if it holds the feed clock. */
async function record(
  tx: Transaction,
  rules: OutcomeRules,
  attempt: Attempt,
  result: AttemptResult,
  feed: FeedTransaction | null,
): Promise<Recorded> {
  const { companyId, endpointId } = attempt;
  const outcome = outcomeOf(result);
  const state = await lockEndpoint(tx, companyId, endpointId);
  const error = await errorOf(tx, attempt, result);
  const row = state === null ? null : await writeAttempt(tx, rules, attempt, result, error, state);
  if (row === null) return { written: false };
  if (outcome === 'delivered' && attempt.eventType === PING) {
    await verifyEndpoint(tx, companyId, endpointId, attempt.url);
  }
  const reason = row.isEnabled ? reasonToDisable(rules, attempt, outcome, row) : null;
  if (reason !== null) {
    if (feed === null) throw new FeedClockNeeded();
    const disabledReason = reasonText(reason, row.failures);
    const disabling = { reason, disabledReason, consecutiveFailures: row.failures };
    await disableEndpoint(tx, companyId, endpointId, disabledReason);
    await auditDisabling(feed, endpointId, disabling);
    await announceDisabling(feed, endpointId, disabling);
  }
  return {
    written: true,
    outcome,
    error,
    status: row.status,
    endpointDisabled: reason !== null,
  };
}

/** What an attempt leaves behind. */
interface Written {
  /** The delivery's new status. */
  status: DeliveryStatus;
  /** Whether the endpoint's owner has it enabled. */
  isEnabled: boolean;
  /** The endpoint's consecutive failures, this attempt included. */
  failures: number;
  /** Since when they have lasted, in milliseconds. */
  failingForMs: number;
}

/**
 * Writes the rows of an attempt: its own, those of its delivery and its endpoint, and the counts of the endpoint.
 *
 * After a failure the delivery waits as the schedule says, or is dead once the attempts are used up. Exceptions:
 * - A 410, a failed test event and a failure at a removed endpoint are final: the delivery is dead.
 * - A retry that an admin requested during the attempt is due at once, even after the last attempt of the schedule.
 * - While the endpoint is disabled, what would be pending is parked.
 *
 * A refusal of ours leaves the endpoint's failures as they are.
 *
 * @returns null if the claim is no longer held.
 */
async function writeAttempt(
  tx: Transaction,
  rules: OutcomeRules,
  attempt: Attempt,
  result: AttemptResult,
  error: string | null,
  endpointState: EndpointState,
): Promise<Written | null> {
  const outcome = outcomeOf(result);
  const isDelivered = outcome === 'delivered';
  const isPing = attempt.eventType === PING;
  const isCounted = outcome !== 'refused' && !isPing;
  const isOver = outcome === 'gone' || isPing || endpointState === 'removed';
  const isLast = attempt.attemptInSchedule >= rules.maxAttempts;
  const waitMs = nextWaitMs(rules.retryScheduleMs, attempt.attemptInSchedule);
  const statusCode = result.kind === 'responded' ? result.status : null;
  const excerpt = result.kind === 'responded' ? result.excerpt : null;
  const [row] = await tx.$queryRaw<Written[]>`
    WITH held AS (
      SELECT company_id, id,
        CASE WHEN ${isDelivered} THEN 'delivered'
             WHEN ${isOver} OR (${isLast} AND NOT retry_requested) THEN 'dead'
             ELSE 'pending' END::delivery_status AS status,
        CASE WHEN retry_requested THEN 0 ELSE ${waitMs}::float8 END AS wait_ms
      FROM webhook_deliveries
      WHERE company_id = ${attempt.companyId} AND id = ${attempt.deliveryId}
        AND endpoint_id = ${attempt.endpointId} AND claim_token = ${attempt.claimToken}::uuid
      FOR NO KEY UPDATE
    ), delivery AS (
      UPDATE webhook_deliveries AS delivery
      SET status = held.status,
          attempts = ${attempt.attemptInSchedule}::int,
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
        (company_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt, traceparent)
      SELECT company_id, id, ${attempt.attemptNumber}::int, ${attempt.startedAt}::timestamptz, ${result.durationMs}::int,
        ${statusCode}::int, ${error}::text, ${excerpt}::text, ${attempt.traceparent}::text
      FROM delivery
    ), counts AS (
      ${countAttempts(Prisma.sql`
        SELECT company_id, endpoint_id, ${attempt.startedAt}::timestamptz AS started_at, ${outcome}::text AS outcome,
          status, ${result.durationMs}::int AS duration_ms
        FROM delivery WHERE NOT ${isPing}::boolean`)}
    )
    UPDATE webhook_endpoints AS endpoint
    SET consecutive_failures = CASE WHEN ${isDelivered} THEN 0
                                    WHEN ${isCounted} THEN consecutive_failures + 1
                                    ELSE consecutive_failures END,
        failing_since = CASE WHEN ${isDelivered} THEN NULL
                             WHEN ${isCounted} AND (consecutive_failures = 0 OR failing_since IS NULL)
                               THEN clock_timestamp()
                             ELSE failing_since END,
        last_success_at = CASE WHEN ${isDelivered} THEN clock_timestamp() ELSE last_success_at END,
        last_error_at = CASE WHEN ${isDelivered} THEN last_error_at ELSE clock_timestamp() END,
        last_error = coalesce(${error}::text, last_error),
        responded_origin = CASE WHEN ${statusCode}::int IS NULL THEN responded_origin ELSE ${originOf(attempt.url)} END
    FROM delivery
    WHERE endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING delivery.status, endpoint.enabled AS "isEnabled", endpoint.consecutive_failures AS failures,
      -- The column is rounded to milliseconds, so it may lie a moment ahead.
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - endpoint.failing_since))::float8 AS "failingForMs"`;
  return row ?? null;
}

/** Why the endpoint must be disabled after this attempt; null if it stays enabled. */
function reasonToDisable(
  rules: OutcomeRules,
  attempt: Attempt,
  outcome: Outcome,
  { failures, failingForMs }: Written,
): DisablingReason | null {
  if (outcome === 'gone') return 'gone';
  if (outcome !== 'failed' || attempt.eventType === PING) return null;
  // At least, not exactly: attempts of one endpoint end concurrently, and the limit may have been lowered.
  return failures >= rules.disableAfter && failingForMs >= rules.disableMinOutageMs ? 'failures' : null;
}

/** The reason in the words that the endpoint's owner reads. */
function reasonText(reason: DisablingReason, failures: number): string {
  return reason === 'gone'
    ? 'the receiver responded with 410 Gone'
    : `${failures} consecutive failed attempts`;
}

/** Why an attempt failed, in a few words that admins may read; null if it succeeded. */
async function errorOf(tx: Transaction, attempt: Attempt, result: AttemptResult): Promise<string | null> {
  if (result.kind !== 'responded') return shownError(tx, attempt, result);
  return errorOfResponse(result.status, outcomeOf(result));
}
