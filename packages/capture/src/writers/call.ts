import { type Call, Prisma } from '@deal-signals/db/generated/client';
import { storedCall } from '@deal-signals/serializers/calls/call';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { knownRooms, knownUsers } from './table/known-ids.ts';
import type { NewRecord } from '../records/new-row.ts';
import { Problems } from '../records/problems.ts';
import type { RecordOf } from '../records/record.ts';
import { replacedNames } from './search-names.ts';
import { storedTable } from './table/stored-table.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

/** The columns of a call; the text of its object follows from them. */
type CallColumns = Omit<Call, 'objectText'>;

/** Calls. Their summaries have records of their own. */
export const CALLS = storedTable<Call, 'objectText'>(
  'calls',
  {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    kind: ['kind', 'call_kind'],
    status: ['status', 'call_status'],
    occurredAt: ['occurred_at', 'timestamptz'],
    updatedAt: ['updated_at', 'timestamptz'],
    completedAt: ['completed_at', 'timestamptz'],
    ownerId: ['owner_id', 'int'],
    title: ['title', 'text'],
    prospectName: ['prospect_name', 'text'],
    durationSeconds: ['duration_seconds', 'int'],
    roomId: ['room_id', 'uuid'],
    participants: ['participants', 'json'],
    talkTime: ['talk_time', 'json'],
    summary: ['summary', 'json'],
    disqualifiedAt: ['disqualified_at', 'timestamptz'],
    disqualifiedReason: ['disqualified_reason', 'text'],
    objectText: ['object_text', 'text'],
  },
  { key: ['companyId', 'id'], kept: ['updatedAt', 'summary'], unread: ['objectText'] },
);

/** Writes calls without their summaries. A new call causes a webhook event. */
export async function writeCalls(capture: CaptureTransaction, entries: EntryOf<'call'>[]): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'ownerId', await knownUsers(capture, referenced(entries, 'ownerId')));
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await CALLS.find(
    tx,
    companyId,
    Prisma.sql`id = ANY (${entries.map(({ record }) => record.id)}::uuid[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'call'>, CallColumns>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `call ${id}`),
    {
      patch: (record) => ({
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
      blank: (record) => newCall(companyId, record, at),
    },
  );
  await storeCalls(capture, [...inserts.map(({ after }) => ({ before: null, after })), ...updates]);
  const resized = updates
    .filter(({ before, after }) => before.durationSeconds !== after.durationSeconds)
    .map(({ after }) => after.id);
  if (resized.length > 0) {
    await tx.$executeRaw`SELECT roll_up_durations(${companyId}, ${resized}::uuid[])`;
  }
  for (const { entry, after } of inserts) {
    capture.effects.push({
      line: entry.line,
      identity: `call ${after.id}`,
      roomId: after.roomId,
      announces: { type: 'call.recorded', id: after.id },
    });
  }
  for (const { entry, before, after } of updates) {
    const { line } = entry;
    const identity = `call ${after.id}`;
    capture.effects.push({ line, identity, roomId: after.roomId, callIds: [after.id] });
    if (before.roomId !== after.roomId) capture.effects.push({ line, identity, roomId: before.roomId });
  }
}

/**
 * Inserts calls, and updates those that exist except for their summaries, with the texts of their objects and the names by
 * which they are found.
 */
async function storeCalls(
  { tx, companyId }: CaptureTransaction,
  calls: { before: CallColumns | null; after: CallColumns }[],
): Promise<void> {
  if (calls.length === 0) return;
  const write = CALLS.upsert(calls.map(({ after }) => ({ ...after, objectText: storedCall(after) })));
  const names = replacedNames(
    companyId,
    'call',
    calls.map(({ before, after }) => ({
      id: after.id,
      namedBefore: before && nameOf(before),
      named: nameOf(after),
    })),
  );
  await tx.$executeRaw(names === null ? write : Prisma.sql`WITH written AS (${write}) ${names}`);
}

/** What a call is found by. */
function nameOf({ title, prospectName }: CallColumns): string {
  return [title, prospectName].filter((part) => part !== null).join(' ');
}

function newCall(
  companyId: number,
  { id, kind, occurredAt, ownerId }: NewRecord<RecordOf<'call'>>,
  at: Date,
): CallColumns {
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
