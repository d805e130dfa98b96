import type { Database } from '@deal-signals/db/database';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { erased, type Fields, FIELDS } from './eraser.ts';
import type { Means, Target } from './erasure-run.ts';
import { findPart, type Part } from './find-part.ts';

/** A record that waits for its share link. */
interface HeldRecord {
  rowKey: string;
  kind: string;
  record: string;
}

/** Held records that one statement looks through. A workspace has a thousand at most. */
const PART = 1_000;

const READ = Prisma.sql`SELECT id::text AS "rowKey", kind, record FROM held_records`;

/** Looks through the next held records for those that name a person. The rooms of held records are unknown. */
export function findHeldRecords(
  db: Database,
  { companyId }: Target,
  means: Means,
  after: string | null,
): Promise<Part> {
  const ofWorkspace = Prisma.sql`company_id = ${companyId}`;
  return findPart<HeldRecord>(db, {
    table: Prisma.sql`held_records`,
    key: Prisma.sql`id`,
    keyType: Prisma.sql`bigint`,
    where: ofWorkspace,
    text: Prisma.sql`record`,
    isConcerned: Prisma.sql`false`,
    preselection: means.preselection,
    read: (keys) =>
      db.query(Prisma.sql`${READ} WHERE ${ofWorkspace} AND id = ANY (${keys}::text[]::bigint[])`),
    isNamedIn: (row) => erasedRecord(row, means) !== null,
    after,
    most: PART,
  });
}

/** Erases a person in held records. What is not text, such as the id of the share link, stays as it is. */
export async function rewriteHeldRecords(
  { tx, companyId }: FeedTransaction,
  means: Means,
  ids: readonly string[],
): Promise<void> {
  const rows = await tx.query<HeldRecord>(Prisma.sql`
    ${READ} WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::text[]::bigint[]) FOR NO KEY UPDATE`);
  for (const row of rows) {
    const after = erasedRecord(row, means);
    if (after === null) continue;
    await tx.$executeRaw`
      UPDATE held_records SET key = ${after.key}, record = ${JSON.stringify(after)}
      WHERE company_id = ${companyId} AND id = ${row.rowKey}::bigint`;
  }
}

/** Returns a record without the person; null if it does not name them. */
function erasedRecord({ kind, record }: HeldRecord, { erase }: Means): { key: string } | null {
  const fields: Fields = FIELDS[kind as 'event' | 'view' | 'message'];
  const before = JSON.parse(record) as { key: string };
  const after = erased(before, fields, erase);
  return after === before ? null : after;
}
