import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';

const GREATEST_INTEGER = 2 ** 31 - 1;

/** The order of the index of ready deliveries, `pending_deliveries_ready_idx`. */
export const READY_ORDER = Prisma.sql`requeued, company_id, endpoint_id, id`;

// Rows are compared, and not each column for equality, because then no other index has the order that is asked for. With equality, the
// planner took the index of endpoints once it had counted a burst, and read the claimed deliveries of an endpoint for each claim.

/**
 * The condition for the ready deliveries of an endpoint, fresh or requeued.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function inLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready
    AND (${READY_ORDER}) > (${lane}.requeued, ${lane}.company_id, ${lane}.endpoint_id, 0::bigint)
    AND (${READY_ORDER}) <= (${lane}.requeued, ${lane}.company_id, ${lane}.endpoint_id, ${GREATEST_ID})`;
}

/**
 * The condition for the ready deliveries of a workspace, fresh or requeued, at endpoints with a greater id.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function behindLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready
    AND (${READY_ORDER}) > (${lane}.requeued, ${lane}.company_id, ${lane}.endpoint_id, ${GREATEST_ID})
    AND (${READY_ORDER}) < (${lane}.requeued, ${lane}.company_id, ${GREATEST_INTEGER}::int, ${GREATEST_ID})`;
}
