import type { Database, Queryable } from '@deal-signals/db/database';
import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { behindLane, inLane, READY_ORDER } from './claims/lane-range.ts';

/** The state of the deliveries of all workspaces. */
export interface DeliveryGauges {
  /**
   * Due and not claimed: ready, or about to become ready. A claim whose lease has run out does not count as one, and neither does a
   * delivery that the rate limit of its endpoint does not allow yet.
   */
  due: number;
  /**
   * How long the delivery that has been due longest has waited; 0 if none is due. At an endpoint with a rate limit, the wait begins
   * when the limit allows a delivery.
   */
  oldestDueSeconds: number;
  /** Ready, and waiting for nothing but the rate limit of their endpoint. */
  rateLimited: number;
  /** Claimed: waiting in the queue of attempts or being attempted, or so until a tick finds that the lease has run out. */
  claimed: number;
  /** On hold, because their endpoint or the API of their workspace is disabled. */
  onHold: number;
  /** Dead letters that were not dismissed, other than failed test events. */
  dead: number;
}

/** Counting stops here, so that a backlog of a million costs no more to count than one of this size. */
export const MOST_COUNTED = 100_000;

/** More than any id of an endpoint. */
const GREATEST_ENDPOINT = 2_147_483_647;

/** The server cancels a statement that takes longer, so that none continues after its reader has given up. */
const STATEMENT_TIMEOUT_MS = 1_500;

/**
 * Reads the gauges in one statement, from the partial indexes that hold just these deliveries. It locks nothing.
 *
 * @param most where each count stops. The oldest delivery is looked for among as many.
 */
export function readDeliveryGauges(db: Database, most: number = MOST_COUNTED): Promise<DeliveryGauges> {
  return db.transaction(async (tx) => {
    await keepToIndexes(tx);
    await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`;
    const [gauges] = await tx.$queryRaw<DeliveryGauges[]>(deliveryGauges(most));
    if (gauges === undefined) throw new Error('the delivery gauges were not read');
    return gauges;
  });
}

/**
 * Forbids sorting, so that the planner has to read rows from an index that is in the requested order. Its estimate of
 * how many rows match is rough: it would otherwise sometimes scan the whole table, or read a whole index before counting.
 */
export async function keepToIndexes(tx: Queryable): Promise<void> {
  await tx.$executeRaw`SELECT set_config('enable_sort', 'off', true)`;
}

/** The statement that reads the gauges. */
export function deliveryGauges(most: number): Prisma.Sql {
  return Prisma.sql`
    WITH ready_workspace AS MATERIALIZED (
      SELECT company_id FROM (SELECT company_id FROM workspace_queue ORDER BY position LIMIT ${most}) AS listed GROUP BY company_id
    ), rate_limit AS MATERIALIZED (
      SELECT ready_workspace.company_id, own.* FROM ready_workspace CROSS JOIN LATERAL (
        SELECT endpoint_id, remaining_rate_limit(max_per_minute, claimed_at, claimed) AS room,
          rate_limit_open_since(max_per_minute, claimed_at, claimed) AS open_since
        FROM endpoint_rate_limits WHERE company_id = ready_workspace.company_id ORDER BY company_id, endpoint_id
      ) AS own LIMIT ${most}
    ), lane AS (
      -- The endpoints between two that have a rate limit. A backlog at one of these is not read to find what is behind it.
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
          -- A row ends the scan where its first column is passed, so the last row is that of the endpoint before.
          WHERE ${behindLane(Prisma.sql`lane`)} AND (endpoint_id, id) <= (lane.before - 1, ${GREATEST_ID})
          ORDER BY ${READY_ORDER} LIMIT ${most}
        ) AS without_limit
        LIMIT ${most}
      ) AS bounded
    ), rate_limited AS (
      SELECT count(*) AS count FROM (
        SELECT FROM rate_limit CROSS JOIN LATERAL (
          ${readyAt(Prisma.sql`rate_limit`, Prisma.sql`OFFSET rate_limit.room`)}
        ) AS waiting
        LIMIT ${most}
      ) AS bounded
    ), overdue AS (
      SELECT count(*) AS count, min(since) AS since FROM (
        -- least() ignores null: a claim that has run out was due before it was claimed.
        SELECT least(lease_expires_at, next_attempt_at) AS since FROM pending_deliveries
        WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${most}
      ) AS bounded
    ), claimed AS (
      SELECT count(*) AS count FROM (
        SELECT FROM pending_deliveries WHERE lease_expires_at IS NOT NULL
        ORDER BY company_id, endpoint_id LIMIT ${most}
      ) AS bounded
    ), on_hold AS (
      SELECT count(*) AS count FROM (
        SELECT FROM pending_deliveries
        WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) IS NULL
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${most}
      ) AS bounded
    ), dead AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries
        WHERE ${OPEN_DEAD_LETTER}
        ORDER BY company_id, endpoint_id, created_at, id LIMIT ${most}
      ) AS bounded
    )
    SELECT
      least(ready.count + overdue.count, ${most})::int AS due,
      greatest(0, coalesce(
        extract(epoch FROM statement_timestamp() - least(ready.since, overdue.since)), 0))::float8 AS "oldestDueSeconds",
      rate_limited.count::int AS "rateLimited",
      claimed.count::int AS claimed,
      on_hold.count::int AS "onHold",
      dead.count::int AS dead
    FROM ready, rate_limited, overdue, claimed, on_hold, dead`;
}

/** The ready deliveries of an endpoint in the order in which they are claimed, as far as `part` says. */
function readyAt(endpoint: Prisma.Sql, part: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT next_attempt_at FROM (
      SELECT kind.requeued, ${endpoint}.company_id, ${endpoint}.endpoint_id FROM (VALUES (false), (true)) AS kind (requeued)
    ) AS lane CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM pending_deliveries WHERE ${inLane(Prisma.sql`lane`)} ORDER BY ${READY_ORDER}
    ) AS one_lane ${part}`;
}
