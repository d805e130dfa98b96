import type { Queryable } from '@deal-signals/db/database';
import type { Claim } from './claim.ts';

const GREATEST_ID = 2n ** 63n - 1n;

/** How much a tick may claim. */
export interface ClaimLimits {
  /** Deliveries in all. */
  batch: number;
  /** Deliveries of one endpoint, those counted whose claims are still out. */
  endpointLimit: number;
  leaseMs: number;
}

/**
 * Claims deliveries of the ready queue, in id order. Two dispatchers never claim the same one.
 *
 * An endpoint that has its limit of claims out gets no further ones: if its receiver hangs, the rest of the workers is
 * for the others. What it has ready stays in the queue, and the others' deliveries behind it are claimed instead. Two
 * ticks at the same moment may each fill an endpoint up to its limit; that is soft, the claims are not.
 */
export async function claimReady(db: Queryable, limits: ClaimLimits): Promise<Claim[]> {
  const { batch } = limits;
  const { seen, claims } = await claimFirst(db, limits);
  // Nothing was held back, or there is nothing behind what was.
  if (claims.length === seen || seen < batch) return claims;
  const others = await claimOfOthers(db, { ...limits, batch: batch - claims.length });
  return [...claims, ...others];
}

/** Claims the first of the ready queue, and reads nothing else: those of an endpoint at its limit are left. */
async function claimFirst(
  db: Queryable,
  { batch, endpointLimit, leaseMs }: ClaimLimits,
): Promise<{ seen: number; claims: Claim[] }> {
  const rows = await db.$queryRaw<(Claim & { seen: number })[]>`
    WITH first AS MATERIALIZED (
      SELECT id, company_id, endpoint_id
      FROM webhook_deliveries
      WHERE ready
      ORDER BY id
      LIMIT ${batch}
      FOR NO KEY UPDATE SKIP LOCKED
    ), busy AS MATERIALIZED (
      SELECT company_id, endpoint_id, (
        SELECT count(*) FROM (
          SELECT FROM webhook_deliveries AS claimed
          WHERE claimed.company_id = endpoint.company_id AND claimed.endpoint_id = endpoint.endpoint_id
            AND claimed.claim_token IS NOT NULL
          LIMIT ${endpointLimit}
        ) AS bounded
      ) AS claims
      FROM (SELECT DISTINCT company_id, endpoint_id FROM first) AS endpoint
    ), placed AS (
      SELECT first.id,
        busy.claims + row_number() OVER (PARTITION BY company_id, endpoint_id ORDER BY first.id) AS place
      FROM first JOIN busy USING (company_id, endpoint_id)
    ), claimed AS (
      UPDATE webhook_deliveries
      SET ready = false,
          claim_token = gen_random_uuid(),
          lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      WHERE id = ANY (ARRAY(SELECT id FROM placed WHERE place <= ${endpointLimit}))
      RETURNING company_id, id, claim_token
    )
    SELECT claimed.company_id AS "companyId", claimed.id AS "deliveryId", claimed.claim_token AS "claimToken",
      seen.count AS seen
    FROM (SELECT count(*)::int FROM first) AS seen LEFT JOIN claimed ON true
    ORDER BY claimed.id`;
  const claims = rows.filter(({ deliveryId }) => deliveryId !== null);
  return {
    seen: rows[0]?.seen ?? 0,
    claims: claims.map(({ companyId, deliveryId, claimToken }) => ({ companyId, deliveryId, claimToken })),
  };
}

/**
 * Claims the first of what the endpoints below their limits have ready. It hops from one endpoint that has something
 * ready to the next and looks at a batch of each at most, however much those at their limit have waiting. An endpoint's
 * rows are asked for as a range of the one index that is sorted like this: by two equal columns, the planner would at
 * times rather walk the whole queue in id order.
 */
function claimOfOthers(db: Queryable, { batch, endpointLimit, leaseMs }: ClaimLimits): Promise<Claim[]> {
  return db.$queryRaw<Claim[]>`
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id, company_id FROM webhook_deliveries WHERE ready ORDER BY endpoint_id, company_id LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id, next.company_id
      FROM waiting CROSS JOIN LATERAL (
        SELECT endpoint_id, company_id FROM webhook_deliveries
        WHERE ready AND (endpoint_id, company_id) > (waiting.endpoint_id, waiting.company_id)
        ORDER BY endpoint_id, company_id
        LIMIT 1
      ) AS next
    ), first AS (
      SELECT delivery.id
      FROM waiting
      CROSS JOIN LATERAL (
        SELECT count(*) AS claims FROM (
          SELECT FROM webhook_deliveries AS claimed
          WHERE claimed.company_id = waiting.company_id AND claimed.endpoint_id = waiting.endpoint_id
            AND claimed.claim_token IS NOT NULL
          LIMIT ${endpointLimit}
        ) AS bounded
      ) AS busy
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries
        WHERE ready
          AND (endpoint_id, company_id, id) > (waiting.endpoint_id, waiting.company_id, 0)
          AND (endpoint_id, company_id, id) <= (waiting.endpoint_id, waiting.company_id, ${GREATEST_ID})
        ORDER BY endpoint_id, company_id, id
        LIMIT least(${batch}::int, ${endpointLimit}::int - busy.claims)
      ) AS delivery
      ORDER BY delivery.id
      LIMIT ${batch}
    ), claimed AS (
      UPDATE webhook_deliveries
      SET ready = false,
          claim_token = gen_random_uuid(),
          lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE id = ANY (ARRAY(SELECT id FROM first)) AND ready
        ORDER BY id
        FOR NO KEY UPDATE SKIP LOCKED
      ))
      RETURNING company_id AS "companyId", id AS "deliveryId", claim_token AS "claimToken"
    )
    SELECT * FROM claimed ORDER BY "deliveryId"`;
}
