import type { EsignDocument } from '@deal-signals/db/generated/client';
import { storedTable } from './table/stored-table.ts';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { writeUpserts } from './table/upsert.ts';

/** Tracked contracts. */
export const ESIGN_DOCUMENTS = storedTable<EsignDocument>({
  kind: 'esign',
  table: 'esign_documents',
  columns: {
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
  key: ['id'],
  kept: ['updatedAt'],
});

/** Writes tracked contracts. A new contract and every change of status cause a webhook event. */
export async function writeEsignDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'esign'>[],
): Promise<void> {
  const changes = await writeUpserts(capture, entries, ESIGN_DOCUMENTS, {
    references: { roomId: 'rooms' },
    patch: (record) => record,
    blank: ({ companyId, id, roomId, vendor, envelopeId, status }) => ({
      companyId,
      id,
      roomId,
      vendor,
      envelopeId,
      subject: null,
      status,
      recipientCount: null,
      sentAt: null,
      firstViewedAt: null,
      lastEventAt: null,
      completedAt: null,
      declinedAt: null,
      updatedAt: capture.at,
    }),
    check: (problems, { entry, before, after }) => problems.requireSameRoom(entry, before, after),
  });
  for (const { entry, before, after } of changes) {
    const { id, roomId } = after;
    capture.effects.push({
      line: entry.line,
      identity: `esign ${id}`,
      roomId,
      announces: { type: 'decision_room.esign.updated', id, ifChanged: ['status'] },
      ...(before && { moves: { table: 'esign_documents', id } }),
    });
  }
}
