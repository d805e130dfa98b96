import { Prisma, type Room } from '@deal-signals/db/generated/client';
import { storedRoom } from '@deal-signals/serializers/rooms/room';
import { ABSENT, type CaptureTransaction } from '../transaction/capture-transaction.ts';
import { referenced, type EntryOf } from '../records/entry.ts';
import { knownCalls, knownUsers } from './table/known-ids.ts';
import type { NewRecord } from '../records/new-row.ts';
import { Problems } from '../records/problems.ts';
import type { RecordOf } from '../records/record.ts';
import { replacedNames } from './search-names.ts';
import { storedTable } from './table/stored-table.ts';
import { byIdentity, planUpserts } from './table/upsert.ts';

/** The columns of a room; the text of its object follows from them. */
type RoomColumns = Omit<Room, 'objectText'>;

const ROOMS = storedTable<Room, 'objectText'>(
  'rooms',
  {
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
    objectText: ['object_text', 'text'],
  },
  { key: ['companyId', 'id'], kept: ['lastActivityAt'], unread: ['objectText'] },
);

/** The columns whose change triggers `decision_room.updated`. */
const ANNOUNCED = ['status', 'dealValueCents', 'expectedCloseDate', 'primaryContactEmail'] as const;

/**
 * Writes rooms. A new room causes a webhook event, and so does a change of the status, value, close date or contact of an
 * existing one.
 */
export async function writeRooms(capture: CaptureTransaction, entries: EntryOf<'room'>[]): Promise<void> {
  const { tx, companyId, at } = capture;
  const problems = new Problems();
  problems.requireKnown(entries, 'ownerId', await knownUsers(capture, referenced(entries, 'ownerId')));
  problems.requireKnown(
    entries,
    'sourceCallId',
    await knownCalls(capture, referenced(entries, 'sourceCallId')),
  );

  const stored = await ROOMS.find(
    tx,
    companyId,
    Prisma.sql`id = ANY (${entries.map(({ record }) => record.id)}::uuid[])`,
  );
  const { inserts, updates } = planUpserts<EntryOf<'room'>, RoomColumns>(
    capture,
    problems,
    entries,
    byIdentity(stored, ({ id }) => `room ${id}`),
    {
      patch: (record) => ({
        name: record.name,
        slug: record.slug,
        status: record.status,
        ownerId: record.ownerId,
        primaryContactEmail: record.primaryContactEmail,
        expectedCloseDate: record.expectedCloseDate,
        dealValueCents:
          typeof record.dealValueCents === 'number' ? BigInt(record.dealValueCents) : record.dealValueCents,
        sourceCallId: record.sourceCallId,
        createdAt: record.createdAt ?? undefined,
        closedAt: record.closedAt,
      }),
      blank: (record) => newRoom(companyId, record, at),
    },
  );
  await storeRooms(capture, [...inserts.map(({ after }) => ({ before: null, after })), ...updates]);

  const dealsMoved = updates.filter(
    ({ before, after }) => before.status !== after.status || before.dealValueCents !== after.dealValueCents,
  );
  const callsOf = await findCallsOf(
    capture,
    dealsMoved.map(({ after }) => after.id),
  );
  for (const { entry, after } of inserts) {
    capture.effects.push({
      line: entry.line,
      identity: `room ${after.id}`,
      announces: { type: 'decision_room.created', id: after.id },
    });
  }
  for (const { entry, after } of updates) {
    capture.effects.push({
      line: entry.line,
      identity: `room ${after.id}`,
      roomId: after.id,
      callIds: callsOf.get(after.id) ?? [],
      // A room that is new in this transaction is announced as such.
      ...(capture.changes.get(`room ${after.id}`)?.before !== ABSENT && {
        announces: { type: 'decision_room.updated', id: after.id, ifChanged: ANNOUNCED },
      }),
    });
  }
}

/** Inserts rooms, and updates those that exist, with the texts of their objects and the names by which they are found. */
async function storeRooms(
  { tx, companyId }: CaptureTransaction,
  rooms: { before: RoomColumns | null; after: RoomColumns }[],
): Promise<void> {
  if (rooms.length === 0) return;
  const write = ROOMS.upsert(rooms.map(({ after }) => ({ ...after, objectText: storedRoom(after) })));
  const names = replacedNames(
    companyId,
    'room',
    rooms.map(({ before, after }) => ({
      id: after.id,
      namedBefore: before?.name ?? null,
      named: after.name,
    })),
  );
  await tx.$executeRaw(names === null ? write : Prisma.sql`WITH written AS (${write}) ${names}`);
}

function newRoom(companyId: number, { id, name }: NewRecord<RecordOf<'room'>>, at: Date): RoomColumns {
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
