import type { Transaction } from '@deal-signals/db/database';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';
import { type DeadLetterSelection, moveDeadLetters } from './dead-letters.ts';

/** The result of a requested retry. */
export type RetryResult = 'retried' | 'unknown' | 'delivered' | 'endpoint removed';

/** Maximum dead letters that one call retries. One transaction, which locks the endpoint's row, retries them all. */
export const MAX_RETRIED = 10_000;

/**
 * Makes a dead or pending delivery due at once. If the endpoint is disabled, the delivery is on hold.
 *
 * A dead delivery moves from the log to the queue and is no longer dismissed. It starts a new schedule and is claimed after the
 * fresh deliveries of its workspace. A pending delivery continues its schedule. A claimed delivery keeps its claim, so that it is
 * not sent twice at the same time; if its current attempt fails, the next one follows at once.
 */
export async function retryDelivery(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  deliveryId: bigint,
): Promise<RetryResult> {
  // The endpoint is always locked before its deliveries: see endpoint-state.ts. Deliveries end, and leave the log, only under
  // that lock.
  const state = await lockEndpoint(tx, companyId, endpointId);
  const [delivery] = await tx.$queryRaw<{ status: DeliveryStatus }[]>`
    SELECT status::text FROM deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND id = ${deliveryId}`;
  if (delivery === undefined) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  if (delivery.status === 'delivered') return 'delivered';
  const isOpen = state === 'open';
  if (delivery.status === 'dead') {
    const moved = await tx.$executeRaw`
      WITH ${requeue(companyId, isOpen, Prisma.sql`ARRAY[${deliveryId}::bigint]`)} SELECT FROM moved`;
    return moved === 0 ? 'unknown' : 'retried';
  }
  await tx.$executeRaw`
    UPDATE pending_deliveries
    SET next_attempt_at = CASE WHEN ${isOpen} THEN clock_timestamp() END,
        ready = ${isOpen} AND claim_token IS NULL,
        retry_requested_at = CASE WHEN claim_token IS NOT NULL THEN clock_timestamp() END
    WHERE company_id = ${companyId} AND id = ${deliveryId}`;
  return 'retried';
}

/**
 * Retries dead letters of an endpoint, oldest first, each as `retryDelivery` does. Failed test events and dismissed dead letters
 * stay dead.
 *
 * @param limit the maximum number to retry.
 * @returns what was retried, or the reason why nothing was.
 */
export function retryDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  limit: number = MAX_RETRIED,
) {
  const move = (ids: Prisma.Sql, isOpen: boolean) => requeue(companyId, isOpen, ids);
  return moveDeadLetters(tx, companyId, endpointId, selection, move, limit);
}

/**
 * Moves dead deliveries from the log back to the queue, where they start a new schedule. Retention may have removed some of them;
 * nothing else takes them out of the log while the endpoint is locked. The ids need no condition on the status, which would let
 * the planner walk all dead deliveries of the workspace: that took 2.1 s instead of 0.1 s for 10,000 of 100,000.
 */
function requeue(companyId: number, isOpen: boolean, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    dead AS (
      DELETE FROM webhook_deliveries
      WHERE company_id = ${companyId} AND id = ANY (${ids})
      RETURNING *
    ), moved AS (
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, last_status_code, last_error, ready, requeued)
      SELECT company_id, id, endpoint_id, event_id, event_type, created_at,
        CASE WHEN ${isOpen} THEN clock_timestamp() END, last_status_code, last_error, ${isOpen}, true
      FROM dead
      RETURNING created_at, id
    )`;
}
