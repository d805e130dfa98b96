import { isDeepStrictEqual } from 'node:util';
import { Prisma } from '@deal-signals/db/generated/client';
import { ABSENT, noteChange, type CaptureTransaction } from '../../transaction/capture-transaction.ts';
import { type Entry, referenced } from '../../records/entry.ts';
import { identityOf } from '../../records/identity.ts';
import { missingFields, type NewRecord } from '../../records/new-row.ts';
import { Problems } from '../../records/problems.ts';
import { replacedNames } from '../search-names.ts';
import { knownIds, type ReferencedTable } from './known-ids.ts';
import type { StoredTable } from './stored-table.ts';

/** A row that a record changes. */
export interface ChangedRow<E, Row> {
  entry: E;
  /** Undefined for a new row. */
  before: Row | undefined;
  after: Row;
}

/** How records become rows of a table. */
export interface UpsertRules<E extends Entry, Row> {
  /** The fields that refer to other rows, by id. */
  references?: { readonly [F in keyof E['record'] & string]?: ReferencedTable };
  /** The keys of the rows to read for a record; by default, its own fields. */
  keys?: (record: E['record']) => Partial<Row>[];
  /** Returns the columns that a record sets: undefined keeps the stored value, null clears it. What is no column is ignored. */
  patch: (record: E['record']) => { [K in keyof Row]?: Row[K] | undefined };
  /** Returns a new row with default values for the columns that its record may omit. */
  blank: (record: NewRecord<E['record']>) => Row;
  /** Adds what else is wrong with a record. It is called in the order of the records, with the rows that were read, by identity. */
  check?: (problems: Problems, change: ChangedRow<E, Row>, stored: ReadonlyMap<string, Row>) => void;
}

/**
 * Compares records with stored rows, so that writing the same record twice changes nothing. A record of a row that does
 * not exist must have every field that a new row needs. Faulty records are left out, or the first of them is thrown.
 *
 * @returns the rows with at least one changed column, in the order of the records.
 */
export async function planUpserts<E extends Entry, Row extends { companyId: number }>(
  capture: CaptureTransaction,
  entries: E[],
  table: StoredTable<Row>,
  { references = {}, keys = (record) => [record as object], patch, blank, check }: UpsertRules<E, Row>,
): Promise<ChangedRow<E, Row>[]> {
  const problems = new Problems();
  for (const [field, referencedTable] of Object.entries<ReferencedTable | undefined>(references)) {
    const name = field as keyof E['record'] & string;
    const ids = referenced<E['record'], typeof name>(entries, name);
    problems.requireKnown<E['record'], typeof name>(
      entries,
      name,
      await knownIds(capture, referencedTable!, ids),
    );
  }
  const rows = await table.find(
    capture.tx,
    capture.companyId,
    entries.flatMap(({ record }) => keys(record)),
  );
  const stored = new Map(
    rows.map((row) => [[table.kind, ...table.key.map((property) => row[property])].join(' '), row]),
  );
  const changes = new Map<E, ChangedRow<E, Row>>();
  for (const entry of entries) {
    const before = stored.get(identityOf(entry.record));
    const missing = before === undefined ? missingFields(entry.record) : [];
    problems.requireFields(entry, missing);
    if (missing.length > 0) continue;
    const set = Object.entries(patch(entry.record)).filter(
      ([property, value]) => value !== undefined && property in table.columns,
    );
    const row = before ?? blank(entry.record as NewRecord<E['record']>);
    const change = { entry, before, after: { ...row, ...Object.fromEntries(set) } as Row };
    check?.(problems, change, stored);
    changes.set(entry, change);
  }
  return problems.leaveOut(entries, capture.onInvalid).flatMap((entry) => {
    const change = changes.get(entry)!;
    const { before, after } = change;
    if (before !== undefined && isDeepStrictEqual(before, after)) return [];
    noteChange(capture, identityOf(entry.record), before ?? ABSENT, after);
    return [change];
  });
}

/** Writes the rows that records change, with the names by which they are found. Returns them. */
export async function writeUpserts<E extends Entry, Row extends { companyId: number }>(
  capture: CaptureTransaction,
  entries: E[],
  table: StoredTable<Row>,
  rules: UpsertRules<E, Row>,
): Promise<ChangedRow<E, Row>[]> {
  const changes = await planUpserts(capture, entries, table, rules);
  if (changes.length === 0) return changes;
  const { tx, companyId } = capture;
  const write = table.upsert(changes.map(({ after }) => after));
  const { foundBy } = table;
  const objects = changes.map(({ before, after }) => ({ id: after[table.key[0]!] as string, before, after }));
  const names = foundBy === undefined ? null : replacedNames(companyId, foundBy, objects);
  await tx.$executeRaw(names === null ? write : Prisma.sql`WITH written AS (${write}) ${names}`);
  return changes;
}
