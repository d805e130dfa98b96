import type { Entry } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import type { RecordError } from '../records/record-error.ts';
import type { CaptureTransaction } from './capture-transaction.ts';

/** The outcome of the records of a batch. */
export interface BatchResult {
  /** How many records changed something. */
  captured: number;
  /** How many changed nothing, because what they say is stored already. */
  unchanged: number;
  /** How many records of a dry run were validated, but not checked against what is stored. */
  validated?: number;
  /** What is wrong with the faulty records that were left out. */
  refused: RecordError[];
}

/** Counts the outcomes of each batch. Of the records of one row, the first ones are those that changed it. */
export function countResults(
  { changed }: CaptureTransaction,
  reverted: ReadonlySet<string>,
  batches: readonly Entry[][],
  refused: ReadonlyMap<Entry, RecordError>,
): BatchResult[] {
  const changes = new Map<string, number>();
  for (const identity of changed) {
    if (!reverted.has(identity)) changes.set(identity, (changes.get(identity) ?? 0) + 1);
  }
  return batches.map((entries) => {
    const result: BatchResult = { captured: 0, unchanged: 0, refused: [] };
    for (const entry of entries) {
      const error = refused.get(entry);
      if (error !== undefined) {
        result.refused.push(error);
        continue;
      }
      const identity = identityOf(entry.record);
      const left = changes.get(identity) ?? 0;
      if (left > 0) changes.set(identity, left - 1);
      if (left > 0) result.captured += 1;
      else result.unchanged += 1;
    }
    return result;
  });
}
