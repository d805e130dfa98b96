import type { Queryable } from '@deal-signals/db/queryable';
import { firstIdAt, IDS_PER_MS } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventSource } from '@deal-signals/outbox/event-id';
import type { EventType } from '@deal-signals/outbox/event-types';
import { EVENTS, type ObjectKind } from './events.ts';

// A walk over all feeds at once, oldest position first, that finds objects without reading their texts.

/** The order of objects that have the same time. */
const KINDS: readonly ObjectKind[] = ['event', 'view', 'call', 'room', 'esign', 'erasure'];

/** An object of a feed. */
export interface ChangedObject {
  kind: ObjectKind;
  id: string;
  /** Its position in its feed, to the millisecond. */
  at: Date;
  /** About the size of its JSON text. */
  bytes: number;
  /** Whether the event of the complete object can show it. False only for a call without a summary. */
  isComplete: boolean;
  /** When a room was created or a call took place; null for other objects. */
  beganAt: Date | null;
  /** What an erasure erased; null for other objects. */
  erased: 'person' | 'room' | null;
}

/** A position of the walk: behind an object, or at the beginning of a millisecond. */
export type WalkPosition = Pick<ChangedObject, 'at'> & (Pick<ChangedObject, 'kind' | 'id'> | { kind: null });

/** Selects objects to find. */
export interface ChangedFilter {
  kinds: ReadonlySet<ObjectKind>;
  from: WalkPosition;
  /** Only objects whose position is before this time. */
  until: Date | null;
  limit: number;
}

/** Finds the next objects of the feeds of a workspace, in the order of their positions. */
export async function findChangedObjects(
  db: Queryable,
  companyId: number,
  { kinds, from, until, limit }: ChangedFilter,
): Promise<ChangedObject[]> {
  const parts = KINDS.filter((kind) => kinds.has(kind)).map((kind) => {
    const { at, source, bytes, isComplete, beganAt, erased } = FEEDS[kind];
    const conditions = [Prisma.sql`company_id = ${companyId}`, after(kind, from)];
    if (until !== null) {
      conditions.push(at === null ? Prisma.sql`id < ${firstIdAt(until)}` : Prisma.sql`${at} < ${until}`);
    }
    return Prisma.sql`(
      SELECT ${kind} AS kind, t.id::text AS id, ${at ?? Prisma.sql`NULL::timestamptz`} AS at, ${bytes} AS bytes,
        ${isComplete ?? Prisma.sql`true`} AS "isComplete", ${beganAt ?? Prisma.sql`NULL::timestamptz`} AS "beganAt",
        ${erased ?? Prisma.sql`NULL::text`} AS erased
      FROM ${source} AS t WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${at === null ? ID : Prisma.sql`t.${at}, ${ID}`} LIMIT ${limit})`;
  });
  const rows = await db.query<Omit<ChangedObject, 'at'> & { at: Date | null }>(
    Prisma.join(parts, ' UNION ALL '),
  );
  const objects = rows.map((row) => ({ ...row, at: row.at ?? timeOfId(BigInt(row.id)) }));
  // The rows of a feed are in its order already, and those of the same time in the order of their kinds.
  return objects.toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(0, limit);
}

/** The columns of a feed that the walk reads. */
interface WalkedFeed {
  source: Prisma.Sql;
  /** The type of the ids. */
  idType: Prisma.Sql;
  /** The column of the time that the feed is sorted by; null if it is sorted by ids, which are times. */
  at: Prisma.Sql | null;
  bytes: Prisma.Sql;
  isComplete?: Prisma.Sql;
  beganAt?: Prisma.Sql;
  erased?: Prisma.Sql;
}

// With its table: the walk returns ids as texts, and a bare name would sort by these.
const ID = Prisma.sql`t.id`;
const UUID = Prisma.sql`uuid`;
const BIGINT = Prisma.sql`bigint`;
const UPDATED_AT = Prisma.sql`updated_at`;
// PostgreSQL knows the length of a text without reading it.
const BYTES = Prisma.sql`octet_length(object_text)`;

