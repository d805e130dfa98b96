import { type CaptureRecord, KINDS } from './record.ts';

type Required<K extends keyof typeof KINDS> = NonNullable<(typeof KINDS)[K]['newRow']>[number];

/** A record that has every field that a new row needs. */
export type NewRecord<R extends CaptureRecord> = R extends { record: infer K extends keyof typeof KINDS }
  ? R & { [F in Required<K> & keyof R]-?: Exclude<R[F], undefined> }
  : R;

/** The fields that a record lacks to be the record of a new row. */
export function missingFields(record: CaptureRecord): string[] {
  const required: readonly string[] = KINDS[record.record].newRow ?? [];
  return required.filter((field) => record[field as keyof CaptureRecord] === undefined);
}
