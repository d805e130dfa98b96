import type { Queryable } from '@deal-signals/db/queryable';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { NO_RESPONSE } from '@deal-signals/sending/guard/send-error';
import { insertAlerts } from '../alerts/insert-alerts.ts';
import { levelReached } from '../alerts/levels.ts';
import { OPEN } from '../endpoints/endpoint-state.ts';
import { hasKey } from '../queue-key.ts';
import type { Attempt } from './begin-attempt.ts';
import { countAttempts } from './count-attempts.ts';
import { type AttemptResult, describeResponse, classifyResult, type OutcomeRules } from './outcome.ts';
import { nextWaitMs } from './retry-schedule.ts';
import { hasResponded, toOrigin } from './redacted-error.ts';

/**
 * How much longer than the schedule an endpoint with `honorRetryAfter` can make a delivery wait, in milliseconds: a receiver that asks
 * for days would otherwise keep a delivery pending for ever.
 */
const MAX_EXTRA_WAIT_MS = 2 * 3_600_000;

/** An attempt that has ended. */
export interface EndedAttempt {
  attempt: Attempt;
  result: AttemptResult;
}

/** The written outcome of an attempt. */
export interface WrittenOutcome {
  /** Its index in the list of attempts. */
  index: number;
  /** The delivery's new status. */
  status: DeliveryStatus;
  /** Why it failed, redacted for admins; null if it succeeded. */
  error: string | null;
}

/** Options for writing outcomes. */
export interface WriteOptions {
  rules: OutcomeRules;
  /** How to handle an endpoint that another transaction has locked: wait, or `SKIP LOCKED`. */
  ifLocked: Prisma.Sql;
  /** Whether to write outcomes after which their endpoint must be disabled. The caller then disables it. */
  mayDisable: boolean;
}

/**
 * Writes the outcomes of attempts in one statement, each only while its claim is still held: the attempt, the delivery's new
 * state, and the endpoint's failures and counts. A delivery that ends moves from the queue to the log.
 *
 * After a failure the delivery waits according to the schedule, or is dead once its attempts are used up. Exceptions:
 * - A 410, a failed test event and a failure at a removed endpoint are final: the delivery is dead.
 * - An endpoint that honors `Retry-After` is called later if a 429 or 503 asks for it, but never earlier.
 * - A retry that an admin requested during the attempt is due at once, even after the last attempt of the schedule.
 * - While the endpoint is not open, a delivery that stays pending is put on hold.
 *
 * An attempt that was not sent and a failed test event do not count as failures of the endpoint. A test event that succeeds resets the
 * failures, like any success.
 *
 * Alerts are written with the outcomes that they report, for the channels of the workspace. Failures before a success in the same
 * batch cause none.
 *
 * Endpoints are locked before deliveries, both in key order, so two batches never deadlock. The attempts of an endpoint are
 * counted in the order of the list: the failures after the last success, or all of them on top of the previous ones.
 *
 * @returns the written outcomes. It leaves out attempts whose claim is no longer held, attempts whose endpoint was locked and
 *   skipped, and, unless `mayDisable`, all attempts of an endpoint that these failures might disable.
 */
