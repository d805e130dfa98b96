import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { afterLane, inLane, READY_ORDER } from './claims/lane-range.ts';

/** The numbers of deliveries of all workspaces, by their state. */
export interface DeliveryGauges {
  /**
   * Due and not claimed: ready, or about to become ready. A claim whose lease has ended counts as due. A delivery that must still
   * wait for the rate limit of its endpoint does not.
   */
  due: number;
  /**
   * How long the delivery that has been due longest has waited; 0 if none is due. At an endpoint with a rate limit, the wait
   * begins when the limit allows a delivery.
   */
  oldestDueSeconds: number;
  /** Ready, and waiting only for the rate limit of their endpoint. */
  rateLimited: number;
  /** Claimed: queued as a job or being attempted. A claim whose lease has ended counts until a tick finds it. */
  claimed: number;
  /** On hold, because their endpoint or the API of their workspace is disabled. */
  onHold: number;
  /** Dead letters that were not dismissed, without failed test events. */
  dead: number;
}

/** Counts stop here, so the cost has an upper bound for any backlog. */
export const MAX_COUNTED = 100_000;

/** The maximum of a PostgreSQL integer, which no endpoint has as its id. */
const GREATEST_ENDPOINT = 2_147_483_647;

/** The server cancels a longer statement, so none continues after its reader has given up. */
const STATEMENT_TIMEOUT_MS = 1_500;

/**
 * Reads the gauges in one statement from the partial indexes of these deliveries. It takes no locks.
 *
 * @param maxCount where each count stops. The oldest delivery is looked for among the same number of rows.
 */
export function readDeliveryGauges(db: Database, maxCount: number = MAX_COUNTED): Promise<DeliveryGauges> {
  return db.transaction(async (tx) => {
    await keepToIndexes(tx);
    await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`;
    const [gauges] = await tx.$queryRaw<DeliveryGauges[]>(deliveryGauges(maxCount));
    if (gauges === undefined) throw new Error('the delivery gauges were not read');
    return gauges;
  });
}

/**
 * Forbids sorting, so that the planner reads rows from an index in the requested order. Its row estimates are rough: otherwise it
 * would sometimes scan the whole table, or a whole index, before counting.
 */
export async function keepToIndexes(tx: Queryable): Promise<void> {
  await tx.$executeRaw`SELECT set_config('enable_sort', 'off', true)`;
}

/** Returns the statement that reads the gauges. */
export function deliveryGauges(maxCount: number): Prisma.Sql {
  return Prisma.sql`
    WITH ready_workspace AS MATERIALIZED (
      SELECT company_id FROM (SELECT company_id FROM workspace_queue ORDER BY position LIMIT ${maxCount}) AS listed GROUP BY company_id
    ), rate_limit AS MATERIALIZED (
      SELECT ready_workspace.company_id, own.* FROM ready_workspace CROSS JOIN LATERAL (
        SELECT endpoint_id, remaining_rate_limit(max_per_minute, claimed_at, claimed) AS room,
          rate_limit_open_since(max_per_minute, claimed_at, claimed) AS open_since
        FROM endpoint_rate_limits WHERE company_id = ready_workspace.company_id ORDER BY company_id, endpoint_id
      ) AS own LIMIT ${maxCount}
    ), lane AS (
      -- The ranges of endpoints between two with a rate limit. The scan of a range skips the backlog of the rate-limited
      -- endpoints around it.
      SELECT requeued, company_id, endpoint_id AS before,
        lag(endpoint_id, 1, 0) OVER (PARTITION BY requeued, company_id ORDER BY endpoint_id) AS endpoint_id
      FROM (
        SELECT company_id, endpoint_id FROM rate_limit
        UNION ALL
        SELECT company_id, ${GREATEST_ENDPOINT}::int FROM ready_workspace
      ) AS boundary CROSS JOIN (VALUES (false), (true)) AS kind (requeued)
    ), ready AS (
      SELECT count(*) AS count, min(since) AS since FROM (
        SELECT greatest(next_attempt_at, open_since) AS since FROM rate_limit CROSS JOIN LATERAL (
          ${readyAt(Prisma.sql`rate_limit`, Prisma.sql`LIMIT rate_limit.room`)}
        ) AS allowed
        UNION ALL
        SELECT next_attempt_at FROM lane CROSS JOIN LATERAL (
          SELECT next_attempt_at FROM pending_deliveries
          -- A row comparison ends the scan only at its first column, so the bound is the last possible row of the endpoint
          -- before.
          WHERE ${afterLane(Prisma.sql`lane`)} AND (endpoint_id, id) <= (lane.before - 1, ${GREATEST_ID})
          ORDER BY ${READY_ORDER} LIMIT ${maxCount}
        ) AS without_limit
        LIMIT ${maxCount}
      ) AS bounded
    ), rate_limited AS (
      SELECT count(*) AS count FROM (
        SELECT FROM rate_limit CROSS JOIN LATERAL (
          ${readyAt(Prisma.sql`rate_limit`, Prisma.sql`OFFSET rate_limit.room`)}
        ) AS waiting
        LIMIT ${maxCount}
      ) AS bounded
    ), overdue AS (
      SELECT count(*) AS count, min(since) AS since FROM (
        -- least() ignores null. A claim whose lease has ended was due before it was claimed.
        SELECT least(lease_expires_at, next_attempt_at) AS since FROM pending_deliveries
        WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${maxCount}
      ) AS bounded
    ), claimed AS (
      SELECT count(*) AS count FROM (
        SELECT FROM pending_deliveries WHERE lease_expires_at IS NOT NULL
        ORDER BY company_id, endpoint_id LIMIT ${maxCount}
      ) AS bounded
    ), on_hold AS (
      SELECT count(*) AS count FROM (
        SELECT FROM pending_deliveries
        WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) IS NULL
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${maxCount}
      ) AS bounded
    ), dead AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries
        WHERE ${OPEN_DEAD_LETTER}
        ORDER BY company_id, endpoint_id, created_at, id LIMIT ${maxCount}
      ) AS bounded
    )
    SELECT
      least(ready.count + overdue.count, ${maxCount})::int AS due,
      greatest(0, coalesce(
        extract(epoch FROM statement_timestamp() - least(ready.since, overdue.since)), 0))::float8 AS "oldestDueSeconds",
      rate_limited.count::int AS "rateLimited",
      claimed.count::int AS claimed,
      on_hold.count::int AS "onHold",
      dead.count::int AS dead
    FROM ready, rate_limited, overdue, claimed, on_hold, dead`;
}

/** Returns a query for the ready deliveries of an endpoint in claim order. `part` is its LIMIT or OFFSET clause. */
function readyAt(endpoint: Prisma.Sql, part: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT next_attempt_at FROM (
      SELECT kind.requeued, ${endpoint}.company_id, ${endpoint}.endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
    ) AS lane CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM pending_deliveries WHERE ${inLane(Prisma.sql`lane`)} ORDER BY ${READY_ORDER}
    ) AS one_lane ${part}`;
}
