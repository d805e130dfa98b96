import { memberIdentity } from '@deal-signals/serializers/rooms/identity';
import type { CaptureRecord } from './record.ts';

/** Identifies the row that a record writes, within its workspace. */
export function identityOf(record: CaptureRecord): string {
  switch (record.record) {
    case 'member':
      return memberRecordIdentity(record.roomId, memberIdentity(record));
    case 'callSummary':
      return `callSummary ${record.callId}`;
    case 'event':
    case 'view':
    case 'message':
      return `${record.record} ${record.key}`;
    case 'erasePerson':
      return `erasePerson ${record.email?.toLowerCase() ?? record.personId}`;
    case 'eraseRoom':
      return `eraseRoom ${record.roomId}`;
    default:
      return `${record.record} ${record.id}`;
  }
}

/** The identity of a stored member, in the form that `identityOf` returns. */
export function memberRecordIdentity(roomId: string, identity: string): string {
  return `member ${roomId} ${identity}`;
}
