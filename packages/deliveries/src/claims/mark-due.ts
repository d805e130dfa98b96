import type { Queryable } from '@deal-signals/db/database';

/** Rows that one statement moves, which bounds how long it holds their locks. */
const BATCH = 1_000;
/** How long a tick may spend marking deliveries before it claims. The next tick marks the rest. */
const BUDGET_MS = 2_000;

/**
 * Moves deliveries that have become due into the ready queue: the wait after a failure is over, or the lease of a claim
 * has run out. A delivery that was put on hold while it was claimed only loses its claim.
 *
 * @returns how many deliveries were moved.
 */
export async function markDue(db: Queryable): Promise<number> {
  const endMs = performance.now() + BUDGET_MS;
  let total = 0;
  for (;;) {
    // By their places in the table, because joined by their keys, all deliveries might be read. One that was changed since the statement
    // began is left to the next. statement_timestamp() is constant within the statement, so it can bound the index scan;
    // clock_timestamp() cannot.
    const moved = await db.$executeRaw`
      WITH due AS MATERIALIZED (
        SELECT ctid FROM pending_deliveries
        WHERE NOT ready AND coalesce(lease_expires_at, next_attempt_at) <= statement_timestamp()
        ORDER BY coalesce(lease_expires_at, next_attempt_at)
        LIMIT ${BATCH}
        FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE pending_deliveries
      SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested_at = NULL
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM due))`;
    total += moved;
    if (moved < BATCH || performance.now() > endMs) return total;
  }
}
