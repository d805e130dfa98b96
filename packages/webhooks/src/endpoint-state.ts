import type { Transaction } from '@deal-signals/db/database';

// Whoever changes an endpoint's state or counters locks its row first and its deliveries after it, in id order, so that
// two of them never wait for each other. The lock leaves foreign-key checks alone: capturing an event for an endpoint
// does not wait for an attempt that is being recorded.

/** An endpoint whose row is locked until the end of the transaction. */
export interface LockedEndpoint {
  enabled: boolean;
  /** Whether pending deliveries have not followed its last change of state yet: see `alignDeliveries`. */
  hasStragglers: boolean;
}

/** So many deliveries follow their endpoint's state in one transaction, which keeps its locks short. */
const ALIGN_BATCH = 2_000;

/** Locks an endpoint; null when the workspace has no such endpoint. */
export async function lockEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<LockedEndpoint | null> {
  const [endpoint] = await tx.$queryRaw<LockedEndpoint[]>`
    SELECT enabled,
      CASE WHEN enabled
        THEN EXISTS (
          SELECT FROM webhook_deliveries AS delivery
          WHERE delivery.company_id = endpoint.company_id AND delivery.endpoint_id = endpoint.id
            AND delivery.status = 'pending' AND delivery.next_attempt_at IS NULL)
        ELSE EXISTS (
          SELECT FROM webhook_deliveries AS delivery
          WHERE delivery.company_id = endpoint.company_id AND delivery.endpoint_id = endpoint.id
            AND delivery.status = 'pending' AND delivery.next_attempt_at IS NOT NULL)
      END AS "hasStragglers"
    FROM webhook_endpoints AS endpoint
    WHERE company_id = ${companyId} AND id = ${endpointId}
    FOR NO KEY UPDATE`;
  return endpoint ?? null;
}

/**
 * Disables an endpoint and parks its pending deliveries: they stay pending, without a time for the next attempt.
 *
 * @param reason why, for the endpoint's owner; null when the owner did it. An endpoint that is disabled already keeps
 *   the reason it has.
 * @returns whether the endpoint was enabled before.
 */
export async function disableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  reason: string | null,
): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, companyId, endpointId);
  if (endpoint === null || !endpoint.enabled) return false;
  await tx.webhookEndpoint.update({
    where: { companyId_id: { companyId, id: endpointId } },
    data: { enabled: false, disabledReason: reason },
    select: { id: true },
  });
  await alignDeliveries(tx, companyId, endpointId, false);
  return true;
}

/**
 * Enables an endpoint: its failures are forgotten and its parked deliveries are due at once.
 * @returns whether the endpoint was disabled before.
 */
export async function enableEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, companyId, endpointId);
  if (endpoint === null || endpoint.enabled) return false;
  await tx.webhookEndpoint.update({
    where: { companyId_id: { companyId, id: endpointId } },
    data: { enabled: true, disabledReason: null, consecutiveFailures: 0 },
    select: { id: true },
  });
  await alignDeliveries(tx, companyId, endpointId, true);
  return true;
}

/**
 * Makes pending deliveries follow the state of their endpoint, whose row the caller has locked: parks those of a
 * disabled one, lets those of an enabled one go. A delivery whose attempt is under way keeps its claim, so that its
 * outcome can still be written.
 *
 * It moves a batch at most, the oldest first. Every attempt of the endpoint that is recorded, or given up because the
 * endpoint is disabled, moves another: an endpoint with a million pending deliveries neither locks them all at once nor
 * leaves any behind, whatever process ends meanwhile.
 */
export async function alignDeliveries(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  enabled: boolean,
): Promise<void> {
  if (enabled) {
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = clock_timestamp(), ready = claim_token IS NULL
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NULL
        ORDER BY id
        LIMIT ${ALIGN_BATCH}
        FOR NO KEY UPDATE
      ))`;
  } else {
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET next_attempt_at = NULL, ready = false
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND status = 'pending' AND next_attempt_at IS NOT NULL
        ORDER BY id
        LIMIT ${ALIGN_BATCH}
        FOR NO KEY UPDATE
      ))`;
  }
}
