import { type CaptureRecord, KINDS } from './record.ts';

/** Identifies the row that a record writes, within its workspace. */
export function identityOf(record: CaptureRecord): string {
  const identity = KINDS[record.record].identity as (record: CaptureRecord) => string | number;
  return `${record.record} ${identity(record)}`;
}
