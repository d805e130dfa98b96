import type { CaptureRecord, RecordOf } from './record.ts';

/** Which row of its workspace a record is about, as kind and identity. */
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
    default:
      return `${record.record} ${record.id}`;
  }
}

/** The identity of a stored member. */
export function memberIdentity(roomId: string, key: string): string {
  return `member ${roomId} ${key}`;
}

/** What makes a member one person of a room: the address, or the name of a person without one. */
export function memberKey({ email, name }: Pick<RecordOf<'member'>, 'email' | 'name'>): string {
  return email == null ? `name:${name}` : `email:${email.toLowerCase()}`;
}
