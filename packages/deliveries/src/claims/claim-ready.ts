import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { Claim } from './claim.ts';
import { CLAIM_LOCK } from './wake.ts';

/** The ends of an index range. */
export const GREATEST_ID = 2n ** 63n - 1n;
export const GREATEST_INTEGER = 2 ** 31 - 1;

/** How much a tick may claim. */
export interface ClaimLimits {
  /** Deliveries in all. */
  batch: number;
  /** Deliveries of one endpoint, including those whose claims are still held. */
  endpointLimit: number;
  /** Deliveries of one workspace, including those whose claims are still held. */
  workspaceLimit: number;
  leaseMs: number;
}

/** What a tick claimed, and the workspaces that it looked at. */
export interface Claimed {
  claims: Claim[];
  /** To be passed to `requeueWorkspaces`. */
  workspaces: number[];
}

/**
 * Claims ready deliveries, shared fairly between the workspaces. Two dispatchers never claim the same delivery.
 *
 * It looks at the workspaces that have waited longest in the line of `ready_workspaces`, at most as many as the batch has
 * places, and within each at the endpoints that have something ready. The batch is filled round by round: the first
 * delivery of each workspace, then the second of each, and so on. So one workspace's backlog does not delay the others,
 * and a single workspace gets the whole batch in id order. Within a workspace, fresh deliveries come before dead letters
 * that were asked for again.
 *
 * An endpoint that holds its limit of claims gets no more: if its receiver hangs, the remaining capacity of the workers
 * is left to other endpoints. A workspace that holds its limit gets no more either, however many endpoints of it hang.
 * The limits are approximate, since two concurrent ticks may each fill them. A delivery is still claimed only once.
 *
 * An endpoint that has a pace gets no more than that in any minute, however many dispatchers claim: whoever claims for it
 * has locked its pace. If that is locked, the endpoint is left to whoever holds it.
 *
 * The cost does not depend on how many deliveries or workspaces are waiting: one index range is read for each endpoint of
 * the workspaces looked at, no further than the places that the batch has for its workspace.
 */
export function claimReady(db: Queryable, limits: ClaimLimits): Promise<Claimed> {
  return claimIf(db, limits, Prisma.empty);
}

/**
 * Claims as `claimReady` does, unless somebody else who calls this function is claiming at the moment: then it claims nothing.
 * Dispatchers that are woken together would otherwise each fill the limits.
 */
export function claimReadyAlone(db: Queryable, limits: ClaimLimits): Promise<Claimed> {
  return claimIf(db, limits, Prisma.sql`WHERE (SELECT pg_try_advisory_xact_lock(${CLAIM_LOCK}))`);
}

