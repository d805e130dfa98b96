import type { CaptureRecord, RecordOf } from './record.ts';

/** A record and its position in the input, so that errors can name the line. */
export interface Entry<R extends CaptureRecord = CaptureRecord> {
  record: R;
  /** Line number in the file, or position in the list. Starts at 1. */
  line: number;
  /** The `traceparent` of the request that sent the record. The events that the record causes belong to its trace. */
  traceparent?: string;
}

/** An entry with a record of one kind. */
export type EntryOf<K extends CaptureRecord['record']> = Entry<RecordOf<K>>;

/** Returns the distinct ids in a reference field, without null and undefined. */
export function referenced<R extends CaptureRecord, F extends keyof R>(
  entries: readonly Entry<R>[],
  field: F,
): NonNullable<R[F]>[] {
  const ids = entries.map(({ record }) => record[field]).filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
}
