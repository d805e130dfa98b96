import type { Queryable } from '@deal-signals/db/queryable';

/** Rows that one statement moves. It bounds how long the statement holds its locks. */
const BATCH = 1_000;
/** How long a tick may spend marking deliveries before it claims. The next tick marks the rest. */
const BUDGET_MS = 2_000;

/**
 * Moves due deliveries into the ready queue: those whose wait after a failure is over, and those whose claim's lease has ended. A
 * delivery that was put on hold while it was claimed only loses its claim.
 *
 * @returns the number of moved deliveries.
 */
export async function markDue(db: Queryable): Promise<number> {
  const endMs = performance.now() + BUDGET_MS;
  let total = 0;
  for (;;) {
    // Rows are updated by ctid, because a join on the key might read all deliveries. A row that was changed since the statement
    // began is left to the next one. statement_timestamp() is stable, so it can bound the index scan; clock_timestamp() cannot.
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
