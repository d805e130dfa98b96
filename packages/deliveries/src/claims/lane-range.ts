import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';

/** The order of the index of ready deliveries, `pending_deliveries_ready_idx`. */
export const READY_ORDER = Prisma.sql`requeued, company_id, endpoint_id, id`;

// Endpoints and ids are compared as rows rather than for equality. With equality, once statistics were gathered during a burst,
// the planner chose the index of endpoints and read an endpoint's claimed deliveries for each claim. Row comparisons rule that
// index out. The columns before them are compared for equality, because until PostgreSQL 17 a row comparison ends a scan only at
// the first column of the row.

/**
 * Returns the condition for the ready deliveries of an endpoint, fresh or requeued.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function inLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready AND requeued = ${lane}.requeued AND company_id = ${lane}.company_id
    AND (endpoint_id, id) > (${lane}.endpoint_id, 0::bigint) AND (endpoint_id, id) <= (${lane}.endpoint_id, ${GREATEST_ID})`;
}

/**
 * Returns the condition for the ready deliveries of a workspace, fresh or requeued, at endpoints with a greater id.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function afterLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready AND requeued = ${lane}.requeued AND company_id = ${lane}.company_id
    AND (endpoint_id, id) > (${lane}.endpoint_id, ${GREATEST_ID})`;
}
