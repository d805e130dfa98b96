import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { ClaimLimits } from './claim.ts';
import type { ReadyEndpoint } from './allocate-slots.ts';
import { afterLane, inLane, READY_ORDER } from './lane-range.ts';
import { CLAIM_LOCK } from './wake.ts';

/** The workspaces that have waited longest, and their endpoints with claimable deliveries. */
export interface Ready {
  workspaces: number[];
  endpoints: ReadyEndpoint[];
}

/** The lock is taken before any row is read. If another transaction holds it, the query returns no rows. */
const ALONE = Prisma.sql`WHERE (SELECT pg_try_advisory_xact_lock(${CLAIM_LOCK}))`;

/**
 * Finds the claimable deliveries of the first workspaces of the ready queue, at most as many workspaces as the batch has slots:
 * the first fresh and the first requeued delivery of each endpoint, and how many deliveries of the workspace its limits allow.
 * Deliveries are counted only up to the number of slots that are left for a workspace once every other workspace has one.
 *
 * @param isAlone whether to take `CLAIM_LOCK` until the end of the transaction, and to find nothing if it is already taken.
 */
export async function findReady(
  db: Pick<Queryable, 'query'>,
  { batch, endpointLimit, workspaceLimit }: ClaimLimits,
  isAlone: boolean,
): Promise<Ready> {
  const rows = await db.query<{ workspace: number } & (ReadyEndpoint | { companyId: null })>(Prisma.sql`
    WITH RECURSIVE listed AS MATERIALIZED (
      SELECT DISTINCT company_id FROM (
        SELECT company_id FROM workspace_queue ${isAlone ? ALONE : Prisma.empty} ORDER BY position LIMIT ${batch}
      ) AS first_workspaces
    ), held AS MATERIALIZED (
      SELECT listed.company_id, claimed.endpoint_id, count(claimed.endpoint_id) AS claims,
        ${workspaceLimit}::bigint - sum(count(claimed.endpoint_id)) OVER (PARTITION BY listed.company_id) AS slots
      FROM listed LEFT JOIN LATERAL (
        -- Only the index of claims has this order, so the planner must use it.
        SELECT endpoint_id FROM pending_deliveries WHERE company_id = listed.company_id AND lease_expires_at IS NOT NULL
        ORDER BY endpoint_id LIMIT ${workspaceLimit}
      ) AS claimed ON true
      GROUP BY listed.company_id, claimed.endpoint_id
    ), head AS (
      SELECT DISTINCT kind.requeued, company_id, slots, 0 AS endpoint_id, 0::bigint AS id
      FROM held CROSS JOIN (VALUES (false), (true)) AS kind (requeued) WHERE slots > 0
      UNION ALL
      SELECT head.requeued, head.company_id, head.slots, next.* FROM head CROSS JOIN LATERAL (
        SELECT endpoint_id, id FROM pending_deliveries WHERE ${afterLane(Prisma.sql`head`)}
        ORDER BY ${READY_ORDER} LIMIT 1
      ) AS next
    ), open AS MATERIALIZED (
      SELECT head.company_id, head.endpoint_id, head.slots, count(rate_limit.room) > 0 AS is_rate_limited,
        min(id) FILTER (WHERE NOT requeued) AS fresh_id, min(id) FILTER (WHERE requeued) AS requeued_id,
        least(head.slots, ${endpointLimit}::bigint - coalesce(max(held.claims), 0), min(rate_limit.room)) AS room
      FROM head LEFT JOIN held USING (company_id, endpoint_id) LEFT JOIN LATERAL (
        SELECT remaining_rate_limit(max_per_minute, claimed_at, claimed) AS room FROM endpoint_rate_limits
        WHERE company_id = head.company_id AND endpoint_id = head.endpoint_id LIMIT 1
      ) AS rate_limit ON true
      WHERE head.endpoint_id > 0 GROUP BY head.company_id, head.endpoint_id, head.slots
    ), share AS MATERIALIZED (
      SELECT ${batch}::bigint - count(DISTINCT company_id) + 1 AS max_slots FROM open WHERE room > 0
    ), workspace AS MATERIALIZED (
      SELECT company_id, CASE WHEN max_slots IN (1, ${batch}) THEN max_slots ELSE (SELECT count(*) FROM (
        SELECT FROM open CROSS JOIN LATERAL (
          SELECT FROM (
            SELECT kind.requeued, open.company_id, open.endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
          ) AS lane CROSS JOIN LATERAL (
            SELECT FROM pending_deliveries WHERE ${inLane(Prisma.sql`lane`)}
            ORDER BY ${READY_ORDER} LIMIT greatest(0, open.room)
          ) AS delivery
          LIMIT greatest(0, open.room)
        ) AS own
        WHERE open.company_id = listed.company_id LIMIT max_slots
      ) AS counted) END AS claimable
      FROM listed CROSS JOIN share
    )
    SELECT workspace.company_id AS workspace, open.company_id AS "companyId", endpoint_id AS "endpointId", fresh_id AS "freshId",
      requeued_id AS "requeuedId", room::int, is_rate_limited AS "isRateLimited", least(claimable, slots)::int AS claimable
    FROM workspace LEFT JOIN open ON open.company_id = workspace.company_id AND room > 0`);
  return {
    workspaces: [...new Set(rows.map(({ workspace }) => workspace))],
    endpoints: rows.filter((row) => row.companyId !== null),
  };
}
