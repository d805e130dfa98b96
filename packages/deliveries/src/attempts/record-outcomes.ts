import type { Database } from '@deal-signals/db/database';
import { isDatabaseUnavailable } from '@deal-signals/db/database-errors';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { createGroups } from '@deal-signals/runtime/groups';
import type { Attempt } from './begin-attempt.ts';
import { countAttempts } from './count-attempts.ts';
import {
  type AttemptResult,
  errorOfResponse,
  outcomeOf,
  type OutcomeRules,
  PING,
  type Recorded,
  type RecordOutcome,
} from './outcome.ts';
import { recordOutcome } from './record-outcome.ts';
import { nextWaitMs } from './retry-schedule.ts';
import { originOf } from './shown-error.ts';

/** An attempt that has ended. */
interface Ended {
  attempt: Attempt;
  result: AttemptResult;
}

/** Bounds how long one statement locks its endpoints and deliveries. */
const MOST_IN_A_GROUP = 100;

/**
 * The time from one statement to the next: attempts that end within it are recorded together. The receivers have their
 * deliveries by then, and for what is attempted again it is too short to matter.
 */
const LEAST_INTERVAL_MS = 20;

/** The group of everything that is not waiting for its endpoint. */
const ANY_ENDPOINT = '';

/**
 * Records outcomes in groups: the attempts that end while a statement is under way, or soon after it began, are recorded with
 * the next one. What a group writes is what `recordOutcome` would write for its attempts, one after the other, in the order in
 * which they ended.
 *
 * The first group waits for no endpoint. Whoever finds the endpoint locked, by another worker or by a management write,
 * waits for it in a second group, of that endpoint alone. So an endpoint that somebody holds delays no other, and takes one
 * connection, however many of its attempts end meanwhile.
 *
 * What a group cannot record is recorded one by one by `recordOutcome`: outcomes that have to disable the endpoint or read
 * other rows, and all of a group whose statement failed, so that one of them cannot spoil the others.
 */
export function recordOutcomesInGroups(db: Database, rules: OutcomeRules): RecordOutcome {
  const inTurn = createGroups<Ended, Recorded | Failure>(
    (ended) => recordInTurn(db, rules, ended),
    MOST_IN_A_GROUP,
  );
  const atOnce = createGroups<Ended, Recorded | null>(
    // Whoever would overtake those that wait for the endpoint joins them: failures are counted in the order of their ends.
    (ended) =>
      recordTogether(db, rules, ended, Prisma.sql`SKIP LOCKED`, (endpoint) => inTurn.isUnderWay(endpoint)),
    MOST_IN_A_GROUP,
    LEAST_INTERVAL_MS,
  );
  return async (attempt, result) => {
    const ended = { attempt, result };
    const recorded = await atOnce.add(ANY_ENDPOINT, ended);
    if (recorded !== null) return recorded;
    const late = await inTurn.add(endpointOf(ended), ended);
    if (late instanceof Failure) throw late.error;
    return late;
  };
}

/** Why one outcome of a group could not be recorded. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Records outcomes of one endpoint: together as far as possible, and the others one after the other. */
async function recordInTurn(
  db: Database,
  rules: OutcomeRules,
  ended: readonly Ended[],
): Promise<(Recorded | Failure)[]> {
  // A single one has just been refused by the other group, so it is probably one that has to be recorded by itself.
  const recorded = ended.length > 1 ? await recordTogether(db, rules, ended, Prisma.empty) : [];
  const results: (Recorded | Failure)[] = [];
  let outage: Failure | null = null;
  for (const [place, { attempt, result }] of ended.entries()) {
    const one: Recorded | Failure =
      recorded[place] ??
      outage ??
      (await recordOutcome(db, rules, attempt, result).catch((error: unknown) => new Failure(error)));
    results.push(one);
    // The others would wait just as long, one after the other.
    if (one instanceof Failure && isDatabaseUnavailable(one.error)) outage = one;
  }
  return results;
}

/**
 * @param ifLocked what to do about an endpoint that somebody else has locked: wait, or `SKIP LOCKED`.
 * @param isAwaited whether others wait for an endpoint, so that its attempts must be left out.
 * @returns what was recorded of each attempt; null for those that were left out.
 */
