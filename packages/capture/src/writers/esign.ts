import { type EsignDocument, Prisma } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction, Effect } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { knownRooms } from './table/known-ids.ts';
import { Problems } from '../records/problems.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

/** Tracked contracts. */
export const ESIGN_DOCUMENTS = storedTable<EsignDocument>(
  'esign_documents',
  {
    companyId: ['company_id', 'int'],
    id: ['id', 'text'],
    roomId: ['room_id', 'uuid'],
    vendor: ['vendor', 'text'],
    envelopeId: ['envelope_id', 'text'],
    subject: ['subject', 'text'],
    status: ['status', 'esign_status'],
    recipientCount: ['recipient_count', 'int'],
    sentAt: ['sent_at', 'timestamptz'],
    firstViewedAt: ['first_viewed_at', 'timestamptz'],
    lastEventAt: ['last_event_at', 'timestamptz'],
    completedAt: ['completed_at', 'timestamptz'],
    declinedAt: ['declined_at', 'timestamptz'],
    updatedAt: ['updated_at', 'timestamptz'],
  },
  { key: ['companyId', 'id'], kept: ['updatedAt'] },
);

/** Writes tracked contracts. A new contract and every change of status cause a webhook event. */
export async function writeEsignDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'esign'>[],
): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await ESIGN_DOCUMENTS.find(
    tx,
    companyId,
    Prisma.sql`id = ANY (${entries.map(({ record }) => record.id)}::text[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'esign'>, EsignDocument>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `esign ${id}`),
    {
      patch: ({ record: _kind, ...columns }) => columns,
      blank: (record) => ({
        companyId,
        id: record.id,
        roomId: record.roomId,
        vendor: record.vendor,
        envelopeId: record.envelopeId,
        subject: null,
        status: record.status,
        recipientCount: null,
        sentAt: null,
        firstViewedAt: null,
        lastEventAt: null,
        completedAt: null,
        declinedAt: null,
        updatedAt: at,
      }),
      check: (entry, before, after) => problems.requireSameRoom(entry, before, after),
    },
  );

  await ESIGN_DOCUMENTS.store(
    tx,
    [...inserts, ...updates].map(({ after }) => after),
  );
  for (const { entry, after } of inserts) capture.effects.push(effectOf(entry, after));
  for (const { entry, after } of updates) {
    capture.effects.push({ ...effectOf(entry, after), moves: { table: 'esign_documents', id: after.id } });
  }
}

function effectOf({ line }: EntryOf<'esign'>, { id, roomId }: EsignDocument): Effect {
  return {
    line,
    identity: `esign ${id}`,
    roomId,
    announces: { type: 'decision_room.esign.updated', id, ifChanged: ['status'] },
  };
}
