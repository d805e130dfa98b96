import type { EsignDocument } from '@deal-signals/db/generated/client';
import type { NewEvent } from '@deal-signals/outbox/record-events';
import { serializeEsignDocument } from '@deal-signals/serializers/rooms/esign-document';
import type { CaptureTransaction, Effect } from '../capture-transaction.ts';
import { referenced, requireKnown, requireSameRoom, type EntryOf } from '../entry.ts';
import { knownRooms } from '../known.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes tracked contracts. A new contract and every change of status cause a webhook event. */
export async function writeEsignDocuments(
  capture: CaptureTransaction,
  entries: EntryOf<'esign'>[],
): Promise<void> {
  const { tx, companyId } = capture;
  const roomIds = referenced(entries, 'roomId');
  requireKnown(entries, 'roomId', await knownRooms(capture, roomIds));

  const stored = await tx.esignDocument.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'esign'>, EsignDocument>(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `esign ${id}`),
    ({ record: _kind, ...columns }) => columns,
    (record) => ({
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
    }),
  );
  requireSameRoom(updates);
  await tx.esignDocument.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    await tx.esignDocument.update({ where: { companyId_id: { companyId, id: after.id } }, data: after });
  }
  for (const { row } of inserts) capture.effects.push({ ...effectOf(row), event: eventOf(row) });
  for (const { before, after } of updates) {
    capture.effects.push({
      ...effectOf(after),
      ...(before.status !== after.status && { event: eventOf(after) }),
    });
  }
}

function effectOf({ id, roomId }: EsignDocument): Effect {
  return { identity: `esign ${id}`, roomId };
}

function eventOf(row: EsignDocument): NewEvent {
  return {
    type: 'decision_room.esign.updated',
    data: { buyerSpaceId: row.roomId, document: serializeEsignDocument(row) },
  };
}
