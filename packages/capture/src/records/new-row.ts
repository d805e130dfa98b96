import type { CaptureRecord, RecordOf } from './record.ts';

/**
 * The fields that a record of a new row must have. A record of an existing row only needs its id and the fields that it
 * changes.
 */
export const REQUIRED_FIELDS = {
  company: ['name'],
  user: ['name', 'email'],
  room: ['name'],
  call: ['kind', 'occurredAt', 'ownerId'],
  distribution: ['roomId', 'recipientName', 'recipientEmail'],
  document: ['roomId', 'title', 'category'],
  actionItem: ['roomId', 'title'],
  esign: ['roomId', 'vendor', 'envelopeId', 'status'],
} as const satisfies { [K in CaptureRecord['record']]?: readonly (keyof RecordOf<K>)[] };

type RequiredFields = typeof REQUIRED_FIELDS;

/** A record that has every field that a new row needs. */
export type NewRecord<R extends CaptureRecord> = R extends { record: infer K extends keyof RequiredFields }
  ? R & { [F in RequiredFields[K][number] & keyof R]-?: Exclude<R[F], undefined> }
  : R;

/** The fields that a record lacks to be the record of a new row. */
export function missingFields(record: CaptureRecord): string[] {
  const required = (REQUIRED_FIELDS as Partial<Record<string, readonly string[]>>)[record.record] ?? [];
  return required.filter((field) => record[field as keyof CaptureRecord] === undefined);
}
