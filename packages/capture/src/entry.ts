import { RecordError } from './record-error.ts';
import type { CaptureRecord, RecordOf } from './record.ts';

/** A record and its position in the input, so that errors can name the line. */
export interface Entry<R extends CaptureRecord = CaptureRecord> {
  record: R;
  /** Line number in the file, or position in the list. Starts at 1. */
  line: number;
}

/** An entry with a record of one kind. */
export type EntryOf<K extends CaptureRecord['record']> = Entry<RecordOf<K>>;

/** Returns the distinct ids in a reference field, without null and undefined. */
export function referenced<R extends CaptureRecord, F extends keyof R>(
  entries: Entry<R>[],
  field: F,
): NonNullable<R[F]>[] {
  const ids = entries.map(({ record }) => record[field]).filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
}

/**
 * Checks that every id in a reference field exists in the workspace.
 *
 * @throws RecordError for the first record with an unknown id.
 */
export function requireKnown<R extends CaptureRecord, F extends keyof R & string>(
  entries: Entry<R>[],
  field: F,
  known: { has(id: NonNullable<R[F]>): boolean },
): void {
  for (const { record, line } of entries) {
    const id = record[field];
    if (id !== null && id !== undefined && !known.has(id)) {
      throw new RecordError(line, field, `${String(id)} is unknown in this workspace; capture it first`);
    }
  }
}

/**
 * Checks that no update moves an object to another room: its engagement belongs to the room where it happened.
 *
 * @throws RecordError for the first record that does.
 */
export function requireSameRoom(
  updates: { entry: Entry; before: { roomId: string }; after: { roomId: string } }[],
): void {
  const moved = updates.find(({ before, after }) => before.roomId !== after.roomId);
  if (moved) {
    throw new RecordError(
      moved.entry.line,
      'roomId',
      `must stay ${moved.before.roomId}, because an object cannot move to another room`,
    );
  }
}
