import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { EXPIRED, earliestHeldAt, type HeldEntry } from './hold-records.ts';
import { identityOf } from '../records/identity.ts';
import { parseRecord } from '../records/parse-record.ts';
import { RecordError } from '../records/record-error.ts';
import { groupRecords } from '../transaction/record-groups.ts';
import { writeEngagement } from '../writers/engagement.ts';
import { writeViews } from '../writers/view.ts';

interface HeldRow {
  id: bigint;
  kind: string;
  key: string;
  distributionId: string;
  record: string;
  heldAt: Date;
}

/**
 * Writes the records that have waited for share links, in the order in which they were held. Records that have waited too
 * long, or that contradict stored data, are refused: they stay in the table with the reason.
 *
 * @param lineOf the lines of the records that the links were captured with, by the id of the link.
 */
export async function releaseRecords(
  capture: CaptureTransaction,
  lineOf: ReadonlyMap<string, number>,
): Promise<void> {
  if (lineOf.size === 0) return;
  const { tx, companyId } = capture;
  const rows = await tx.$queryRaw<HeldRow[]>`
    SELECT id, kind, key, distribution_id AS "distributionId", record, held_at AS "heldAt" FROM held_records
    WHERE company_id = ${companyId} AND distribution_id = ANY (${[...lineOf.keys()]}::uuid[]) AND problem IS NULL
    ORDER BY held_records.id`;
  if (rows.length === 0) return;

  const refused = new Map<HeldRow, string>();
  const rowOf = new Map<HeldEntry, HeldRow>();
  for (const [n, row] of rows.entries()) {
    if (row.heldAt < earliestHeldAt(capture)) refused.set(row, EXPIRED);
    else {
      // Between the line of the link and the next one, so that the webhooks are in the order of the records too.
      const entry = parseHeld(row, lineOf.get(row.distributionId)! + (n + 1) / (rows.length + 1));
      if (entry instanceof RecordError) refused.set(row, entry.message);
      else rowOf.set(entry, row);
    }
  }
  const counted = capture.changed.length;
  for (const { kind, entries } of groupRecords([...rowOf.keys()])) {
    const write = (kind === 'view' ? writeViews : writeEngagement) as typeof writeEngagement;
    await write(capture, entries as Parameters<typeof writeEngagement>[1], (entry, error) =>
      refused.set(rowOf.get(entry)!, error.message),
    );
  }
  await removeReleased(capture, rows, refused);
  countReleased(capture, counted, rowOf, refused);
}

/** Parses a held record. It was valid when it was held; a later version of the product may refuse it. */
function parseHeld({ record }: HeldRow, line: number): HeldEntry | RecordError {
  try {
    return { line, record: parseRecord(JSON.parse(record), line, { lenient: true }) as HeldEntry['record'] };
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}

/** Removes the rows of the records that were written, and keeps the others with the reason. */
async function removeReleased(
  { tx, companyId, refusedHeld }: CaptureTransaction,
  rows: readonly HeldRow[],
  refused: ReadonlyMap<HeldRow, string>,
): Promise<void> {
  const written = rows.filter((row) => !refused.has(row)).map(({ id }) => id);
  await tx.$executeRaw`DELETE FROM held_records WHERE company_id = ${companyId} AND id = ANY (${written}::bigint[])`;
  if (refused.size === 0) return;
  const reasons = [...refused].map(([{ id }, problem]) => ({ id: String(id), problem }));
  await tx.$executeRaw`
    UPDATE held_records SET problem = n.problem
    FROM json_to_recordset(${JSON.stringify(reasons)}::json) AS n (id bigint, problem text)
    WHERE held_records.company_id = ${companyId} AND held_records.id = n.id`;
  for (const [{ kind, key }, problem] of refused) refusedHeld.push({ kind, key, problem });
}

/** A released record counts in the batch that it came with. If that is this one, it is no longer held but captured. */
function countReleased(
  { changed, held }: CaptureTransaction,
  counted: number,
  rowOf: ReadonlyMap<HeldEntry, HeldRow>,
  refused: ReadonlyMap<HeldRow, string>,
): void {
  changed.length = counted;
  for (const [{ record }, row] of rowOf) {
    const identity = identityOf(record);
    if (!refused.has(row) && held.delete(identity)) changed.push(identity);
  }
}
