import { Prisma, type Call } from '@deal-signals/db/generated/client';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, requireKnown, type EntryOf } from '../entry.ts';
import { knownRooms, knownUsers } from '../known.ts';
import type { RecordOf } from '../record.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** Writes calls without their summaries. */
export async function writeCalls(capture: CaptureTransaction, entries: EntryOf<'call'>[]): Promise<void> {
  const { tx, companyId, at } = capture;
  requireKnown(entries, 'ownerId', await knownUsers(capture, referenced(entries, 'ownerId')));
  requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await tx.call.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
  });
  const { inserts, updates } = planUpserts<EntryOf<'call'>, Call>(
    capture,
    entries,
    byIdentity(stored, ({ id }) => `call ${id}`),
    (record) => ({
      kind: record.kind,
      status: record.status,
      occurredAt: record.occurredAt,
      completedAt: record.completedAt,
      ownerId: record.ownerId,
      title: record.title,
      prospectName: record.prospectName,
      durationSeconds: record.durationSeconds,
      roomId: record.roomId,
      participants: record.participants,
      talkTime: record.talkTime,
      disqualifiedAt: record.disqualifiedAt,
      disqualifiedReason: record.disqualifiedReason,
    }),
    (record) => newCall(companyId, record, at),
  );
  await tx.call.createMany({ data: inserts.map(({ row }) => columns(row)) });
  for (const { after } of updates) {
    await tx.call.update({ where: { companyId_id: { companyId, id: after.id } }, data: columns(after) });
  }
  for (const { row } of inserts) capture.effects.push({ identity: `call ${row.id}`, roomId: row.roomId });
  for (const { before, after } of updates) {
    const identity = `call ${after.id}`;
    capture.effects.push({ identity, roomId: after.roomId, callIds: [after.id] });
    if (before.roomId !== after.roomId) capture.effects.push({ identity, roomId: before.roomId });
  }
}

function newCall(companyId: number, { id, kind, occurredAt, ownerId }: RecordOf<'call'>, at: Date): Call {
  return {
    companyId,
    id,
    kind,
    status: 'completed',
    occurredAt,
    updatedAt: at,
    completedAt: null,
    ownerId,
    title: null,
    prospectName: null,
    durationSeconds: null,
    roomId: null,
    participants: [],
    talkTime: null,
    summary: null,
    disqualifiedAt: null,
    disqualifiedReason: null,
  };
}

/** All columns but the summary, which has its own record. A missing talk time becomes SQL NULL, not JSON null. */
function columns({ summary: _summary, ...row }: Call) {
  return {
    ...row,
    participants: row.participants as Prisma.InputJsonValue,
    talkTime: row.talkTime === null ? Prisma.DbNull : (row.talkTime as Prisma.InputJsonValue),
  };
}
