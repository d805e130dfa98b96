import type { Call } from '@deal-signals/db/generated/client';
import { storedCall } from '@deal-signals/serializers/calls/call';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import type { NewRecord } from '../records/new-row.ts';
import type { RecordOf } from '../records/record.ts';
import { storedTable } from './table/stored-table.ts';
import { writeUpserts } from './table/upsert.ts';

/** The columns of a call; the text of its object follows from them. */
type CallColumns = Omit<Call, 'objectText'>;

/** Calls. Their summaries have records of their own. */
export const CALLS = storedTable<CallColumns>({
  kind: 'call',
  table: 'calls',
  columns: {
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
  },
  key: ['id'],
  kept: ['updatedAt', 'summary'],
  text: storedCall,
  foundBy: 'call',
});

/** Writes calls without their summaries. A new call causes a webhook event. */
export async function writeCalls(capture: CaptureTransaction, entries: EntryOf<'call'>[]): Promise<void> {
  const changes = await writeUpserts(capture, entries, CALLS, {
    references: { ownerId: 'users', roomId: 'rooms' },
    patch: (record) => record,
    blank: (record) => newCall(record, capture.at),
  });
  const resized = changes
    .filter(({ before, after }) => before && before.durationSeconds !== after.durationSeconds)
    .map(({ after }) => after.id);
  if (resized.length > 0) {
    await capture.tx.$executeRaw`SELECT roll_up_durations(${capture.companyId}, ${resized}::uuid[])`;
  }
  for (const { entry, before, after } of changes) {
    const { id, roomId } = after;
    const effect = { line: entry.line, identity: `call ${id}` };
    if (before === undefined) {
      capture.effects.push({ ...effect, roomId, announces: { type: 'call.recorded', id } });
      continue;
    }
    capture.effects.push({ ...effect, roomId, callIds: [id] });
    if (before.roomId !== roomId) capture.effects.push({ ...effect, roomId: before.roomId });
  }
}

function newCall(
  { companyId, id, kind, occurredAt, ownerId }: NewRecord<RecordOf<'call'>>,
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
