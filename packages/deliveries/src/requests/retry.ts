import type { Transaction } from '@deal-signals/db/database';
import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

/** The result of a requested retry. */
export type RetryResult = 'retried' | 'unknown' | 'delivered' | 'endpoint removed';

/** How many dead letters one call retries at most. It does so in one transaction, which locks the endpoint's row. */
export const MOST_RETRIED = 10_000;

/**
 * Makes a dead or pending delivery due at once. A dead one starts a new schedule, queued behind the fresh deliveries of
 * its workspace, and is no longer dismissed; a pending one continues its own schedule. If an attempt is under way, its
 * claim stays, so that the delivery is not sent twice at the same time; if that attempt fails, the next one follows at once.
 * If the endpoint is disabled, the delivery is parked.
 */
export async function retryDelivery(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  deliveryId: bigint,
): Promise<RetryResult> {
  // The endpoint is always locked before its deliveries; see endpoint-state.ts.
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
        retry_requested = claim_token IS NOT NULL,
        requeued = status = 'dead',
        dismissed_at = NULL
    WHERE company_id = ${companyId} AND id = ${deliveryId}`;
  return 'retried';
}

/**
 * Retries the dead letters of an endpoint, oldest first, each as `retryDelivery` does. Failed test events and dismissed
 * dead letters stay dead.
 *
 * @param since retries only deliveries of events created then or later; null retries all.
 * @returns how many were retried, at most `MOST_RETRIED`; or why none was.
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
  // Dead letters change only under the endpoint's lock, so their rows need no lock of their own. Locking them in the
  // subquery would make PostgreSQL read and sort all dead letters instead of walking the index up to the limit.
  return tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'pending',
        attempts = 0,
        requeued = true,
        next_attempt_at = CASE WHEN ${state === 'enabled'} THEN clock_timestamp() END,
        ready = ${state === 'enabled'}
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND status = 'dead'
        AND dismissed_at IS NULL AND event_type <> 'integration.ping'
        AND created_at >= coalesce(${since}::timestamptz, '-infinity')
      ORDER BY created_at, id
      LIMIT ${MOST_RETRIED}
    ))`;
}
