import type { CaptureRecord, RecordOf } from './record.ts';

/** Identifies the row that a record writes, within its workspace. */
export function identityOf(record: CaptureRecord): string {
  switch (record.record) {
    case 'member':
      return memberIdentity(record.roomId, memberKey(record));
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
export function memberIdentity(roomId: string, key: string): string {
  return `member ${roomId} ${key}`;
}

/** What identifies a person within a room: the email in lower case, or the name if there is no email. */
export function memberKey({ email, name }: Pick<RecordOf<'member'>, 'email' | 'name'>): string {
  return email == null ? `name:${name}` : `email:${email.toLowerCase()}`;
}
