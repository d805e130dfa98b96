import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';

/** The order of the index of ready deliveries, `pending_deliveries_ready_idx`. */
export const READY_ORDER = Prisma.sql`requeued, company_id, endpoint_id, id`;

// Endpoints and ids are compared as rows, and not each column for equality. With equality, the planner took the index of endpoints once it
// had counted a burst, and read the claimed deliveries of an endpoint for each claim; comparing rows, it cannot use that one. The columns
// before are compared for equality: until PostgreSQL 17, a scan ends where the first column of a row is passed, and not the second.

/**
 * The condition for the ready deliveries of an endpoint, fresh or requeued.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function inLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready AND requeued = ${lane}.requeued AND company_id = ${lane}.company_id
    AND (endpoint_id, id) > (${lane}.endpoint_id, 0::bigint) AND (endpoint_id, id) <= (${lane}.endpoint_id, ${GREATEST_ID})`;
}

/**
 * The condition for the ready deliveries of a workspace, fresh or requeued, at endpoints with a greater id.
 *
 * @param lane the name of a row that has `requeued`, `company_id` and `endpoint_id`.
 */
export function behindLane(lane: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`ready AND requeued = ${lane}.requeued AND company_id = ${lane}.company_id
    AND (endpoint_id, id) > (${lane}.endpoint_id, ${GREATEST_ID})`;
}
