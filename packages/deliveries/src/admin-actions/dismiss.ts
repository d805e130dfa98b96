import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type DeadLetterSelection, moveDeadLetters } from './dead-letters.ts';

/** Maximum dead letters that one call dismisses. One transaction, which locks the endpoint's row, dismisses them all. */
export const MAX_DISMISSED = 10_000;

/**
 * Dismisses dead letters of an endpoint, oldest first. They stay in the log as dead, but they are no longer counted, and
 * `retryDead` skips them. Failed test events are never counted, so they are not dismissed.
 *
 * @param limit the maximum number to dismiss.
 * @returns what was dismissed, or the reason why nothing was.
 */
export function dismissDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  limit: number = MAX_DISMISSED,
) {
  const dismiss = (ids: Prisma.Sql) => Prisma.sql`
    moved AS (
      UPDATE webhook_deliveries SET dismissed_at = clock_timestamp()
      WHERE company_id = ${companyId} AND id = ANY (${ids})
      RETURNING created_at, id
    )`;
  return moveDeadLetters(tx, companyId, endpointId, selection, dismiss, limit);
}
