import type { Database } from '@deal-signals/db/database';
import type { Claim } from '../claims/claim.ts';
import { releaseClaims } from '../claims/release-claims.ts';
import { lockEndpoint, REMOVED_ERROR } from '../endpoints/endpoint-state.ts';

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
  /** When the attempt began, by the database's clock. */
  startedAt: Date;
  /** Which attempt of the current schedule this is, from 1. A retry of a dead letter starts a new schedule. */
  attemptInSchedule: number;
  /** Which attempt of the delivery this is over all its schedules, from 1. */
  attemptNumber: number;
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

/**
 * Begins the attempt of a claim. The lease starts again, and the claim gets a new token: if the queue runs the job a
 * second time, or somebody releases the claim too late, the old token no longer matches and nothing changes. A retry that
 * an admin requested while the claim waited is satisfied by this attempt.
 *
 * @param leaseMs how long the claim is held from now on.
 */
export async function beginAttempt(db: Database, claim: Claim, leaseMs: number): Promise<Beginning> {
  const [row] = await db.$queryRaw<(Attempt & { endpointEnabled: boolean })[]>`
    UPDATE webhook_deliveries AS delivery
    SET claim_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond',
        retry_requested = false,
        requeued = false
    FROM webhook_events AS event, webhook_endpoints AS endpoint
    WHERE delivery.company_id = ${claim.companyId} AND delivery.id = ${claim.deliveryId}
      AND delivery.claim_token = ${claim.claimToken}::uuid AND delivery.status = 'pending'
      AND event.company_id = delivery.company_id AND event.id = delivery.event_id
      AND endpoint.company_id = delivery.company_id AND endpoint.id = delivery.endpoint_id
    RETURNING delivery.company_id AS "companyId", delivery.id AS "deliveryId", delivery.claim_token AS "claimToken",
      delivery.attempts + 1 AS "attemptInSchedule",
      1 + (SELECT coalesce(max(number), 0) FROM webhook_attempts WHERE delivery_id = delivery.id) AS "attemptNumber",
      delivery.event_id AS "eventId", delivery.event_type AS "eventType", event.body,
      delivery.endpoint_id AS "endpointId", endpoint.url,
      endpoint.enabled AND NOT endpoint.suspended AND NOT endpoint.awaiting_verification AS "endpointEnabled",
      endpoint.secret_ciphertext AS "secretCiphertext",
      CASE WHEN endpoint.previous_secret_until > clock_timestamp() THEN endpoint.previous_secret_ciphertext END
        AS "previousSecretCiphertext", clock_timestamp() AS "startedAt"`;
  if (row === undefined) return { kind: 'stale' };
  const { endpointEnabled, ...attempt } = row;
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
  return db.$transaction(async (tx) => {
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
