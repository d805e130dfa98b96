import type { Database } from '@deal-signals/db/database';
import { firstIdAt } from '@deal-signals/db/feeds/position';

/** How many records one statement removes, which bounds how long it takes. */
const BATCH = 500;

/** The audit records of a workspace that are to be removed. */
export interface OldAuditRecords {
  companyId: number;
  /** What was written before this moment is old. It is of the database's clock: one worker's may be wrong by years. */
  before: Date;
}

/**
 * Looks through workspaces in the order of their ids for those that have audit records which are older than a number of days, by
 * the database's clock. It reads one record of each.
 *
 * @param after only workspaces with a greater id.
 * @param most how many workspaces to look at.
 * @returns what was found, and the last workspace that was looked at; null at the end of the workspaces.
 */
export async function findOldAuditRecords(
  db: Database,
  days: number,
  after: number,
  most: number,
): Promise<{ found: OldAuditRecords[]; last: number | null }> {
  const rows = await db.$queryRaw<(OldAuditRecords & { isOld: boolean })[]>`
    SELECT company.id AS "companyId", old.before, coalesce(oldest.at < old.before, false) AS "isOld"
    FROM (SELECT id FROM companies WHERE id > ${after} ORDER BY id LIMIT ${most}) AS company
    LEFT JOIN LATERAL (
      SELECT at FROM audit_records WHERE company_id = company.id ORDER BY audit_records.id LIMIT 1
    ) AS oldest ON true
    CROSS JOIN (SELECT statement_timestamp() - make_interval(days => ${days}::int)) AS old (before)
    ORDER BY company.id`;
  return {
    found: rows.filter(({ isOld }) => isOld),
    last: rows.length < most ? null : rows.at(-1)!.companyId,
  };
}

/**
 * Removes a batch of a workspace's old audit records, oldest first. The database keeps what is younger than 30 days, whatever it is
 * asked for: its role cannot delete these records, and the function that can has a limit of its own.
 *
 * @returns how many, and whether there may be more.
 */
export async function removeOldAuditRecords(
  db: Database,
  { companyId, before }: OldAuditRecords,
): Promise<{ removed: number; hasMore: boolean }> {
  const [{ removed }] = await db.$queryRaw<[{ removed: number }]>`
    SELECT remove_old_audit_records(${companyId}::int, ${firstIdAt(before)}::bigint, ${BATCH}::int) AS removed`;
  return { removed, hasMore: removed === BATCH };
}
