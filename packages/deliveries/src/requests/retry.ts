import type { Transaction } from '@deal-signals/db/database';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';
import { type DeadLetterSelection, moveDeadLetters, type MovedDeadLetters } from './dead-letters.ts';

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
 * Retries dead letters of an endpoint, oldest first, each as `retryDelivery` does. Failed test events and dismissed dead
 * letters stay dead.
 *
 * @returns what was retried, at most `most`; or why nothing was.
 */
export async function retryDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  most: number = MOST_RETRIED,
): Promise<MovedDeadLetters | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const isEnabled = state === 'enabled';
  const changes = Prisma.sql`
    status = 'pending',
    attempts = 0,
    requeued = true,
    next_attempt_at = CASE WHEN ${isEnabled} THEN clock_timestamp() END,
    ready = ${isEnabled}`;
  return moveDeadLetters(tx, companyId, endpointId, selection, changes, most);
}
