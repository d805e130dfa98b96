import type { ActionItem } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, requireSameRoom, type EntryOf } from '../entry.ts';
import { identityOf } from '../identity.ts';
import { knownRooms } from '../known.ts';
import { RecordError } from '../record-error.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes the items of mutual action plans. */
export async function writeActionItems(
  capture: CaptureTransaction,
  entries: EntryOf<'actionItem'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));

  const stored = await tx.actionItem.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'actionItem'>, ActionItem>(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `actionItem ${id}`),
    (record) => ({
      roomId: record.roomId,
      title: record.title,
      dueDate: record.dueDate,
      completedAt: record.completedAt,
      completedBy: record.completedBy,
    }),
    (record) => ({
      companyId,
      id: record.id,
      roomId: record.roomId,
      title: record.title,
      dueDate: null,
      completedAt: null,
      completedBy: null,
    }),
  );
  requireSameRoom(updates);
  const halfDone = [...inserts.map(({ entry, row }) => ({ entry, after: row })), ...updates].find(
    ({ after }) => after.completedBy !== null && after.completedAt === null,
  );
  if (halfDone) throw new RecordError(halfDone.entry.line, 'completedBy', 'requires completedAt');

  await tx.actionItem.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    await tx.actionItem.update({ where: { companyId_id: { companyId, id: after.id } }, data: after });
  }
  for (const { entry } of [...inserts, ...updates]) {
    capture.effects.push({ identity: identityOf(entry.record), roomId: entry.record.roomId });
  }
}
