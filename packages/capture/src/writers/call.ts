import { type Call, Prisma } from '@deal-signals/db/generated/client';
import { storedCall } from '@deal-signals/serializers/calls/call';
import type { CaptureTransaction } from '../capture-transaction.ts';
import { referenced, type EntryOf } from '../entry.ts';
import { knownRooms, knownUsers } from '../known.ts';
import type { NewRecord } from '../new-row.ts';
import { Problems } from '../problems.ts';
import type { RecordOf } from '../record.ts';
import { replacedWords } from '../search-words.ts';
import { byIdentity, planUpserts } from '../upsert.ts';

/** The columns of a call; the text of its object follows from them. */
type CallColumns = Omit<Call, 'objectText'>;

/** Writes calls without their summaries. A new call causes a webhook event. */
export async function writeCalls(capture: CaptureTransaction, entries: EntryOf<'call'>[]): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'ownerId', await knownUsers(capture, referenced(entries, 'ownerId')));
  problems.requireKnown(entries, 'roomId', await knownRooms(capture, referenced(entries, 'roomId')));

  const stored = await tx.call.findMany({
    where: { companyId, id: { in: entries.map(({ record }) => record.id) } },
    omit: { objectText: true },
  });
  const { inserts, updates } = planUpserts<EntryOf<'call'>, CallColumns>(
    capture,
    problems,
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
  problems.requireNone();
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
      announces: { type: 'call.recorded', callId: after.id },
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
 * Inserts calls, and updates those that exist except for their summaries, with the texts of their objects and the words by
 * which they are found.
 */
async function storeCalls(
  { tx, companyId }: CaptureTransaction,
  calls: { before: CallColumns | null; after: CallColumns }[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ after: call }) => {
    const { summary: _summary, ...columns } = call;
    return { ...columns, text: storedCall(call) };
  });
  const write = Prisma.sql`
    INSERT INTO calls
      (company_id, id, kind, status, occurred_at, updated_at, completed_at, owner_id, title, prospect_name,
       duration_seconds, room_id, participants, talk_time, disqualified_at, disqualified_reason, object_text)
    SELECT ${companyId}, id, kind, status, "occurredAt", "updatedAt", "completedAt", "ownerId", title, "prospectName",
           "durationSeconds", "roomId", participants, "talkTime", "disqualifiedAt", "disqualifiedReason", text
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (id uuid, kind call_kind, status call_status, "occurredAt" timestamptz, "updatedAt" timestamptz,
       "completedAt" timestamptz, "ownerId" int, title text, "prospectName" text, "durationSeconds" int, "roomId" uuid,
       participants json, "talkTime" json, "disqualifiedAt" timestamptz, "disqualifiedReason" text, text text)
    ON CONFLICT (company_id, id) DO UPDATE SET
      kind = EXCLUDED.kind, status = EXCLUDED.status, occurred_at = EXCLUDED.occurred_at,
      completed_at = EXCLUDED.completed_at, owner_id = EXCLUDED.owner_id, title = EXCLUDED.title,
      prospect_name = EXCLUDED.prospect_name, duration_seconds = EXCLUDED.duration_seconds, room_id = EXCLUDED.room_id,
      participants = EXCLUDED.participants, talk_time = EXCLUDED.talk_time, disqualified_at = EXCLUDED.disqualified_at,
      disqualified_reason = EXCLUDED.disqualified_reason, object_text = EXCLUDED.object_text`;
  const words = replacedWords(
    companyId,
    'call',
    calls.map(({ before, after }) => ({
      id: after.id,
      namedBefore: before && nameOf(before),
      named: nameOf(after),
    })),
  );
  await tx.$executeRaw(words === null ? write : Prisma.sql`WITH written AS (${write}) ${words}`);
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
