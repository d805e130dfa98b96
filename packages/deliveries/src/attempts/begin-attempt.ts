import type { Database, Queryable } from '@deal-signals/db/database';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { Prisma } from '@deal-signals/db/generated/client';
import { createGroups } from '@deal-signals/runtime/groups';
import { tracing } from '@deal-signals/runtime/tracing';
import { attemptTraceparent, toTraceparent } from '@deal-signals/sending/headers/traceparent';
import type { Claim } from '../claims/claim.ts';
import { releaseClaims } from '../claims/release-claims.ts';
import { lockEndpoint, OPEN, REMOVED_ERROR } from '../endpoints/endpoint-state.ts';

/** An attempt that has begun: the claim that it is made under, and everything that is sent, logged and recorded. */
export interface Attempt extends Claim {
  endpointId: number;
  eventId: string;
  eventType: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  url: string;
  secretCiphertext: Uint8Array;
  /** The secret before the last rotation, while deliveries are signed with both. */
  previousSecretCiphertext: Uint8Array | null;
  /** The endpoint's custom headers, if it has any. */
  headersCiphertext: Uint8Array | null;
  /** When the attempt began, by the database's clock. */
  startedAt: Date;
  /** How long the delivery existed when the attempt began, by the database's clock. */
  ageMs: number;
  /** How long the attempt was due when it began: it waited for a tick, in the ready queue, and as a job. */
  waitedMs: number;
  /** Which attempt of the current schedule this is, from 1. A retry of a dead letter starts a new schedule. */
  attemptInSchedule: number;
  /** Which attempt of the delivery this is over all its schedules, from 1. */
  attemptNumber: number;
  /** The `traceparent` header that is sent. */
  traceparent: string;
  /** The `traceparent` that names the span in which the event was captured, if it had one. */
  captureTraceparent: string | null;
}

/** What became of a claim that a worker wanted to make an attempt under. */
export type Beginning =
  | { kind: 'begun'; attempt: Attempt }
  /** The claim is no longer held, so there is nothing to do. */
  | { kind: 'stale' }
  /**
   * The endpoint was not enabled, so nothing may be sent. `released`: it was enabled again just then, and the delivery
   * is back in the ready queue.
   */
  | { kind: 'parked' | 'dead' | 'released'; attempt: Attempt };

/** Begins the attempt of a claim. */
export type BeginAttempt = (claim: Claim) => Promise<Beginning>;

/** Bounds how long one statement locks its deliveries, and the size of the envelopes that it returns together. */
const MOST_IN_A_GROUP = 100;

/** An attempt that has begun, whether or not its endpoint is enabled. */
interface BegunRow extends Attempt {
  endpointEnabled: boolean;
}

/** What the statement returns for each attempt. */
interface GroupRow extends Omit<BegunRow, 'traceparent' | 'captureTraceparent'> {
  provenBy: string;
  traceId: string | null;
  captureSpan: string | null;
}

/**
 * Begins attempts in groups: the claims whose jobs start while a statement is under way begin with the next one.
 *
 * A group waits for nobody. A delivery that somebody else has locked, such as an admin's retry, begins in a statement of
 * its own, which waits for that lock without delaying the others. So does every claim of a group whose statement failed, so
 * that one of them cannot spoil the others.
 *
 * @param leaseMs how long each claim is held from then on.
 */
export function beginAttemptsInGroups(db: Database, leaseMs: number): BeginAttempt {
  const groups = createGroups<Claim, BegunRow | null>(
    async (claims) => {
      try {
        return await beginGroup(db, claims, leaseMs, Prisma.sql`SKIP LOCKED`);
      } catch (error) {
        if (databaseFailure(error)?.isTemporary) throw error;
        return claims.map(() => null);
      }
    },
    { most: MOST_IN_A_GROUP },
  );
  return async (claim) => {
    const row = await groups.add('', claim);
    return row === null ? beginAttempt(db, claim, leaseMs) : judge(db, row);
  };
}

/** Begins the attempt of one claim, and waits for its delivery if somebody else has locked it. */
export async function beginAttempt(db: Database, claim: Claim, leaseMs: number): Promise<Beginning> {
  const [row] = await beginGroup(db, [claim], leaseMs, Prisma.empty);
  return row ? judge(db, row) : { kind: 'stale' };
}

/**
 * Begins the attempts of several claims in one statement. The lease starts again, and each claim gets a new token: if the
 * queue runs a job a second time, or somebody releases a claim too late, the old token no longer matches and nothing
 * changes. A retry that an admin requested while the claim waited is satisfied by this attempt.
 *
 * The deliveries are locked in the order of their keys, and the tokens are compared afterwards. A condition on the token next
 * to that on the key would let the planner read all claims of the workspace from the index of claims. Deliveries, events and
 * endpoints are looked up one by one, each by its whole key: joined, they would be read by workspace while there are few.
 *
 * @param ifLocked what to do about a delivery that somebody else has locked: wait, or `SKIP LOCKED`.
 * @returns a row for each claim, or null if the claim is no longer held or its delivery was skipped.
 */
