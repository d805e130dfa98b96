import { type Document, Prisma } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import { knownRooms } from './table/known-ids.ts';
import { Problems } from '../records/problems.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

const DOCUMENTS = storedTable<Document>(
  'documents',
  {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    roomId: ['room_id', 'uuid'],
    title: ['title', 'text'],
    category: ['category', 'text'],
    uploadedByProspect: ['uploaded_by_prospect', 'boolean'],
    libraryAssetId: ['library_asset_id', 'text'],
    updatedAt: ['updated_at', 'timestamptz'],
  },
  { key: ['companyId', 'id'], kept: ['updatedAt'] },
);

/** Writes the documents of rooms. */
export async function writeDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'document'>[],
): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await DOCUMENTS.find(
    tx,
    companyId,
    Prisma.sql`id = ANY (${entries.map(({ record }) => record.id)}::uuid[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'document'>, Document>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `document ${id}`),
    {
      patch: (record) => ({
        roomId: record.roomId,
        title: record.title,
        category: record.category,
        uploadedByProspect: record.uploadedByProspect,
        libraryAssetId: record.libraryAssetId,
      }),
      blank: (record) => ({
        companyId,
        id: record.id,
        roomId: record.roomId,
        title: record.title,
        category: record.category,
        uploadedByProspect: false,
        libraryAssetId: null,
        updatedAt: at,
      }),
      check: (entry, before, after) => problems.requireSameRoom(entry, before, after),
    },
  );

  await DOCUMENTS.store(
    tx,
    [...inserts, ...updates].map(({ after }) => after),
  );
  for (const { entry, after } of inserts) {
    capture.effects.push({ line: entry.line, identity: identityOf(entry.record), roomId: after.roomId });
  }
  for (const { entry, after } of updates) {
    capture.effects.push({
      line: entry.line,
      identity: identityOf(entry.record),
      roomId: after.roomId,
      moves: { table: 'documents', id: after.id },
    });
  }
}