async function claimIf(
  db: Queryable,
  { batch, endpointLimit, workspaceLimit, leaseMs }: ClaimLimits,
  condition: Prisma.Sql,
): Promise<Claimed> {
  // A lane is what one endpoint has ready, fresh or requeued. Lanes are found and read as ranges of the one index whose
  // columns are in this order. With equality on the columns instead, the planner would sometimes walk another index and
  // filter.
  const rows = await db.query<{
    companyId: number;
    deliveryId: bigint | null;
    claimToken: string;
  }>(Prisma.sql`
    WITH RECURSIVE listed AS MATERIALIZED (
      SELECT DISTINCT company_id
      FROM (SELECT company_id FROM ready_workspaces ${condition} ORDER BY position LIMIT ${batch}) AS first_in_line
    ), held AS MATERIALIZED (
      SELECT listed.company_id, claimed.endpoint_id, count(*) AS claims
      FROM listed
      CROSS JOIN LATERAL (
        SELECT endpoint_id FROM pending_deliveries
        WHERE company_id = listed.company_id AND claim_token IS NOT NULL
        LIMIT ${workspaceLimit}
      ) AS claimed
      GROUP BY listed.company_id, claimed.endpoint_id
    ), free AS MATERIALIZED (
      SELECT company_id, ${workspaceLimit}::bigint - coalesce(sum(claims), 0) AS places
      FROM listed LEFT JOIN held USING (company_id)
      GROUP BY company_id
    ), lane AS (
      SELECT kind.requeued, free.company_id, 0 AS endpoint_id, 0::bigint AS first_id, free.places
      FROM free CROSS JOIN (VALUES (false), (true)) AS kind (requeued)
      WHERE free.places > 0
      UNION ALL
      SELECT lane.requeued, lane.company_id, next.endpoint_id, next.id, lane.places
      FROM lane CROSS JOIN LATERAL (
        SELECT endpoint_id, id FROM pending_deliveries
        WHERE ready
          AND (requeued, company_id, endpoint_id, id)
            > (lane.requeued, lane.company_id, lane.endpoint_id, ${GREATEST_ID})
          AND (requeued, company_id, endpoint_id, id)
            < (lane.requeued, lane.company_id, ${GREATEST_INTEGER}::int, ${GREATEST_ID})
        ORDER BY requeued, company_id, endpoint_id, id
        LIMIT 1
      ) AS next
    ), paced AS MATERIALIZED (
      SELECT company_id, endpoint_id, lock_pace(company_id, endpoint_id) AS allowed
      FROM (SELECT DISTINCT company_id, endpoint_id FROM lane WHERE endpoint_id > 0) AS with_ready
      CROSS JOIN LATERAL (
        SELECT FROM endpoint_paces
        WHERE endpoint_paces.company_id = with_ready.company_id AND endpoint_paces.endpoint_id = with_ready.endpoint_id
        LIMIT 1
      ) AS pace
    ), limited AS MATERIALIZED (
      -- least() ignores the pace of an endpoint that has none.
      SELECT lane.*, least(${endpointLimit}::bigint - coalesce(held.claims, 0), paced.allowed) AS allowed
      FROM lane
      LEFT JOIN held USING (company_id, endpoint_id)
      LEFT JOIN paced USING (company_id, endpoint_id)
      WHERE lane.endpoint_id > 0
    ), serving AS MATERIALIZED (
      SELECT count(DISTINCT company_id) AS workspaces FROM limited WHERE allowed > 0
    ), share AS MATERIALIZED (
      -- Every other workspace that can be served gets one place at least.
      SELECT requeued, company_id, endpoint_id, first_id, allowed,
        least(places, ${batch}::bigint - workspaces + 1) AS places
      FROM limited CROSS JOIN serving
    ), candidate AS (
      SELECT lane.company_id, delivery.id, lane.requeued, lane.places, lane.allowed, row_number() OVER (
        PARTITION BY lane.company_id, lane.endpoint_id ORDER BY lane.requeued, delivery.id
      ) AS place_at_endpoint
      FROM share AS lane
      CROSS JOIN LATERAL (
        -- The first one was found with its lane. With a place each, as for many workspaces, the index is not entered again.
        SELECT lane.first_id AS id WHERE least(lane.places, lane.allowed) > 0
        UNION ALL (
          SELECT id FROM pending_deliveries
          WHERE ready
            AND (requeued, company_id, endpoint_id, id)
              > (lane.requeued, lane.company_id, lane.endpoint_id, lane.first_id)
            AND (requeued, company_id, endpoint_id, id)
              <= (lane.requeued, lane.company_id, lane.endpoint_id, ${GREATEST_ID})
          ORDER BY requeued, company_id, endpoint_id, id
          LIMIT greatest(0, least(lane.places, lane.allowed) - 1)
        )
      ) AS delivery
    ), chosen AS (
      SELECT company_id, id FROM (
        SELECT company_id, id, places, row_number() OVER (PARTITION BY company_id ORDER BY requeued, id) AS round
        FROM candidate WHERE place_at_endpoint <= allowed
      ) AS in_rounds
      WHERE round <= places
      ORDER BY round, id
      LIMIT ${batch}
    ), locked AS MATERIALIZED (
      -- Of arrays, the planner assumes that they are short. Of a limit that it does not know, it assumes a tenth of all.
      SELECT delivery.* FROM unnest(
        ARRAY(SELECT company_id FROM chosen ORDER BY company_id, id),
        ARRAY(SELECT id FROM chosen ORDER BY company_id, id)
      ) AS wanted (company_id, id)
      CROSS JOIN LATERAL (
        SELECT company_id, id FROM pending_deliveries
        WHERE company_id = wanted.company_id AND id = wanted.id AND ready
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS delivery
    ), claimed AS (
      UPDATE pending_deliveries AS delivery
      SET ready = false,
          claim_token = gen_random_uuid(),
          lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      FROM locked
      WHERE delivery.company_id = locked.company_id AND delivery.id = locked.id
      RETURNING delivery.company_id, delivery.endpoint_id, delivery.id, delivery.claim_token
    ), spent AS MATERIALIZED (
      SELECT count(spend_pace(company_id, endpoint_id, claims)) AS paces FROM (
        SELECT company_id, endpoint_id, count(*)::int AS claims
        FROM claimed JOIN paced USING (company_id, endpoint_id)
        GROUP BY company_id, endpoint_id
      ) AS by_pace
    )
    SELECT listed.company_id AS "companyId", claimed.id AS "deliveryId", claimed.claim_token AS "claimToken"
    FROM listed LEFT JOIN claimed USING (company_id)
    -- Nothing would be spent if nobody read it.
    WHERE (SELECT paces FROM spent) >= 0
    ORDER BY claimed.id, listed.company_id`);
  return {
    claims: rows.flatMap(({ deliveryId, ...claim }) => (deliveryId === null ? [] : { ...claim, deliveryId })),
    workspaces: [...new Set(rows.map(({ companyId }) => companyId))],
  };
}
