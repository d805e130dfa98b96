import type { Database, Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** How the deliveries of all workspaces stand. */
export interface DeliveryGauges {
  /** Ready, or overdue to become so. */
  due: number;
  /** How long the one that has been due the longest has waited; 0 when none is due. */
  oldestDueSeconds: number;
  /** Pending without a next attempt: their endpoints are disabled. */
  parked: number;
  dead: number;
}

/** Where counting stops: a backlog of a million costs no more to look at than one of so many. */
export const MOST_COUNTED = 100_000;

/** The server cuts a statement that takes longer, so that none goes on when nobody waits for it any more. */
const STATEMENT_TIMEOUT_MS = 1_500;

/**
 * Reads the gauges, in one statement and from the four partial indexes that hold just these deliveries. Nothing is locked.
 *
 * @param most where each count stops; the oldest is looked for among as many.
 */
export function readDeliveryGauges(db: Database, most: number = MOST_COUNTED): Promise<DeliveryGauges> {
  return db.$transaction(async (tx) => {
    await keepToIndexes(tx);
    await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`;
    const [gauges] = await tx.$queryRaw<DeliveryGauges[]>(deliveryGauges(most));
    if (gauges === undefined) throw new Error('the delivery gauges were not read');
    return gauges;
  });
}

/**
 * Whatever does not come out of an index in the order that is asked for would have to be sorted: without sorting, the
 * planner cannot trade the walks for the whole table, or collect all of an index before it counts the first of it. It
 * knows the share of such rows only roughly.
 */
export async function keepToIndexes(tx: Queryable): Promise<void> {
  await tx.$executeRaw`SELECT set_config('enable_sort', 'off', true)`;
}

/** The statement that reads the gauges. */
export function deliveryGauges(most: number): Prisma.Sql {
  return Prisma.sql`
    WITH ready AS (
      SELECT count(*) AS count, min(next_attempt_at) AS since FROM (
        SELECT next_attempt_at FROM webhook_deliveries WHERE ready ORDER BY id LIMIT ${most}
      ) AS bounded
    ), overdue AS (
      SELECT count(*) AS count, min(since) AS since FROM (
        SELECT coalesce(lease_expires_at, next_attempt_at) AS since FROM webhook_deliveries
        WHERE status = 'pending' AND NOT ready
          AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${most}
      ) AS bounded
    ), parked AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at IS NULL
        ORDER BY company_id, endpoint_id, id LIMIT ${most}
      ) AS bounded
    ), dead AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries WHERE status = 'dead'
        ORDER BY company_id, endpoint_id, created_at, id LIMIT ${most}
      ) AS bounded
    )
    SELECT
      least(ready.count + overdue.count, ${most})::int AS due,
      greatest(0, coalesce(extract(epoch FROM statement_timestamp() - least(ready.since, overdue.since)), 0))::float8
        AS "oldestDueSeconds",
      parked.count::int AS parked,
      dead.count::int AS dead
    FROM ready, overdue, parked, dead`;
}
