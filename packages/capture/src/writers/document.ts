import type { Document } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { writeUpserts } from './table/upsert.ts';

const DOCUMENTS = storedTable<Document>({
  kind: 'document',
  table: 'documents',
  columns: {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    title: ['title', 'text'],
    category: ['category', 'text'],
    uploadedByProspect: ['uploaded_by_prospect', 'boolean'],
    libraryAssetId: ['library_asset_id', 'text'],
    updatedAt: ['updated_at', 'timestamptz'],
  },
  key: ['id'],
  kept: ['updatedAt'],
});

/** Writes the documents of rooms. */
export async function writeDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'document'>[],
): Promise<void> {
  const changes = await writeUpserts(capture, entries, DOCUMENTS, {
    references: { roomId: 'rooms' },
    patch: (record) => record,
    blank: ({ companyId, id, roomId, title, category }) => ({
      companyId,
      id,
      roomId,
      title,
      category,
      uploadedByProspect: false,
      libraryAssetId: null,
      updatedAt: capture.at,
    }),
    check: (problems, { entry, before, after }) => problems.requireSameRoom(entry, before, after),
  });
  for (const { entry, before, after } of changes) {
    capture.effects.push({
      line: entry.line,
      identity: identityOf(entry.record),
      roomId: after.roomId,
      ...(before && { moves: { table: 'documents', id: after.id } }),
    });
  }
}
