import type { Transaction } from '@deal-signals/db/database';
import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import { lockEndpoint } from './endpoint-state.ts';

/** What came of asking for a retry. */
export type RetryResult = 'retried' | 'unknown' | 'delivered' | 'endpoint removed';

/** So many dead letters one call brings back, in one transaction that holds the endpoint's row meanwhile. */
export const MOST_RETRIED = 10_000;

/**
 * Makes a delivery that is not delivered due at once. A dead one begins a whole new schedule, a pending one goes on with
 * its own. While an attempt is under way its claim stays, so that it is not sent twice at the same time; should that
 * attempt fail, the next one follows at once. At a disabled endpoint the delivery is parked.
 */
export async function retryDelivery(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  deliveryId: bigint,
): Promise<RetryResult> {
  // Everybody locks the endpoint before its deliveries; see endpoint-state.
  const state = await lockEndpoint(tx, companyId, endpointId);
  const [delivery] = await tx.$queryRaw<{ status: DeliveryStatus }[]>`
    SELECT status::text FROM webhook_deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND id = ${deliveryId}
    FOR NO KEY UPDATE`;
  if (delivery === undefined) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  if (delivery.status === 'delivered') return 'delivered';
  await tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'pending',
        attempts = CASE WHEN status = 'dead' THEN 0 ELSE attempts END,
        next_attempt_at = CASE WHEN ${state === 'enabled'} THEN clock_timestamp() END,
        ready = ${state === 'enabled'} AND claim_token IS NULL,
        retry_requested = claim_token IS NOT NULL
    WHERE company_id = ${companyId} AND id = ${deliveryId}`;
  return 'retried';
}

/**
 * Brings the dead letters of an endpoint back, the oldest first, as `retryDelivery` does with one.
 *
 * @param since only those of events since then; null for all.
 * @returns how many, at most `MOST_RETRIED`; or why not.
 */
export async function retryDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  since: Date | null,
): Promise<number | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  // What is dead changes under the endpoint's lock alone. Locking the rows as they are chosen would make PostgreSQL read
  // and sort them all, however many there are, instead of walking the index as far as it takes.
  return tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'pending',
        attempts = 0,
        next_attempt_at = CASE WHEN ${state === 'enabled'} THEN clock_timestamp() END,
        ready = ${state === 'enabled'}
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND status = 'dead'
        AND created_at >= coalesce(${since}::timestamptz, '-infinity')
      ORDER BY created_at, id
      LIMIT ${MOST_RETRIED}
    ))`;
}