const FEEDS: Readonly<Record<ObjectKind, WalkedFeed>> = {
  event: { source: Prisma.sql`engagement_events`, idType: BIGINT, at: null, bytes: BYTES },
  view: { source: Prisma.sql`engagement_views`, idType: BIGINT, at: null, bytes: BYTES },
  call: {
    source: Prisma.sql`calls`,
    idType: UUID,
    at: UPDATED_AT,
    bytes: BYTES,
    isComplete: Prisma.sql`(status = 'completed' AND summary IS NOT NULL)`,
    beganAt: Prisma.sql`occurred_at`,
  },
  room: {
    source: Prisma.sql`rooms`,
    idType: UUID,
    at: Prisma.sql`last_activity_at`,
    bytes: BYTES,
    beganAt: Prisma.sql`created_at`,
  },
  esign: {
    source: Prisma.sql`esign_documents`,
    idType: Prisma.sql`text`,
    at: UPDATED_AT,
    bytes: Prisma.sql`octet_length(concat(id, vendor, envelope_id, subject))`,
  },
  erasure: {
    source: Prisma.sql`erasures`,
    idType: UUID,
    at: Prisma.sql`erased_at`,
    bytes: BYTES,
    erased: Prisma.sql`object_text::json ->> 'kind'`,
  },
};

/** Returns the condition that an object of a kind comes after a position of the walk. */
function after(kind: ObjectKind, from: WalkPosition): Prisma.Sql {
  const { at, idType } = FEEDS[kind];
  const last = from.kind === null ? -1 : KINDS.indexOf(from.kind);
  if (from.kind === kind) {
    return at === null
      ? Prisma.sql`id > ${BigInt(from.id)}`
      : Prisma.sql`(${at}, id) > (${from.at}, ${from.id}::${idType})`;
  }
  // Within a millisecond, the kinds before this one have been walked already.
  const first = KINDS.indexOf(kind) < last ? new Date(from.at.getTime() + 1) : from.at;
  return at === null ? Prisma.sql`id >= ${firstIdAt(first)}` : Prisma.sql`${at} >= ${first}`;
}

function timeOfId(id: bigint): Date {
  return new Date(Number(id / BigInt(IDS_PER_MS)));
}

/**
 * Chooses the type of the event that shows an object as it is now. A type that is sent once, when an object is new, is used only if the
 * endpoint gets no other: then only for objects that began at `since` or later.
 *
 * @returns null if the endpoint gets no such event.
 */
export function typeToShow(
  { kind, isComplete, beganAt, erased }: ChangedObject,
  isWanted: (type: EventType) => boolean,
  since: Date,
): EventType | null {
  if (kind === 'erasure') return isWanted(`${erased!}.erased`) ? `${erased!}.erased` : null;
  const { state, first } = SHOWN_BY[kind];
  if (isComplete && isWanted(state)) return state;
  if (first === undefined || !isWanted(first)) return null;
  return isWanted(state) || beganAt! >= since ? first : null;
}

/** The type that shows an object in any state, and the one that is sent once, when it is new. */
const SHOWN_BY: Readonly<Record<Exclude<ObjectKind, 'erasure'>, { state: EventType; first?: EventType }>> = {
  event: { state: 'engagement.recorded' },
  view: { state: 'engagement.view.recorded' },
  call: { state: 'call.summary.created', first: 'call.recorded' },
  room: { state: 'decision_room.updated', first: 'decision_room.created' },
  esign: { state: 'decision_room.esign.updated' },
};

/** Returns the sources of all events that can show an object at its present position. */
export function eventsOf({ kind, id, at }: ChangedObject): EventSource[] {
  const position = FEEDS[kind].at === null ? BigInt(id) : at;
  return typesOf(kind).map((type) => ({ type, objectId: id, position }));
}

/** The types of the events that show objects of a kind. */
export function typesOf(kind: ObjectKind): EventType[] {
  return (Object.keys(EVENTS) as EventType[]).filter((type) => EVENTS[type].object === kind);
}
