import type { Database, Queryable } from '@deal-signals/db/database';
import { alignDeliveries, lockEndpoint } from '@deal-signals/webhooks/endpoint-state';
import type { Claim } from '@deal-signals/webhooks/record-outcome';

// The life of a claim. Every time is the database's: the clocks of the workers do not have to agree. The statements that
// change many rows lock them first, in an array of ids: joined to the table instead, a batch would now and then make the
// planner read the table from one end to the other.

/** A delivery that the dispatcher has taken out of the ready queue, for whoever presents the token. */
export interface QueuedClaim {
  companyId: number;
  deliveryId: bigint;
  claimToken: string;
}

/** A claim whose attempt has begun, with the event it carries and the endpoint as it was at that moment. */
export interface BegunClaim extends Claim {
  eventId: string;
  eventType: string;
  body: string;
  url: string;
  enabled: boolean;
  secretCiphertext: Uint8Array;
}

/** Rows that one statement moves, so that none of them holds its locks for long. */
const MARK_BATCH = 1_000;

/**
 * Puts into the ready queue what has become due: the wait of a failed delivery is over, or the lease of a claim has run
 * out. A delivery that was parked meanwhile only loses its claim.
 *
 * @returns how many deliveries it moved.
 */
export async function markDue(db: Queryable): Promise<number> {
  let total = 0;
  for (;;) {
    // statement_timestamp() is fixed for the statement, so the index can be searched by it; clock_timestamp() is not.
    const moved = await db.$executeRaw`
      UPDATE webhook_deliveries
      SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE status = 'pending' AND NOT ready
          AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${MARK_BATCH}
        FOR NO KEY UPDATE SKIP LOCKED
      ))`;
    total += moved;
    if (moved < MARK_BATCH) return total;
  }
}

/** Claims the first deliveries of the ready queue, in id order. Two dispatchers never claim the same one. */
export async function claimReady(db: Queryable, limit: number, leaseMs: number): Promise<QueuedClaim[]> {
  return db.$queryRaw<QueuedClaim[]>`
    WITH claimed AS (
      UPDATE webhook_deliveries
      SET ready = false,
          claim_token = gen_random_uuid(),
          lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE ready
        ORDER BY id
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      ))
      RETURNING company_id AS "companyId", id AS "deliveryId", claim_token AS "claimToken"
    )
    SELECT * FROM claimed ORDER BY "deliveryId"`;
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
    SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL
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
 * that the queue runs a second time, or a claim given back too late, changes nothing any more.
 *
 * @returns null when the claim is no longer held: the job is stale.
 */
export async function beginAttempt(
  db: Database,
  claim: QueuedClaim,
  leaseMs: number,
): Promise<BegunClaim | null> {
  const [begun] = await db.$queryRaw<BegunClaim[]>`
    UPDATE webhook_deliveries AS delivery
    SET claim_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    FROM webhook_events AS event, webhook_endpoints AS endpoint
    WHERE delivery.company_id = ${claim.companyId} AND delivery.id = ${claim.deliveryId}
      AND delivery.claim_token = ${claim.claimToken}::uuid AND delivery.status = 'pending'
      AND event.company_id = delivery.company_id AND event.id = delivery.event_id
      AND endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING delivery.company_id AS "companyId", delivery.id AS "deliveryId", delivery.claim_token AS "claimToken",
      delivery.attempts + 1 AS attempt,
      1 + (SELECT coalesce(max(number), 0) FROM webhook_attempts WHERE delivery_id = delivery.id) AS "attemptNumber",
      delivery.event_id AS "eventId", delivery.event_type AS "eventType", event.body,
      delivery.endpoint_id AS "endpointId", endpoint.url, endpoint.enabled,
      endpoint.secret_ciphertext AS "secretCiphertext", clock_timestamp() AS "startedAt"`;
  return begun ?? null;
}

/**
 * Parks a delivery whose endpoint was seen to be disabled. Under the lock of the endpoint's row its state is read again:
 * enabling takes the same lock, so either it comes first and the answer is no, or it comes after and finds the parked
 * delivery. Neither order leaves a parked delivery behind at an enabled endpoint.
 *
 * @returns whether the endpoint is still disabled.
 */
export function parkIfDisabled(db: Database, claim: Claim): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, claim.companyId, claim.endpointId);
    if (endpoint?.enabled !== false) return false;
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = NULL, ready = false, claim_token = NULL, lease_expires_at = NULL
      WHERE company_id = ${claim.companyId} AND id = ${claim.deliveryId}
        AND claim_token = ${claim.claimToken}::uuid`;
    await alignDeliveries(tx, claim.companyId, claim.endpointId, false);
    return true;
  });
}
