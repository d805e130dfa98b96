import type { Database, Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';

/** The state of the deliveries of all workspaces. */
export interface DeliveryGauges {
  /** Due and not claimed: ready, or about to become ready. A claim whose lease has run out does not count as one. */
  due: number;
  /** How long the delivery that has been due longest has waited; 0 if none is due. */
  oldestDueSeconds: number;
  /** Claimed: waiting in the queue of attempts or being attempted, or so until a tick finds that the lease has run out. */
  claimed: number;
  /** On hold, because their endpoint or the API of their workspace is disabled. */
  onHold: number;
  /** Dead letters that were not dismissed, other than failed test events. */
  dead: number;
}

/** Counting stops here, so that a backlog of a million costs no more to count than one of this size. */
export const MOST_COUNTED = 100_000;

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
    WITH ready AS (
      SELECT count(*) AS count, min(next_attempt_at) AS since FROM (
        SELECT next_attempt_at FROM pending_deliveries WHERE ready
        ORDER BY requeued, company_id, endpoint_id, id LIMIT ${most}
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
      claimed.count::int AS claimed,
      on_hold.count::int AS "onHold",
      dead.count::int AS dead
    FROM ready, overdue, claimed, on_hold, dead`;
}