export function writeOutcomes(
  db: Queryable,
  ended: readonly (EndedAttempt & { index: number })[],
  { rules, ifLocked, mayDisable }: WriteOptions,
): Promise<WrittenOutcome[]> {
  const outcomes = ended.map((one) => toRow(rules, one));
  return db.query(Prisma.sql`
    WITH ended AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS ended (
        index int, "companyId" int, "endpointId" int, "deliveryId" bigint, "claimToken" uuid, outcome text,
        "isPing" boolean, "isCounted" boolean, "isOver" boolean, "isLast" boolean, "waitMs" float8, attempts int, number int,
        "startedAt" timestamptz, "durationMs" int, "statusCode" int, error text, "revealsPort" boolean, excerpt text,
        "retryAfterSeconds" int, origin text, traceparent text)
    ), endpoint AS MATERIALIZED (
      SELECT endpoint.* FROM (
        SELECT DISTINCT "companyId", "endpointId" FROM ended ORDER BY "companyId", "endpointId"
      ) AS wanted
      CROSS JOIN LATERAL (
        SELECT company_id, id, enabled, consecutive_failures, removed_at IS NOT NULL AS removed, ${OPEN} AS is_open,
          honor_retry_after, alert_level,
          -- The column is rounded to milliseconds, so it may be slightly in the future.
          greatest(0, 1000 * extract(epoch FROM clock_timestamp() - failing_since)) AS failing_for_ms
        FROM webhook_endpoints
        WHERE company_id = "companyId" AND id = "endpointId"
        FOR NO KEY UPDATE ${ifLocked}
      ) AS endpoint
    ), delivery AS MATERIALIZED (
      SELECT delivery.* FROM (
        SELECT DISTINCT "companyId", "deliveryId" FROM ended
        JOIN endpoint ON company_id = "companyId" AND id = "endpointId"
        ORDER BY "companyId", "deliveryId"
      ) AS wanted
      CROSS JOIN LATERAL (
        SELECT company_id, id, endpoint_id, event_id, event_type, created_at, claim_token, retry_requested_at
        FROM pending_deliveries
        WHERE company_id = "companyId" AND id = "deliveryId"
        FOR UPDATE
      ) AS delivery
    ), held AS MATERIALIZED (
      SELECT ended.*, endpoint.is_open, delivery.event_id, delivery.event_type, delivery.created_at,
        CASE WHEN outcome = 'delivered' THEN 'delivered'
             WHEN "isOver" OR endpoint.removed OR ("isLast" AND NOT is_requested) THEN 'dead'
             ELSE 'pending' END::delivery_status AS status,
        CASE WHEN is_requested THEN 0
             WHEN honor_retry_after
               THEN greatest("waitMs", least(1000 * coalesce("retryAfterSeconds", 0)::float8, "waitMs" + ${MAX_EXTRA_WAIT_MS}))
             ELSE "waitMs" END AS wait_ms,
        max(index) FILTER (WHERE outcome = 'delivered') OVER at_endpoint AS last_success,
        -- Whether the endpoint keeps its state in any order of these attempts.
        ${mayDisable} OR NOT enabled OR failing_for_ms < ${rules.disableMinOutageMs}
          OR consecutive_failures + count(*) FILTER (WHERE "isCounted") OVER at_endpoint < ${rules.disableAfter}
          OR count(*) FILTER (WHERE "isCounted") OVER at_endpoint = 0 AS stays
      FROM ended
      JOIN delivery ON delivery.company_id = "companyId" AND delivery.id = "deliveryId"
        AND delivery.endpoint_id = "endpointId" AND delivery.claim_token = "claimToken"
      -- The start of an attempt is truncated to milliseconds.
      CROSS JOIN LATERAL (
        SELECT coalesce(date_trunc('milliseconds', retry_requested_at) > "startedAt", false) AS is_requested
      ) AS retry
      JOIN endpoint ON endpoint.company_id = "companyId" AND endpoint.id = "endpointId"
      WINDOW at_endpoint AS (PARTITION BY endpoint.company_id, endpoint.id)
    ), shown AS MATERIALIZED (
      SELECT held.*,
        CASE WHEN is_withheld THEN ${NO_RESPONSE} ELSE error END AS redacted_error,
        CASE WHEN NOT is_withheld THEN "durationMs" END AS shown_ms
      FROM held
      CROSS JOIN LATERAL (
        SELECT CASE WHEN "revealsPort"
          THEN NOT ${hasResponded(Prisma.sql`held."companyId"`, Prisma.sql`held.origin`)}
            AND NOT EXISTS (
              SELECT FROM held AS earlier
              WHERE earlier."companyId" = held."companyId" AND earlier.origin = held.origin
                AND earlier."statusCode" IS NOT NULL AND earlier.index < held.index)
          ELSE false END AS is_withheld
      ) AS withholding
      WHERE stays
    ), waiting AS (
      UPDATE pending_deliveries AS delivery
      SET attempts = shown.attempts,
          next_attempt_at = CASE WHEN is_open THEN clock_timestamp() + wait_ms * interval '1 millisecond' END,
          last_status_code = "statusCode",
          last_error = redacted_error,
          claim_token = NULL,
          lease_expires_at = NULL,
          retry_requested_at = NULL
      FROM shown
      WHERE shown.status = 'pending' AND ${hasKey(Prisma.sql`shown."companyId"`, Prisma.sql`shown."deliveryId"`)}
    ), finished AS (
      DELETE FROM pending_deliveries AS delivery USING shown
      WHERE shown.status <> 'pending' AND ${hasKey(Prisma.sql`shown."companyId"`, Prisma.sql`shown."deliveryId"`)}
    ), logged AS (
      INSERT INTO webhook_deliveries
        (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at, last_status_code, last_error)
      SELECT "companyId", "deliveryId", "endpointId", event_id, event_type, status, attempts, created_at,
        CASE WHEN outcome = 'delivered' THEN clock_timestamp() END, "statusCode", redacted_error
      FROM shown WHERE status <> 'pending'
    ), attempt AS (
      INSERT INTO webhook_attempts
        (company_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt, retry_after_seconds, traceparent)
      SELECT "companyId", "deliveryId", number, "startedAt", shown_ms, "statusCode", redacted_error, excerpt, "retryAfterSeconds", traceparent
      FROM shown
    ), counts AS (
      ${countAttempts(Prisma.sql`
        SELECT "companyId" AS company_id, "endpointId" AS endpoint_id, "startedAt" AS started_at, outcome, status,
          shown_ms AS duration_ms
        FROM shown WHERE NOT "isPing"`)}
    ), counted AS MATERIALIZED (
      SELECT "companyId", "endpointId", last_success IS NOT NULL AS succeeded,
        count(*) FILTER (WHERE "isCounted" AND index > coalesce(last_success, -1)) AS failures,
        count(*) FILTER (WHERE status = 'dead' AND NOT "isPing")::int AS dead,
        bool_or(outcome <> 'delivered') AS has_errors,
        (array_agg(redacted_error ORDER BY index DESC) FILTER (WHERE redacted_error IS NOT NULL))[1] AS last_error,
        (array_agg(origin ORDER BY index DESC) FILTER (WHERE "statusCode" IS NOT NULL))[1] AS responded_origin
      FROM shown
      GROUP BY "companyId", "endpointId", last_success
    ), alerting AS MATERIALIZED (
      SELECT counted.*, failures_now, level,
        failures > 0 AND enabled AND level > CASE WHEN succeeded THEN 0 ELSE alert_level END AS is_failing,
        succeeded AND enabled AND alert_level > 0 AS has_recovered,
        CASE WHEN removed THEN 0 ELSE dead END AS dead_now
      FROM counted
      JOIN endpoint ON company_id = "companyId" AND id = "endpointId"
      CROSS JOIN LATERAL (
        SELECT (CASE WHEN succeeded THEN 0 ELSE consecutive_failures END + failures)::int AS failures_now,
          CASE WHEN succeeded OR consecutive_failures = 0 THEN 0 ELSE coalesce(failing_for_ms, 0) END AS failing_for_now
      ) AS afterwards
      CROSS JOIN LATERAL (SELECT ${levelReached(rules)} AS level) AS reached
    ), alerted AS (
      ${insertAlerts(
        Prisma.sql`
        SELECT "companyId" AS company_id, "endpointId" AS endpoint_id, happened.event, happened.count, failures_now AS failures,
          last_error AS error
        FROM alerting
        CROSS JOIN LATERAL (
          VALUES ('endpoint.failing', is_failing::int), ('endpoint.recovered', has_recovered::int), ('deliveries.dead', dead_now)
        ) AS happened (event, count)
        WHERE happened.count > 0`,
        rules.alertsOperator ?? false,
      )}
    ), endpoints AS (
      UPDATE webhook_endpoints AS endpoint
      SET consecutive_failures = CASE WHEN succeeded THEN 0 ELSE consecutive_failures END + failures,
          failing_since = CASE WHEN succeeded AND failures = 0 THEN NULL
                               WHEN failures > 0 AND (succeeded OR consecutive_failures = 0 OR failing_since IS NULL)
                                 THEN clock_timestamp()
                               ELSE failing_since END,
          last_success_at = CASE WHEN succeeded THEN clock_timestamp() ELSE last_success_at END,
          last_error_at = CASE WHEN has_errors THEN clock_timestamp() ELSE last_error_at END,
          last_error = coalesce(alerting.last_error, endpoint.last_error),
          responded_origin = coalesce(alerting.responded_origin, endpoint.responded_origin),
          alert_level = CASE WHEN is_failing THEN level WHEN has_recovered THEN 0 ELSE alert_level END
      FROM alerting
      WHERE endpoint.company_id = "companyId" AND endpoint.id = "endpointId"
    )
    SELECT index, status::text, redacted_error AS error FROM shown`);
}

