import type { CaptureTransaction } from '../capture-transaction.ts';
import type { EntryOf } from '../entry.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes sellers. Rooms and calls show their owner's name, so updating a seller moves the rooms and calls they own. */
export async function writeUsers(capture: CaptureTransaction, entries: EntryOf<'user'>[]): Promise<void> {
  const { tx, companyId } = capture;
  const stored = await tx.user.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `user ${id}`),
    (record) => ({ name: record.name, email: record.email }),
    (record) => ({ companyId, id: record.id, name: record.name, email: record.email }),
  );
  await tx.user.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    await tx.user.update({ where: { companyId_id: { companyId, id: after.id } }, data: after });
  }
  for (const { after } of updates) {
    const owned = { where: { companyId, ownerId: after.id }, select: { id: true } };
    const identity = `user ${after.id}`;
    const calls = await tx.call.findMany(owned);
    capture.effects.push({ identity, callIds: calls.map(({ id }) => id) });
    for (const { id } of await tx.room.findMany(owned)) capture.effects.push({ identity, roomId: id });
  }
}
