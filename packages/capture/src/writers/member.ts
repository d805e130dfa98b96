import type { RoomMember } from '@deal-signals/db/generated/client';
import { memberIdentity } from '@deal-signals/serializers/rooms/identity';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { writeUpserts } from './table/upsert.ts';

const MEMBERS = storedTable<RoomMember>({
  kind: 'member',
  table: 'room_members',
  columns: {
    companyId: ['company_id', 'int'],
    roomId: ['room_id', 'uuid'],
    identity: ['identity', 'text'],
    email: ['email', 'text'],
    name: ['name', 'text'],
    role: ['role', 'text'],
    title: ['title', 'text'],
  },
  key: ['roomId', 'identity'],
});

/** Writes the people listed in rooms. */
export async function writeMembers(capture: CaptureTransaction, entries: EntryOf<'member'>[]): Promise<void> {
  const changes = await writeUpserts(capture, entries, MEMBERS, {
    references: { roomId: 'rooms' },
    keys: (record) => [{ roomId: record.roomId, identity: memberIdentity(record) }],
    patch: (record) => record,
    blank: (record) => ({
      companyId: record.companyId,
      roomId: record.roomId,
      identity: memberIdentity(record),
      email: null,
      name: null,
      role: null,
      title: null,
    }),
  });
  for (const { entry, after } of changes) {
    const { roomId, identity } = after;
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId });
    capture.people.push({ roomId, identity });
  }
}
