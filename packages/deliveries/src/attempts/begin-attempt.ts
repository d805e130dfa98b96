import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { Prisma } from '@deal-signals/db/generated/client';
import { createBatcher } from '@deal-signals/runtime/batcher';
import { tracing } from '@deal-signals/runtime/tracing';
import { attemptTraceparent, toTraceparent } from '@deal-signals/sending/headers/traceparent';
import type { Claim } from '../claims/claim.ts';
import { releaseClaims } from '../claims/release-claims.ts';
import { lockEndpoint, OPEN } from '../endpoints/endpoint-state.ts';
import { LOG_AS_REMOVED } from '../endpoints/removed.ts';
import type { WebhookSettings } from '../settings.ts';

/** An attempt that has begun: its claim, and everything that is sent, logged and recorded. */
export interface Attempt extends Claim {
  endpointId: number;
  eventId: string;
  eventType: string;
  /** The envelope, exactly as it is sent. */
  body: string;
  url: string;
  secretCiphertext: Uint8Array;
  /** The secret before the last rotation, while deliveries are signed with both secrets. */
  previousSecretCiphertext: Uint8Array | null;
  /** The endpoint's custom headers; null if it has none. */
  headersCiphertext: Uint8Array | null;
  /** Whether the endpoint has or once had custom headers. Its responses may repeat their values. */
  everHadHeaders: boolean;
  /** When the attempt began, by the database's clock. */
  startedAt: Date;
  /** How much of the lease was left when the attempt began. The outcome must be recorded within it. */
  leaseLeftMs: number;
  /** The age of the delivery when the attempt began, by the database's clock. */
  ageMs: number;
  /** How long the attempt had been due when it began: it waited for a tick, in the ready queue, and as a job. */
  waitedMs: number;
  /** Whether the endpoint has a rate limit. The attempt may have waited for it. */
  isRateLimited: boolean;
  /** The number of this attempt in the current schedule, from 1. A retry of a dead letter starts a new schedule. */
  attemptInSchedule: number;
  /** The number of this attempt over all schedules of the delivery, from 1. */
  attemptNumber: number;
  /** The `traceparent` header that is sent. */
  traceparent: string;
  /** The `traceparent` of the span that captured the event; null if there was none. */
  captureTraceparent: string | null;
}

/** The result of beginning an attempt. */
export type Beginning =
  | { kind: 'begun'; attempt: Attempt }
  /** The claim is no longer held, so there is nothing to do. */
  | { kind: 'stale' }
  /**
   * The endpoint was not enabled, so nothing may be sent. `released`: the endpoint was enabled again in between, and the delivery
   * is ready again.
   */
  | { kind: 'on hold' | 'dead' | 'released'; attempt: Attempt };

/** Begins the attempt of a claim. */
export type BeginAttempt = (claim: Claim) => Promise<Beginning>;

/** The settings that determine how long a claim is held. */
export type LeaseRules = Pick<WebhookSettings, 'leaseMs' | 'leaseNeededMs'>;

/** Bounds the size of the envelopes that one statement returns. */
const MAX_BATCH_SIZE = 100;

/** An attempt that may begin if its endpoint is open. */
interface AttemptRow extends Attempt {
  isEndpointOpen: boolean;
}

/** The row that the statement returns for each claim that is still held. */
interface ClaimRow extends Omit<AttemptRow, 'traceparent' | 'captureTraceparent'> {
  index: number;
  traceId: string | null;
  captureSpan: string | null;
}

/**
 * Begins attempts in batches: claims whose jobs start while a statement is running begin with the next one. If a statement fails
 * for a reason that is not temporary, its claims begin one by one.
 */
export function beginAttemptsInBatches(db: Database, lease: LeaseRules): BeginAttempt {
  const batcher = createBatcher<Claim, AttemptRow | null | 'failed'>(
    async (claims) => {
      try {
        return await readClaims(db, claims);
      } catch (error) {
        if (databaseFailure(error)?.isTemporary) throw error;
        return claims.map(() => 'failed');
      }
    },
    { maxSize: MAX_BATCH_SIZE },
  );
  return async (claim) => {
    const row = await batcher.add('', claim);
    return row === 'failed' ? beginAttempt(db, claim, lease) : begin(db, claim, row, lease);
  };
}

/** Begins the attempt of one claim. */
export async function beginAttempt(db: Database, claim: Claim, lease: LeaseRules): Promise<Beginning> {
  const [row = null] = await readClaims(db, [claim]);
  return begin(db, claim, row, lease);
}

/**
 * Begins the attempt of a claim that was read. This writes nothing unless too little of the lease is left, in which case the
 * lease is renewed under the same token. Two workers that run the same job both send the delivery, and the token lets only one of
 * them record its outcome.
 */
async function begin(
  db: Database,
  claim: Claim,
  row: AttemptRow | null,
  { leaseMs, leaseNeededMs }: LeaseRules,
): Promise<Beginning> {
  if (row === null) return { kind: 'stale' };
  const { isEndpointOpen, ...attempt } = row;
  if (!isEndpointOpen) return withdraw(db, attempt);
  if (attempt.leaseLeftMs >= leaseNeededMs) return { kind: 'begun', attempt };
  if (!(await renewLease(db, claim, leaseMs))) return { kind: 'stale' };
  return { kind: 'begun', attempt: { ...attempt, leaseLeftMs: leaseMs } };
}

