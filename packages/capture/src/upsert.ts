import { isDeepStrictEqual } from 'node:util';
import { ABSENT, noteChange, type CaptureTransaction } from './capture-transaction.ts';
import type { Entry } from './entry.ts';
import { identityOf } from './identity.ts';
import { missingFields, type NewRecord } from './new-row.ts';
import type { Problems } from './problems.ts';

/** The rows to insert and update for a list of records. */
export interface UpsertPlan<E, Row> {
  inserts: { entry: E; after: Row }[];
  /** Only rows with at least one changed column. */
  updates: { entry: E; before: Row; after: Row }[];
}

/**
 * Compares records with stored rows, so that writing the same record twice changes nothing. A record of a row that does
 * not exist must have every field that a new row needs.
 *
 * @param stored rows by identity, including every existing row that the records write.
 * @param patchOf returns the columns that a record sets: undefined keeps the stored value, null clears it.
 * @param blank returns a new row with default values for the columns that its record may omit.
 */
export function planUpserts<E extends Entry, Row extends object>(
  capture: CaptureTransaction,
  problems: Problems,
  entries: E[],
  stored: Map<string, Row>,
  patchOf: (record: E['record']) => { [K in keyof Row]?: Row[K] | undefined },
  blank: (record: NewRecord<E['record']>) => Row,
): UpsertPlan<E, Row> {
  const plan: UpsertPlan<E, Row> = { inserts: [], updates: [] };
  for (const entry of entries) {
    const identity = identityOf(entry.record);
    const before = stored.get(identity);
    const missing = before === undefined ? missingFields(entry.record) : [];
    problems.requireFields(entry, missing);
    if (missing.length > 0) continue;
    const patch = Object.fromEntries(
      Object.entries(patchOf(entry.record)).filter(([, value]) => value !== undefined),
    );
    const after = { ...(before ?? blank(entry.record as NewRecord<E['record']>)), ...patch } as Row;
    if (before === undefined) plan.inserts.push({ entry, after });
    else if (isDeepStrictEqual(before, after)) continue;
    else plan.updates.push({ entry, before, after });
    noteChange(capture, identity, before ?? ABSENT, after);
  }
  return plan;
}

/** Indexes rows by identity. */
export function byIdentity<Row>(rows: Row[], identity: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [identity(row), row]));
}
