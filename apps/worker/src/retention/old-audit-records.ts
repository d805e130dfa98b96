import type { Database } from '@deal-signals/db/database';
import { firstIdAt } from '@deal-signals/db/feeds/position';

/** Maximum records that one statement removes. It bounds the duration of the statement. */
const BATCH = 500;

/** The audit records of a workspace to remove. */
export interface OldAuditRecords {
  companyId: number;
  /** Records from before this time are old. It is a time of the database, because the clock of a worker may be wrong. */
  before: Date;
}

/**
 * Finds workspaces with audit records that are older than a number of days, by the database's clock. It visits workspaces in id
 * order and reads one record of each.
 *
 * @param after only workspaces with a greater id.
 * @param limit the number of workspaces to visit.
 * @returns the workspaces that were found, and the last one visited; null at the end of the workspaces.
 */
export async function findOldAuditRecords(
  db: Database,
  days: number,
  after: number,
  limit: number,
): Promise<{ found: OldAuditRecords[]; last: number | null }> {
  const rows = await db.$queryRaw<(OldAuditRecords & { isOld: boolean })[]>`
    SELECT company.id AS "companyId", old.before, coalesce(oldest.at < old.before, false) AS "isOld"
    FROM (SELECT id FROM companies WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS company
    LEFT JOIN LATERAL (
      SELECT at FROM audit_records WHERE company_id = company.id ORDER BY audit_records.id LIMIT 1
    ) AS oldest ON true
    CROSS JOIN (SELECT statement_timestamp() - make_interval(days => ${days}::int)) AS old (before)
    ORDER BY company.id`;
  return {
    found: rows.filter(({ isOld }) => isOld),
    last: rows.length < limit ? null : rows.at(-1)!.companyId,
  };
}

/**
 * Removes a batch of a workspace's old audit records, oldest first. The database keeps records that are younger than 30 days in
 * any case: the worker's role cannot delete audit records, and the function that deletes them has this limit.
 *
 * @returns the number of removed records, and whether there may be more.
 */
export async function removeOldAuditRecords(
  db: Database,
  { companyId, before }: OldAuditRecords,
): Promise<{ removed: number; hasMore: boolean }> {
  const [{ removed }] = await db.$queryRaw<[{ removed: number }]>`
    SELECT remove_old_audit_records(${companyId}::int, ${firstIdAt(before)}::bigint, ${BATCH}::int) AS removed`;
  return { removed, hasMore: removed === BATCH };
}
