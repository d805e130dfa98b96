import type { Room } from '@deal-signals/db/generated/client';
import { storedRoom } from '@deal-signals/serializers/rooms/room';
import { ABSENT, type CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import type { NewRecord } from '../records/new-row.ts';
import type { RecordOf } from '../records/record.ts';
import { storedTable } from './table/stored-table.ts';
import { writeUpserts } from './table/upsert.ts';

/** The columns of a room; the text of its object follows from them. */
type RoomColumns = Omit<Room, 'objectText'>;

const ROOMS = storedTable<RoomColumns>({
  kind: 'room',
  table: 'rooms',
  columns: {
    companyId: ['company_id', 'int'],
    id: ['id', 'uuid'],
    name: ['name', 'text'],
    slug: ['slug', 'text'],
    status: ['status', 'room_status'],
    ownerId: ['owner_id', 'int'],
    primaryContactEmail: ['primary_contact_email', 'text'],
    expectedCloseDate: ['expected_close_date', 'date'],
    dealValueCents: ['deal_value_cents', 'bigint'],
    sourceCallId: ['source_call_id', 'uuid'],
    createdAt: ['created_at', 'timestamptz'],
    lastActivityAt: ['last_activity_at', 'timestamptz'],
    closedAt: ['closed_at', 'timestamptz'],
  },
  key: ['id'],
  kept: ['lastActivityAt'],
  text: storedRoom,
  foundBy: 'room',
});

/** The columns whose change triggers `decision_room.updated`. */
const ANNOUNCED = ['status', 'dealValueCents', 'expectedCloseDate', 'primaryContactEmail'] as const;

/**
 * Writes rooms. A new room causes a webhook event, and so does a change of the status, value, close date or contact of an
 * existing one.
 */
export async function writeRooms(capture: CaptureTransaction, entries: EntryOf<'room'>[]): Promise<void> {
  const changes = await writeUpserts(capture, entries, ROOMS, {
    references: { ownerId: 'users', sourceCallId: 'calls' },
    patch: (record) => ({
      ...record,
      dealValueCents:
        typeof record.dealValueCents === 'number' ? BigInt(record.dealValueCents) : record.dealValueCents,
      createdAt: record.createdAt ?? undefined,
    }),
    blank: (record) => newRoom(record, capture.at),
  });

  const dealsMoved = changes.filter(
    ({ before, after }) =>
      before && (before.status !== after.status || before.dealValueCents !== after.dealValueCents),
  );
  const callsOf = await findCallsOf(
    capture,
    dealsMoved.map(({ after }) => after.id),
  );
  for (const { entry, before, after } of changes) {
    const { id } = after;
    const effect = { line: entry.line, identity: `room ${id}` };
    if (before === undefined) {
      capture.effects.push({ ...effect, announces: { type: 'decision_room.created', id } });
      continue;
    }
    capture.effects.push({
      ...effect,
      roomId: id,
      callIds: callsOf.get(id) ?? [],
      // A room that is new in this transaction is announced as such.
      ...(capture.changes.get(`room ${id}`)?.before !== ABSENT && {
        announces: { type: 'decision_room.updated', id, ifChanged: ANNOUNCED },
      }),
    });
  }
}

function newRoom({ companyId, id, name }: NewRecord<RecordOf<'room'>>, at: Date): RoomColumns {
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

/** The calls of rooms, by room. They show its status and value, so they move in their feed when either changes. */
async function findCallsOf(
  { tx, companyId }: CaptureTransaction,
  roomIds: string[],
): Promise<Map<string, string[]>> {
  if (roomIds.length === 0) return new Map();
  const rooms = await tx.$queryRaw<{ roomId: string; callIds: string[] }[]>`
    SELECT room_id AS "roomId", array_agg(id) AS "callIds" FROM calls
    WHERE company_id = ${companyId} AND room_id = ANY (${roomIds}::uuid[])
    GROUP BY room_id`;
  return new Map(rooms.map(({ roomId, callIds }) => [roomId, callIds]));
}
