import type { Document } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, requireSameRoom, type EntryOf } from '../entry.ts';
import { identityOf } from '../identity.ts';
import { knownRooms } from '../known.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes the documents of rooms. */
export async function writeDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'document'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));

  const stored = await tx.document.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'document'>, Document>(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `document ${id}`),
    (record) => ({
      roomId: record.roomId,
      title: record.title,
      category: record.category,
      uploadedByProspect: record.uploadedByProspect,
      libraryAssetId: record.libraryAssetId,
    }),
    (record) => ({
      companyId,
      id: record.id,
      roomId: record.roomId,
      title: record.title,
      category: record.category,
      uploadedByProspect: false,
      libraryAssetId: null,
    }),
  );
  requireSameRoom(updates);
  await tx.document.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    await tx.document.update({ where: { companyId_id: { companyId, id: after.id } }, data: after });
  }
  for (const { entry } of [...inserts, ...updates]) {
    capture.effects.push({ identity: identityOf(entry.record), roomId: entry.record.roomId });
  }
}
