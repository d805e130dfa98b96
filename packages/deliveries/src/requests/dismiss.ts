import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type DeadLetterSelection, moveDeadLetters } from './dead-letters.ts';

/** How many dead letters one call dismisses at most. It does so in one transaction, which locks the endpoint's row. */
export const MAX_DISMISSED = 10_000;

/**
 * Dismisses dead letters of an endpoint, oldest first: they stay in the log as dead, but are no longer counted, and
 * `retryDead` leaves them alone. Failed test events are not counted anyway, so they are not dismissed.
 *
 * @returns what was dismissed, at most `most`; or why nothing was.
 */
export function dismissDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  most: number = MAX_DISMISSED,
) {
  const dismiss = (ids: Prisma.Sql) => Prisma.sql`
    moved AS (
      UPDATE webhook_deliveries SET dismissed_at = clock_timestamp()
      WHERE company_id = ${companyId} AND id = ANY (${ids})
      RETURNING created_at, id
    )`;
  return moveDeadLetters(tx, companyId, endpointId, selection, dismiss, most);
}