/**
 * Reads what the attempts of several claims need. Each delivery, event and endpoint is looked up by its full key. With joins, the
 * planner would read them by workspace as long as the tables are small.
 *
 * @returns a row for each claim; null for a claim that is no longer held.
 */
export async function readClaims(db: Queryable, claims: readonly Claim[]): Promise<(AttemptRow | null)[]> {
  const rows = await db.query<ClaimRow>(Prisma.sql`
    SELECT (claim.index - 1)::int AS index, claim.company_id AS "companyId", claim.id AS "deliveryId",
      claim.token::text AS "claimToken", delivery.attempts + 1 AS "attemptInSchedule",
      1 + (SELECT coalesce(max(number), 0) FROM webhook_attempts
        WHERE company_id = claim.company_id AND delivery_id = claim.id) AS "attemptNumber",
      delivery.event_id AS "eventId", delivery.event_type AS "eventType", event.body,
      event.trace_id AS "traceId", event.capture_span AS "captureSpan",
      delivery.endpoint_id AS "endpointId", endpoint.*, clock_timestamp() AS "startedAt",
      (1000 * extract(epoch FROM delivery.lease_expires_at - clock_timestamp()))::float8 AS "leaseLeftMs",
      -- The columns are rounded to milliseconds, so they may be slightly in the future.
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - delivery.created_at))::float8 AS "ageMs",
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - coalesce(delivery.next_attempt_at, clock_timestamp())))::float8
        AS "waitedMs",
      EXISTS (SELECT FROM endpoint_rate_limits WHERE company_id = claim.company_id AND endpoint_id = delivery.endpoint_id)
        AS "isRateLimited"
    FROM unnest(
      ${claims.map(({ companyId }) => companyId)}::int[],
      ${claims.map(({ deliveryId }) => deliveryId)}::bigint[],
      ${claims.map(({ claimToken }) => claimToken)}::uuid[]
    ) WITH ORDINALITY AS claim (company_id, id, token, index)
    CROSS JOIN LATERAL (
      SELECT * FROM pending_deliveries WHERE company_id = claim.company_id AND id = claim.id LIMIT 1
    ) AS delivery
    CROSS JOIN LATERAL (
      SELECT body, trace_id, capture_span
      FROM webhook_events WHERE company_id = claim.company_id AND id = delivery.event_id LIMIT 1
    ) AS event
    CROSS JOIN LATERAL (
      SELECT url, ${OPEN} AS "isEndpointOpen",
        secret_ciphertext AS "secretCiphertext",
        CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret_ciphertext END
          AS "previousSecretCiphertext",
        headers_ciphertext AS "headersCiphertext", ever_had_headers AS "everHadHeaders"
      FROM webhook_endpoints WHERE company_id = claim.company_id AND id = delivery.endpoint_id LIMIT 1
    ) AS endpoint
    WHERE delivery.claim_token = claim.token`);
  const held: (AttemptRow | null)[] = claims.map(() => null);
  for (const { index, traceId, captureSpan, ...row } of rows) {
    const captureTraceparent = traceId && captureSpan && toTraceparent(traceId, captureSpan);
    const traceparent = attemptTraceparent(
      traceId ?? row.eventId,
      captureTraceparent,
      tracing() !== undefined,
    );
    held[index] = { ...row, traceparent, captureTraceparent };
  }
  return held;
}

/** Renews the lease of a claim that is still held. Returns false if the claim is no longer held. */
async function renewLease(db: Database, claim: Claim, leaseMs: number): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE pending_deliveries
    SET lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId} AND claim_token = ${claim.claimToken}::uuid`;
  return renewed > 0;
}

/**
 * Ends the claim on a delivery of an endpoint that is not enabled: the delivery is put on hold, or is dead if the endpoint was
 * removed.
 *
 * The endpoint's state is read again under the lock of its row, which enabling takes as well. If enabling came first, the claim
 * is released. If it comes later, it finds the delivery on hold. So no delivery stays on hold at an enabled endpoint.
 */
async function withdraw(db: Database, attempt: Attempt): Promise<Beginning> {
  const { companyId, endpointId, deliveryId, claimToken } = attempt;
  const kind = await db.transaction(async (tx) => {
    const state = await lockEndpoint(tx, companyId, endpointId);
    if (state === 'open') return 'released';
    const held = Prisma.sql`company_id = ${companyId} AND id = ${deliveryId} AND claim_token = ${claimToken}::uuid`;
    if (state === 'closed') {
      await tx.$executeRaw`
        UPDATE pending_deliveries
        SET next_attempt_at = NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested_at = NULL
        WHERE ${held}`;
      return 'on hold';
    }
    await tx.$executeRaw`
      WITH removed AS (DELETE FROM pending_deliveries WHERE ${held} RETURNING *) ${LOG_AS_REMOVED}`;
    return 'dead';
  });
  if (kind === 'released') await releaseClaims(db, [attempt]);
  return { kind, attempt };
}
