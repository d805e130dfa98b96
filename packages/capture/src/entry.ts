import type { CaptureRecord, RecordOf } from './record.ts';
import { RecordError } from './record-error.ts';

/** A record and where it comes from, so that an error can name the line. */
export interface Entry<R extends CaptureRecord = CaptureRecord> {
  record: R;
  /** Its line in the file, or its place in the list; counts from 1. */
  line: number;
}

/** An entry of one kind of record. */
export type EntryOf<K extends CaptureRecord['record']> = Entry<RecordOf<K>>;

/** The distinct ids that a field of some records refers to. */
export function referenced<R extends CaptureRecord, F extends keyof R>(
  entries: Entry<R>[],
  field: F,
): NonNullable<R[F]>[] {
  const ids = entries.map(({ record }) => record[field]).filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
}

/**
 * Checks that every reference leads to something in the same workspace.
 *
 * @throws RecordError for the first record whose reference does not.
 */
export function requireKnown<R extends CaptureRecord, F extends keyof R & string>(
  entries: Entry<R>[],
  field: F,
  known: { has(id: NonNullable<R[F]>): boolean },
): void {
  for (const { record, line } of entries) {
    const id = record[field];
    if (id !== null && id !== undefined && !known.has(id)) {
      throw new RecordError(line, field, `expected one that was captured before, not ${String(id)}`);
    }
  }
}

/**
 * Checks that records do not move what they describe to another room, because its engagement stays where it happened.
 *
 * @throws RecordError for the first record that would.
 */
export function requireSameRoom(
  updates: { entry: Entry; before: { roomId: string }; after: { roomId: string } }[],
): void {
  const moved = updates.find(({ before, after }) => before.roomId !== after.roomId);
  if (moved) {
    throw new RecordError(
      moved.entry.line,
      'roomId',
      `expected ${moved.before.roomId}: it cannot change rooms`,
    );
  }
}
