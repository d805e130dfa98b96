import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { Claim } from './claim.ts';
import type { Lane } from './allocate-slots.ts';
import { inLane, READY_ORDER } from './lane-range.ts';

/**
 * Claims the deliveries for the slots of workspaces: of each workspace the first ones by id, fresh before requeued, and of no
 * endpoint more than its limits allow. Deliveries that another transaction has locked are skipped.
 *
 * The rate limit of an endpoint is locked until the end of the transaction before its deliveries are claimed. If another
 * transaction has locked it, the endpoint is skipped.
 *
 * @returns the claims in id order.
 */
export function claimLanes(
  db: Pick<Queryable, 'query'>,
  lanes: readonly Lane[],
  leaseMs: number,
): Promise<Claim[]> {
  return db.query<Claim>(Prisma.sql`
    WITH lane AS MATERIALIZED (
      SELECT * FROM unnest(
        ${lanes.map(({ companyId }) => companyId)}::int[], ${lanes.map(({ endpointId }) => endpointId)}::int[],
        ${lanes.map(({ isRequeued }) => isRequeued)}::boolean[], ${lanes.map(({ isRateLimited }) => isRateLimited)}::boolean[],
        ${lanes.map(({ room }) => room)}::int[], ${lanes.map(({ slots }) => slots)}::int[]
      ) AS lane (company_id, endpoint_id, requeued, is_rate_limited, room, slots)
    ), rate_limited AS MATERIALIZED (
      SELECT company_id, endpoint_id, lock_rate_limit(company_id, endpoint_id) AS room
      FROM (SELECT DISTINCT company_id, endpoint_id FROM lane WHERE is_rate_limited) AS unlocked
    ), candidate AS (
      SELECT lane.company_id, delivery.id, lane.requeued, lane.slots, least(lane.room, rate_limited.room) AS room,
        row_number() OVER (PARTITION BY lane.company_id, lane.endpoint_id ORDER BY lane.requeued, delivery.id) AS place_at_endpoint
      FROM lane LEFT JOIN rate_limited USING (company_id, endpoint_id) CROSS JOIN LATERAL (
        SELECT id FROM pending_deliveries WHERE ${inLane(Prisma.sql`lane`)}
        ORDER BY ${READY_ORDER} LIMIT least(lane.slots, lane.room, rate_limited.room)
      ) AS delivery
    ), chosen AS (
      SELECT company_id, id FROM (
        SELECT company_id, id, slots, row_number() OVER (PARTITION BY company_id ORDER BY requeued, id) AS slot
        FROM candidate WHERE place_at_endpoint <= room
      ) AS in_order WHERE slot <= slots
    ), locked AS MATERIALIZED (
      SELECT delivery.ctid FROM chosen CROSS JOIN LATERAL (
        SELECT ctid, ready FROM pending_deliveries WHERE company_id = chosen.company_id AND id = chosen.id
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) AS delivery
      -- This checks the row version that was locked. Inside the subquery, the condition would let the planner walk all ready
      -- deliveries of the workspace.
      WHERE delivery.ready
    ), claimed AS (
      UPDATE pending_deliveries
      SET ready = false, claim_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM locked))
      RETURNING company_id, endpoint_id, id, claim_token
    ), spent AS MATERIALIZED (
      SELECT count(consume_rate_limit(company_id, endpoint_id, claims)) AS counted FROM (
        SELECT company_id, endpoint_id, count(*)::int AS claims FROM claimed JOIN rate_limited USING (company_id, endpoint_id)
        GROUP BY company_id, endpoint_id
      ) AS by_limit
    )
    SELECT company_id AS "companyId", id AS "deliveryId", claim_token AS "claimToken" FROM claimed
    -- A SELECT in a CTE runs only if it is referenced.
    WHERE (SELECT counted FROM spent) >= 0
    ORDER BY id, company_id`);
}
