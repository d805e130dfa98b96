import { isDeepStrictEqual } from 'node:util';
import { ABSENT, noteWrite, type CaptureTransaction } from './capture-transaction.ts';
import type { Entry } from './entry.ts';
import { identityOf } from './identity.ts';

/** The rows to insert and update for a list of records. */
export interface UpsertPlan<E, Row> {
  inserts: { entry: E; row: Row }[];
  /** Only rows with at least one changed column. */
  updates: { entry: E; before: Row; after: Row }[];
}

/**
 * Compares records with stored rows, so that writing the same record twice changes nothing.
 *
 * @param stored rows by identity, including every existing row that the records write.
 * @param patchOf returns the columns that a record sets: undefined keeps the stored value, null clears it.
 * @param blank returns a new row with default values for the columns that its record may omit.
 */
export function planUpserts<E extends Entry, Row extends object>(
  capture: CaptureTransaction,
  entries: E[],
  stored: Map<string, Row>,
  patchOf: (record: E['record']) => { [K in keyof Row]?: Row[K] | undefined },
  blank: (record: E['record']) => Row,
): UpsertPlan<E, Row> {
  const plan: UpsertPlan<E, Row> = { inserts: [], updates: [] };
  for (const entry of entries) {
    const identity = identityOf(entry.record);
    const before = stored.get(identity);
    const patch = Object.fromEntries(
      Object.entries(patchOf(entry.record)).filter(([, value]) => value !== undefined),
    );
    const after = { ...(before ?? blank(entry.record)), ...patch } as Row;
    if (before === undefined) plan.inserts.push({ entry, row: after });
    else if (!isDeepStrictEqual(before, after)) plan.updates.push({ entry, before, after });
    noteWrite(capture, identity, before ?? ABSENT, after);
  }
  return plan;
}

/** Indexes rows by identity. */
export function byIdentity<Row>(rows: Row[], identity: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [identity(row), row]));
}
