import type { RoomMember } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from '../entry.ts';
import { identityOf, memberIdentity, memberKey } from '../identity.ts';
import { knownRooms } from '../known.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes the people listed in rooms. */
export async function writeMembers(capture: CaptureTransaction, entries: EntryOf<'member'>[]): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));

  const identities = entries.map(({ record }) => memberKey(record));
  const stored = await tx.roomMember.findMany({
    where: { companyId, roomId: { in: roomIds }, identity: { in: identities } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'member'>, RoomMember>(
    capture,
    entries,
    byIdentity(stored, ({ roomId, identity }) => memberIdentity(roomId, identity)),
    (record) => ({ email: record.email, name: record.name, role: record.role, title: record.title }),
    (record) => ({
      companyId,
      roomId: record.roomId,
      identity: memberKey(record),
      email: null,
      name: null,
      role: null,
      title: null,
    }),
  );
  await tx.roomMember.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    const { roomId, identity } = after;
    await tx.roomMember.update({
      where: { companyId_roomId_identity: { companyId, roomId, identity } },
      data: after,
    });
  }
  for (const { entry } of [...inserts, ...updates]) {
    capture.effects.push({ identity: identityOf(entry.record), roomId: entry.record.roomId });
  }
}