export async function beginGroup(
  db: Queryable,
  claims: readonly Claim[],
  leaseMs: number,
  ifLocked: Prisma.Sql,
): Promise<(BegunRow | null)[]> {
  const companyIds = claims.map(({ companyId }) => companyId);
  const deliveryIds = claims.map(({ deliveryId }) => deliveryId);
  const claimTokens = claims.map(({ claimToken }) => claimToken);
  const rows = await db.query<GroupRow>(Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT delivery.*, claim.token FROM (
        SELECT DISTINCT * FROM unnest(${companyIds}::int[], ${deliveryIds}::bigint[], ${claimTokens}::uuid[])
          AS claim (company_id, id, token)
        ORDER BY company_id, id
      ) AS claim
      CROSS JOIN LATERAL (
        SELECT company_id, id, claim_token, status
        FROM webhook_deliveries
        WHERE company_id = claim.company_id AND id = claim.id
        FOR NO KEY UPDATE ${ifLocked}
      ) AS delivery
    ), held AS MATERIALIZED (
      SELECT company_id, id, claim_token FROM locked WHERE status = 'pending' AND claim_token = token
    ), begun AS MATERIALIZED (
      UPDATE webhook_deliveries AS delivery
      SET claim_token = gen_random_uuid(),
          attempt_begun = true,
          lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond',
          retry_requested = false,
          requeued = false
      FROM held
      WHERE delivery.company_id = held.company_id AND delivery.id = held.id
      RETURNING delivery.company_id, delivery.id, delivery.claim_token, held.claim_token AS proven_by, endpoint_id, event_id,
        event_type, attempts, created_at, next_attempt_at
    )
    SELECT begun.company_id AS "companyId", begun.id AS "deliveryId", begun.claim_token AS "claimToken",
      begun.proven_by AS "provenBy", begun.attempts + 1 AS "attemptInSchedule",
      1 + (SELECT coalesce(max(number), 0) FROM webhook_attempts
        WHERE company_id = begun.company_id AND delivery_id = begun.id) AS "attemptNumber",
      begun.event_id AS "eventId", begun.event_type AS "eventType", event.body,
      event.trace_id AS "traceId", event.capture_span AS "captureSpan",
      begun.endpoint_id AS "endpointId", endpoint.*, clock_timestamp() AS "startedAt",
      -- The columns are rounded to milliseconds, so they may lie a moment ahead.
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - begun.created_at))::float8 AS "ageMs",
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - coalesce(begun.next_attempt_at, clock_timestamp())))::float8
        AS "waitedMs"
    FROM begun
    CROSS JOIN LATERAL (
      SELECT body, trace_id, capture_span
      FROM webhook_events WHERE company_id = begun.company_id AND id = begun.event_id LIMIT 1
    ) AS event
    CROSS JOIN LATERAL (
      SELECT url, ${OPEN} AS "endpointEnabled",
        secret_ciphertext AS "secretCiphertext",
        CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret_ciphertext END
          AS "previousSecretCiphertext",
        headers_ciphertext AS "headersCiphertext"
      FROM webhook_endpoints WHERE company_id = begun.company_id AND id = begun.endpoint_id LIMIT 1
    ) AS endpoint`);
  const begun = new Map(
    rows.map(({ provenBy, traceId, captureSpan, ...row }) => {
      const captureTraceparent = traceId && captureSpan && toTraceparent(traceId, captureSpan);
      const traceparent = attemptTraceparent(
        traceId ?? row.eventId,
        captureTraceparent,
        tracing() !== undefined,
      );
      return [keyOf(row.deliveryId, provenBy), { ...row, traceparent, captureTraceparent }];
    }),
  );
  return claims.map(({ deliveryId, claimToken }) => {
    const key = keyOf(deliveryId, claimToken);
    const row = begun.get(key) ?? null;
    // A job that runs twice may be in one group twice. Only one of the two has begun the attempt.
    begun.delete(key);
    return row;
  });
}

function keyOf(deliveryId: bigint, claimToken: string): string {
  return `${deliveryId} ${claimToken}`;
}

/** Withdraws an attempt again that has begun although its endpoint is not enabled. */
async function judge(db: Database, { endpointEnabled, ...attempt }: BegunRow): Promise<Beginning> {
  if (endpointEnabled) return { kind: 'begun', attempt };
  const withdrawn = await withdraw(db, attempt);
  if (withdrawn !== null) return { kind: withdrawn, attempt };
  await releaseClaims(db, [attempt]);
  return { kind: 'released', attempt };
}

/**
 * Parks the delivery of a disabled, suspended or unverified endpoint, or marks it dead if the endpoint was removed.
 *
 * The endpoint's state is read again under the lock of its row. Enabling takes the same lock: if it came first, this
 * returns null; if it comes later, it finds the parked delivery. So no parked delivery is left at an enabled endpoint.
 *
 * @returns null when the endpoint is enabled after all; the claim is still held then.
 */
function withdraw(db: Database, attempt: Attempt): Promise<'parked' | 'dead' | null> {
  return db.transaction(async (tx) => {
    const state = await lockEndpoint(tx, attempt.companyId, attempt.endpointId);
    if (state === 'enabled') return null;
    const isRemoved = state !== 'disabled';
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET status = CASE WHEN ${isRemoved} THEN 'dead'::delivery_status ELSE status END,
          last_error = CASE WHEN ${isRemoved} THEN ${REMOVED_ERROR} ELSE last_error END,
          next_attempt_at = NULL, ready = false, claim_token = NULL, lease_expires_at = NULL, retry_requested = false
      WHERE company_id = ${attempt.companyId} AND id = ${attempt.deliveryId}
        AND claim_token = ${attempt.claimToken}::uuid`;
    return isRemoved ? 'dead' : 'parked';
  });
}
