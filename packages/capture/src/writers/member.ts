import { Prisma, type RoomMember } from '@deal-signals/db/generated/client';
import { memberIdentity } from '@deal-signals/serializers/rooms/identity';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { knownRooms } from './table/known-ids.ts';
import { Problems } from '../records/problems.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

const MEMBERS = storedTable<RoomMember>(
  'room_members',
  {
    companyId: ['company_id', 'int'],
    roomId: ['room_id', 'uuid'],
    identity: ['identity', 'text'],
    email: ['email', 'text'],
    name: ['name', 'text'],
    role: ['role', 'text'],
    title: ['title', 'text'],
  },
  { key: ['companyId', 'roomId', 'identity'] },
);

/** Writes the people listed in rooms. */
export async function writeMembers(capture: CaptureTransaction, entries: EntryOf<'member'>[]): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));

  const identities = entries.map(({ record }) => memberIdentity(record));
  const stored = await MEMBERS.find(
    tx,
    companyId,
    Prisma.sql`room_id = ANY (${roomIds}::uuid[]) AND identity = ANY (${identities}::text[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'member'>, RoomMember>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ roomId, identity }) => `member ${roomId} ${identity}`),
    {
      patch: (record) => ({ email: record.email, name: record.name, role: record.role, title: record.title }),
      blank: (record) => ({
        companyId,
        roomId: record.roomId,
        identity: memberIdentity(record),
        email: null,
        name: null,
        role: null,
        title: null,
      }),
    },
  );
  await MEMBERS.store(
    tx,
    [...inserts, ...updates].map(({ after }) => after),
  );
  for (const { entry } of [...inserts, ...updates]) {
    const { line, record } = entry;
    capture.effects.push({ line, identity: identityOf(record), roomId: record.roomId });
    capture.people.push({ roomId: record.roomId, identity: memberIdentity(record) });
  }
}