async function recordTogether(
  db: Database,
  rules: OutcomeRules,
  ended: readonly Ended[],
  ifLocked: Prisma.Sql,
  isAwaited: (endpoint: string) => boolean = () => false,
): Promise<(Recorded | null)[]> {
  const special = new Set(ended.filter(isSpecial).map(endpointOf));
  const plain = ended.flatMap((one, place) =>
    special.has(endpointOf(one)) || isAwaited(endpointOf(one)) ? [] : [{ place, ...writtenOf(rules, one) }],
  );
  const results: (Recorded | null)[] = ended.map(() => null);
  if (plain.length === 0) return results;
  try {
    const statuses = new Map(
      (await writeOutcomes(db, rules.disableAfter, plain, ifLocked)).map(({ place, status }) => [
        place,
        status,
      ]),
    );
    for (const { place, outcome, error } of plain) {
      const status = statuses.get(place);
      if (status !== undefined) {
        results[place] = { written: true, outcome, error, status, endpointDisabled: false };
      }
    }
    return results;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return results;
  }
}

function endpointOf({ attempt: { companyId, endpointId } }: Ended): string {
  return `${companyId}:${endpointId}`;
}

/**
 * Whether an outcome needs more than the group's statement: a 410 disables the endpoint, a test event may verify it, and
 * some errors may only be shown if the host has responded before. All attempts of its endpoint then wait for their turn,
 * so that they are recorded in the order in which they ended.
 */
function isSpecial({ attempt, result }: Ended): boolean {
  return (
    attempt.eventType === PING ||
    outcomeOf(result) === 'gone' ||
    (result.kind !== 'responded' && result.revealsPort === true)
  );
}

/** What the group's statement takes of an attempt. */
function writtenOf(rules: OutcomeRules, { attempt, result }: Ended) {
  const outcome = outcomeOf(result);
  const responded = result.kind === 'responded' ? result : null;
  return {
    companyId: attempt.companyId,
    endpointId: attempt.endpointId,
    deliveryId: String(attempt.deliveryId),
    claimToken: attempt.claimToken,
    outcome,
    isLast: attempt.attemptInSchedule >= rules.maxAttempts,
    waitMs: nextWaitMs(rules.retryScheduleMs, attempt.attemptInSchedule),
    attempts: attempt.attemptInSchedule,
    number: attempt.attemptNumber,
    startedAt: attempt.startedAt,
    durationMs: result.durationMs,
    statusCode: responded?.status ?? null,
    error: result.kind === 'responded' ? errorOfResponse(result.status, outcome) : result.error,
    excerpt: responded?.excerpt ?? null,
    origin: responded && originOf(attempt.url),
    traceparent: attempt.traceparent,
  };
}

/**
 * Writes attempts, deliveries, endpoints and their counts in one statement, each only while its claim is still held.
 *
 * Endpoints are locked first and deliveries afterwards, both in the order of their keys, so two groups never deadlock. An
 * endpoint that these failures might disable is left alone with all its attempts: that needs the feed clock, which comes
 * before the lock of the endpoint.
 *
 * The attempts of an endpoint are counted in the order of `place`: the failures after the last success, or all of them on
 * top of those before.
 */
