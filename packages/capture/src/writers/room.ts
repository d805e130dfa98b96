import type { Room } from '@deal-signals/db/generated/client';
import { findRooms, serializeRoom } from '@deal-signals/serializers/rooms/room';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from '../entry.ts';
import { knownCalls, knownUsers } from '../known.ts';
import type { RecordOf } from '../record.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes rooms. Changing the status, value, close date or contact of an existing room causes a webhook event. */
export async function writeRooms(capture: CaptureTransaction, entries: EntryOf<'room'>[]): Promise<void> {
  const { tx, companyId, at } = capture;
  requireKnown(entries, 'ownerId', await knownUsers(capture, referenced(entries, 'ownerId')));
  requireKnown(entries, 'sourceCallId', await knownCalls(capture, referenced(entries, 'sourceCallId')));

  const stored = await tx.room.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'room'>, Room>(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `room ${id}`),
    (record) => ({
      name: record.name,
      slug: record.slug,
      status: record.status,
      ownerId: record.ownerId,
      primaryContactEmail: record.primaryContactEmail,
      expectedCloseDate: record.expectedCloseDate,
      dealValueCents:
        typeof record.dealValueCents === 'number' ? BigInt(record.dealValueCents) : record.dealValueCents,
      sourceCallId: record.sourceCallId,
      createdAt: record.createdAt,
      closedAt: record.closedAt,
    }),
    (record) => newRoom(companyId, record, at),
  );
  await tx.room.createMany({ data: inserts.map(({ row }) => row) });
  for (const { after } of updates) {
    await tx.room.update({ where: { companyId_id: { companyId, id: after.id } }, data: after });
  }

  const announced = updates.filter(({ before, after }) => announcedFieldsDiffer(before, after));
  const rows = await findRooms(tx, companyId, { ids: announced.map(({ after }) => after.id) });
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  for (const { before, after } of updates) {
    const row = announcedFieldsDiffer(before, after) ? rowOf.get(after.id) : undefined;
    const dealMoved = before.status !== after.status || before.dealValueCents !== after.dealValueCents;
    capture.effects.push({
      identity: `room ${after.id}`,
      roomId: after.id,
      callIds: dealMoved ? await callsOf(capture, after.id) : [],
      ...(row && {
        event: { type: 'decision_room.updated', data: serializeRoom({ ...row, lastActivityAt: at }) },
      }),
    });
  }
}

function newRoom(companyId: number, { id, name }: RecordOf<'room'>, at: Date): Room {
  return {
    companyId,
    id,
    name,
    slug: null,
    status: 'open',
    ownerId: null,
    primaryContactEmail: null,
    expectedCloseDate: null,
    dealValueCents: null,
    sourceCallId: null,
    createdAt: at,
    lastActivityAt: at,
    closedAt: null,
  };
}

/** Whether any of the fields that trigger `decision_room.updated` differs. */
function announcedFieldsDiffer(before: Room, after: Room): boolean {
  return (
    before.status !== after.status ||
    before.dealValueCents !== after.dealValueCents ||
    before.expectedCloseDate?.getTime() !== after.expectedCloseDate?.getTime() ||
    before.primaryContactEmail !== after.primaryContactEmail
  );
}

/** The calls of a room. They show its status and value, so they move in their feed when either changes. */
async function callsOf({ tx, companyId }: CaptureTransaction, roomId: string): Promise<string[]> {
  const calls = await tx.call.findMany({ where: { companyId, roomId }, select: { id: true } });
  return calls.map(({ id }) => id);
}
