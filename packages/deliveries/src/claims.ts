import type { Database, Queryable } from '@deal-signals/db/database';
import { lockEndpoint, REMOVED_ERROR } from './endpoint-state.ts';
import type { BegunClaim } from './attempt-delivery.ts';

// The life of a claim, once `claim-ready` has made it. Every time is the database's: the clocks of the workers do not have
// to agree. The statements that change many rows lock them first, in an array of ids: joined to the table instead, a batch
// would now and then make the planner read the table from one end to the other.

/** A delivery that the dispatcher has taken out of the ready queue, for whoever presents the token. */
export interface QueuedClaim {
  companyId: number;
  deliveryId: bigint;
  claimToken: string;
}

/** Rows that one statement moves, so that none of them holds its locks for long. */
const MARK_BATCH = 1_000;
/** So long a tick goes on marking before it claims; whatever is left is for the next one. */
const MARK_BUDGET_MS = 2_000;

/**
 * Puts into the ready queue what has become due: the wait of a failed delivery is over, or the lease of a claim has run
 * out. A delivery that was parked meanwhile only loses its claim.
 *
 * @returns how many deliveries it moved.
 */
export async function markDue(db: Queryable): Promise<number> {
  const endMs = performance.now() + MARK_BUDGET_MS;
  let total = 0;
  for (;;) {
    // statement_timestamp() is fixed for the statement, so the index can be searched by it; clock_timestamp() is not.
    const moved = await db.$executeRaw`
      UPDATE webhook_deliveries
      SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested = false
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE status = 'pending' AND NOT ready
          AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${MARK_BATCH}
        FOR NO KEY UPDATE SKIP LOCKED
      ))`;
    total += moved;
    if (moved < MARK_BATCH || performance.now() > endMs) return total;
  }
}

/**
 * Gives claims back: the deliveries are ready again, unless they have been parked. A claim whose attempt has begun has
 * another token by then and stays where it is.
 *
 * @returns how many were given back.
 */
export async function release(db: Database, claims: QueuedClaim[]): Promise<number> {
  if (claims.length === 0) return 0;
  const deliveryIds = claims.map(({ deliveryId }) => deliveryId);
  const claimTokens = claims.map(({ claimToken }) => claimToken);
  return db.$executeRaw`
    UPDATE webhook_deliveries
    SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested = false
    WHERE id = ANY (ARRAY(
      SELECT delivery.id
      FROM webhook_deliveries AS delivery
      JOIN unnest(${deliveryIds}::bigint[], ${claimTokens}::uuid[]) AS claim (id, token)
        ON delivery.id = claim.id AND delivery.claim_token = claim.token
      ORDER BY delivery.id
      FOR NO KEY UPDATE OF delivery
    ))`;
}

/**
 * Begins the attempt of a claim: a new lease and a new token. The token of the job is worthless from here on, so a job
 * that the queue runs a second time, or a claim given back too late, changes nothing any more. What an admin has asked for
 * while the claim waited is what happens now.
 *
 * @returns null when the claim is no longer held: the job is stale.
 */
export async function beginAttempt(
  db: Database,
  claim: QueuedClaim,
  leaseMs: number,
): Promise<(BegunClaim & { endpointEnabled: boolean }) | null> {
  const [begun] = await db.$queryRaw<(BegunClaim & { endpointEnabled: boolean })[]>`
    UPDATE webhook_deliveries AS delivery
    SET claim_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond',
        retry_requested = false
    FROM webhook_events AS event, webhook_endpoints AS endpoint
    WHERE delivery.company_id = ${claim.companyId} AND delivery.id = ${claim.deliveryId}
      AND delivery.claim_token = ${claim.claimToken}::uuid AND delivery.status = 'pending'
      AND event.company_id = delivery.company_id AND event.id = delivery.event_id
      AND endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING delivery.company_id AS "companyId", delivery.id AS "deliveryId", delivery.claim_token AS "claimToken",
      delivery.attempts + 1 AS attempt,
      1 + (SELECT coalesce(max(number), 0) FROM webhook_attempts WHERE delivery_id = delivery.id) AS "attemptNumber",
      delivery.event_id AS "eventId", delivery.event_type AS "eventType", event.body,
      delivery.endpoint_id AS "endpointId", endpoint.url, endpoint.enabled AS "endpointEnabled",
      endpoint.secret_ciphertext AS "secretCiphertext", clock_timestamp() AS "startedAt"`;
  return begun ?? null;
}

/**
 * Takes a delivery back whose endpoint was seen to be disabled: parks it, or gives it up when the endpoint was removed.
 * Under the lock of the endpoint's row its state is read again: enabling takes the same lock, so either it comes first
 * and the answer is null, or it comes after and finds the parked delivery. Neither order leaves a parked delivery behind
 * at an enabled endpoint.
 *
 * @returns what became of it; null when the endpoint is enabled after all.
 */
export function withdraw(db: Database, claim: BegunClaim): Promise<'parked' | 'dead' | null> {
  return db.$transaction(async (tx) => {
    const state = await lockEndpoint(tx, claim.companyId, claim.endpointId);
    if (state === 'enabled') return null;
    const isRemoved = state !== 'disabled';
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET status = CASE WHEN ${isRemoved} THEN 'dead'::delivery_status ELSE status END,
          last_error = CASE WHEN ${isRemoved} THEN ${REMOVED_ERROR} ELSE last_error END,
          next_attempt_at = NULL, ready = false, claim_token = NULL, lease_expires_at = NULL, retry_requested = false
      WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}
        AND claim_token = ${claim.claimToken}::uuid`;
    return isRemoved ? 'dead' : 'parked';
  });
}
