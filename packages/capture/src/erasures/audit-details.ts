import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { ErasureTools, SearchTarget } from './erasure-run.ts';
import { findBatch, type Batch } from './find-batch.ts';
import type { Matcher } from './matching/matcher.ts';

interface AuditRecord {
  rowKey: string;
  details: unknown;
}

/** A text in the details of an audit record that names a person. */
interface ErasedText {
  /** The keys and positions that lead to it. */
  path: string[];
  /** The pieces of it that stay. */
  kept: string[];
}

/** Audit records that one statement scans. */
const BATCH_SIZE = 5_000;

/** Scans the next audit records for details that name a person. */
export function findAuditRecords(
  db: Database,
  { companyId }: SearchTarget,
  { matcher, preselection }: ErasureTools,
  after: string | null,
): Promise<Batch> {
  return findBatch<AuditRecord>(db, {
    table: Prisma.sql`audit_records`,
    key: Prisma.sql`id`,
    keyType: Prisma.sql`bigint`,
    where: Prisma.sql`company_id = ${companyId}`,
    text: Prisma.sql`details::text`,
    isConcerned: Prisma.sql`false`,
    preselection,
    read: (keys) => readDetails(db, companyId, keys),
    isNamedIn: ({ details }) => matcher !== null && erasedTexts(details, matcher).length > 0,
    after,
    limit: BATCH_SIZE,
  });
}

/** Erases a person in the details of audit records, text by text. */
export async function rewriteDetails(
  db: Database,
  { companyId }: SearchTarget,
  { matcher }: ErasureTools,
  ids: readonly string[],
): Promise<void> {
  if (matcher === null) return;
  for (const { rowKey, details } of await readDetails(db, companyId, ids)) {
    for (const { path, kept } of erasedTexts(details, matcher)) {
      await db.query(Prisma.sql`
        SELECT erase_in_audit_record(${companyId}::int, ${rowKey}::bigint, ${path}::text[], ${kept}::text[])`);
    }
  }
}

function readDetails(db: Database, companyId: number, ids: readonly string[]): Promise<AuditRecord[]> {
  return db.query(Prisma.sql`
    SELECT id::text AS "rowKey", details FROM audit_records
    WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::text[]::bigint[])`);
}

/** Finds the texts that name a person. The keys of details are ours. */
function erasedTexts(value: unknown, matcher: Matcher, path: readonly string[] = []): ErasedText[] {
  if (typeof value === 'string') {
    const kept = matcher.keep(value);
    return kept.length === 1 ? [] : [{ path: [...path], kept }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => erasedTexts(item, matcher, [...path, key]));
}