function writeOutcomes(
  db: Database,
  disableAfter: number,
  outcomes: readonly ({ place: number } & ReturnType<typeof writtenOf>)[],
  ifLocked: Prisma.Sql,
): Promise<{ place: number; status: DeliveryStatus }[]> {
  return readRows(
    db,
    Prisma.sql`
    WITH ended AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS ended (
        place int, "companyId" int, "endpointId" int, "deliveryId" bigint, "claimToken" uuid, outcome text,
        "isLast" boolean, "waitMs" float8, attempts int, number int, "startedAt" timestamptz, "durationMs" int,
        "statusCode" int, error text, excerpt text, origin text, traceparent text)
    ), endpoint AS MATERIALIZED (
      SELECT endpoint.* FROM (
        SELECT DISTINCT "companyId", "endpointId" FROM ended ORDER BY "companyId", "endpointId"
      ) AS wanted
      CROSS JOIN LATERAL (
        SELECT company_id, id, enabled, consecutive_failures, removed_at IS NOT NULL AS removed,
          enabled AND NOT suspended AND NOT awaiting_verification AS is_open
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
        SELECT company_id, id, endpoint_id, claim_token, retry_requested
        FROM webhook_deliveries
        WHERE company_id = "companyId" AND id = "deliveryId"
        FOR NO KEY UPDATE
      ) AS delivery
    ), held AS MATERIALIZED (
      SELECT ended.*, endpoint.is_open,
        CASE WHEN outcome = 'delivered' THEN 'delivered'
             WHEN endpoint.removed OR ("isLast" AND NOT retry_requested) THEN 'dead'
             ELSE 'pending' END::delivery_status AS status,
        CASE WHEN retry_requested THEN 0 ELSE "waitMs" END AS wait_ms,
        max(place) FILTER (WHERE outcome = 'delivered') OVER at_endpoint AS last_success,
        -- Whether the endpoint stays as it is, whatever the order of these attempts.
        NOT enabled OR consecutive_failures + count(*) FILTER (WHERE outcome = 'failed') OVER at_endpoint < ${disableAfter}
          OR count(*) FILTER (WHERE outcome = 'failed') OVER at_endpoint = 0 AS stays
      FROM ended
      JOIN delivery ON delivery.company_id = "companyId" AND delivery.id = "deliveryId"
        AND delivery.endpoint_id = "endpointId" AND delivery.claim_token = "claimToken"
      JOIN endpoint ON endpoint.company_id = "companyId" AND endpoint.id = "endpointId"
      WINDOW at_endpoint AS (PARTITION BY endpoint.company_id, endpoint.id)
    ), written AS (
      UPDATE webhook_deliveries AS delivery
      SET status = held.status,
          attempts = held.attempts,
          next_attempt_at = CASE WHEN held.status = 'pending' AND is_open
            THEN clock_timestamp() + wait_ms * interval '1 millisecond' END,
          delivered_at = CASE WHEN outcome = 'delivered' THEN clock_timestamp() END,
          last_status_code = "statusCode",
          last_error = error,
          ready = false,
          claim_token = NULL,
          lease_expires_at = NULL,
          retry_requested = false
      FROM held
      WHERE stays AND delivery.company_id = held."companyId" AND delivery.id = held."deliveryId"
    ), attempt AS (
      INSERT INTO webhook_attempts
        (company_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt, traceparent)
      SELECT "companyId", "deliveryId", number, "startedAt", "durationMs", "statusCode", error, excerpt, traceparent
      FROM held WHERE stays
    ), counts AS (
      ${countAttempts(Prisma.sql`
        SELECT "companyId" AS company_id, "endpointId" AS endpoint_id, "startedAt" AS started_at, outcome, status,
          "durationMs" AS duration_ms
        FROM held WHERE stays`)}
    ), counted AS (
      SELECT "companyId", "endpointId", last_success IS NOT NULL AS succeeded,
        count(*) FILTER (WHERE outcome = 'failed' AND place > coalesce(last_success, -1)) AS failures,
        bool_or(outcome <> 'delivered') AS has_errors,
        (array_agg(error ORDER BY place DESC) FILTER (WHERE error IS NOT NULL))[1] AS last_error,
        (array_agg(origin ORDER BY place DESC) FILTER (WHERE origin IS NOT NULL))[1] AS responded_origin
      FROM held WHERE stays
      GROUP BY "companyId", "endpointId", last_success
    ), endpoints AS (
      UPDATE webhook_endpoints AS endpoint
      SET consecutive_failures = CASE WHEN succeeded THEN 0 ELSE consecutive_failures END + failures,
          failing_since = CASE WHEN succeeded AND failures = 0 THEN NULL
                               WHEN failures > 0 AND (succeeded OR consecutive_failures = 0 OR failing_since IS NULL)
                                 THEN clock_timestamp()
                               ELSE failing_since END,
          last_success_at = CASE WHEN succeeded THEN clock_timestamp() ELSE last_success_at END,
          last_error_at = CASE WHEN has_errors THEN clock_timestamp() ELSE last_error_at END,
          last_error = coalesce(counted.last_error, endpoint.last_error),
          responded_origin = coalesce(counted.responded_origin, endpoint.responded_origin)
      FROM counted
      WHERE endpoint.company_id = "companyId" AND endpoint.id = "endpointId"
    )
    SELECT place, status::text FROM held WHERE stays`,
  );
}
