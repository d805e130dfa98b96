import { isDeepStrictEqual } from 'node:util';
import { ABSENT, noteChange, type CaptureTransaction } from '../../transaction/capture-transaction.ts';
import type { Entry } from '../../records/entry.ts';
import { identityOf } from '../../records/identity.ts';
import { missingFields, type NewRecord } from '../../records/new-row.ts';
import type { Problems } from '../../records/problems.ts';

/** The rows to insert and update for a list of records. */
export interface UpsertPlan<E, Row> {
  inserts: { entry: E; after: Row }[];
  /** Only rows with at least one changed column. */
  updates: { entry: E; before: Row; after: Row }[];
}

/** How records become rows of a table. */
export interface UpsertRules<E extends Entry, Row> {
  /** Returns the columns that a record sets: undefined keeps the stored value, null clears it. */
  patch: (record: E['record']) => { [K in keyof Row]?: Row[K] | undefined };
  /** Returns a new row with default values for the columns that its record may omit. */
  blank: (record: NewRecord<E['record']>) => Row;
  /** Adds what else is wrong with a record. It is called in the order of the records. */
  check?: (entry: E, before: Row | undefined, after: Row) => void;
}

/**
 * Compares records with stored rows, so that writing the same record twice changes nothing. A record of a row that does
 * not exist must have every field that a new row needs. Faulty records are left out, or the first of them is thrown.
 *
 * @param problems what is wrong with the records so far.
 * @param stored rows by identity, including every existing row that the records write.
 */
export function planUpserts<E extends Entry, Row extends object>(
  capture: CaptureTransaction,
  problems: Problems,
  entries: E[],
  stored: Map<string, Row>,
  { patch, blank, check }: UpsertRules<E, Row>,
): UpsertPlan<E, Row> {
  const rows = new Map<E, { before: Row | undefined; after: Row }>();
  for (const entry of entries) {
    const before = stored.get(identityOf(entry.record));
    const missing = before === undefined ? missingFields(entry.record) : [];
    problems.requireFields(entry, missing);
    if (missing.length > 0) continue;
    const changes = Object.fromEntries(
      Object.entries(patch(entry.record)).filter(([, value]) => value !== undefined),
    );
    const after = { ...(before ?? blank(entry.record as NewRecord<E['record']>)), ...changes } as Row;
    check?.(entry, before, after);
    rows.set(entry, { before, after });
  }
  const plan: UpsertPlan<E, Row> = { inserts: [], updates: [] };
  for (const entry of problems.leaveOut(entries, capture.refuse)) {
    const { before, after } = rows.get(entry)!;
    if (before === undefined) plan.inserts.push({ entry, after });
    else if (isDeepStrictEqual(before, after)) continue;
    else plan.updates.push({ entry, before, after });
    noteChange(capture, identityOf(entry.record), before ?? ABSENT, after);
  }
  return plan;
}

/** Indexes rows by identity. */
export function byIdentity<Row>(rows: Row[], identity: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [identity(row), row]));
}
