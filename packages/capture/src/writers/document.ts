import type { Document } from '@deal-signals/db/generated/client';
import { bulkUpsert } from '../bulk-upsert.ts';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, type EntryOf } from '../entry.ts';
import { identityOf } from '../identity.ts';
import { knownRooms } from '../known.ts';
import { Problems } from '../problems.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

const storeDocuments = bulkUpsert<Document>(
  'documents',
  {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    title: ['title', 'text'],
    category: ['category', 'text'],
    uploadedByProspect: ['uploaded_by_prospect', 'boolean'],
    libraryAssetId: ['library_asset_id', 'text'],
  },
  ['companyId', 'id'],
);

/** Writes the documents of rooms. */
export async function writeDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'document'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await tx.document.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'document'>, Document>(
    capture,
    problems,
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
  problems.requireSameRoom(updates);
  problems.requireNone();

  await storeDocuments(
    tx,
    [...inserts, ...updates].map(({ after }) => after),
  );
  for (const { entry, after } of [...inserts, ...updates]) {
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId: after.roomId });
  }
}