/** Returns the parameters of the statement for one attempt. */
function toRow(rules: OutcomeRules, { attempt, result, index }: EndedAttempt & { index: number }) {
  const outcome = classifyResult(result);
  const isPing = attempt.eventType === PING;
  const responded = result.kind === 'responded' ? result : null;
  return {
    index,
    companyId: attempt.companyId,
    endpointId: attempt.endpointId,
    deliveryId: String(attempt.deliveryId),
    claimToken: attempt.claimToken,
    outcome,
    isPing,
    isCounted: !isPing && (outcome === 'failed' || outcome === 'gone'),
    isOver: isPing || outcome === 'gone',
    isLast: attempt.attemptInSchedule >= rules.maxAttempts,
    waitMs: nextWaitMs(rules.retryScheduleMs, attempt.attemptInSchedule),
    attempts: attempt.attemptInSchedule,
    number: attempt.attemptNumber,
    startedAt: attempt.startedAt,
    durationMs: result.durationMs,
    statusCode: responded?.status ?? null,
    error: result.kind === 'responded' ? describeResponse(result.status, outcome) : result.error,
    revealsPort: result.kind !== 'responded' && result.revealsPort === true,
    // A receiver may repeat the values of custom headers in a form that cannot be recognized.
    excerpt: attempt.everHadHeaders ? null : (responded?.excerpt ?? null),
    retryAfterSeconds: responded?.retryAfterSeconds ?? null,
    origin: toOrigin(attempt.url),
    traceparent: attempt.traceparent,
  };
}
