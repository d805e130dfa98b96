import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { type About, NOTHING } from '@deal-signals/outbox/about';
import type { EventType } from '@deal-signals/outbox/event-types';
import { callText, findCalls, type ListedCall } from '../calls/call.ts';
import type { Erasure } from '../erasures/erasure.ts';
import { isOneOf, pageQuery } from '../feed-page.ts';
import {
  type EsignDocumentRow,
  findEsignDocuments,
  serializeEsignDocument,
} from '../rooms/esign-document.ts';
import { findRooms, type ListedRoom, roomText } from '../rooms/room.ts';
import { EVENTS, type ObjectKind } from './events.ts';

/** What an event shows of an object, and the objects that it is about. */
export interface ShownObject {
  /** `data` of the event, as JSON text. */
  data: string;
  about: About;
}

/** Selects objects of a kind: by their ids, or the newest ones. */
interface ObjectFilter {
  ids?: readonly string[];
  /** Only calls that have a summary. */
  hasSummary?: boolean;
  /** Maximum number of objects, newest first. A large page ends earlier: see `pageQuery`. All by default. */
  newest?: number;
}

/** A row that was found, with what an event shows of it. */
type Found = ShownObject & { id: string };

/** Returns what an event shows of a call. */
export function showCall(row: ListedCall): ShownObject {
  return { data: callText(row), about: { roomId: row.roomId, callId: row.id, identity: null } };
}

/** Returns what an event shows of a room. */
export function showRoom(row: ListedRoom): ShownObject {
  return { data: roomText(row), about: { ...NOTHING, roomId: row.id } };
}

/** Returns what an event shows of a contract. */
export function showEsignDocument(row: EsignDocumentRow): ShownObject {
  const data = { buyerSpaceId: row.roomId, document: serializeEsignDocument(row) };
  return { data: JSON.stringify(data), about: { ...NOTHING, roomId: row.roomId } };
}

/**
 * Reads objects of one kind as the feeds show them now. Objects that do not exist are left out.
 *
 * @returns the objects by id, newest first if `newest` is set.
 */
export async function findShownObjects(
  db: Queryable,
  companyId: number,
  kind: ObjectKind,
  filter: ObjectFilter,
): Promise<Map<string, ShownObject>> {
  const { ids } = filter;
  if (ids?.length === 0) return new Map();
  const found = await FINDERS[kind](db, companyId, filter);
  return new Map(found.map(({ id, ...shown }) => [id, shown]));
}

type Finder = (db: Queryable, companyId: number, filter: ObjectFilter) => Promise<Found[]>;

const FINDERS: Readonly<Record<ObjectKind, Finder>> = {
  event: engagementFinder(Prisma.sql`engagement_events`),
  view: engagementFinder(Prisma.sql`engagement_views`),
  async call(db, companyId, { newest, ...filter }) {
    const rows = await findCalls(db, companyId, { ...filter, ...inOrder(newest) });
    return rows.map((row) => ({ id: row.id, ...showCall(row) }));
  },
  async room(db, companyId, { ids, newest }) {
    const rows = await findRooms(db, companyId, { ...(ids && { ids }), ...inOrder(newest) });
    return rows.map((row) => ({ id: row.id, ...showRoom(row) }));
  },
  async esign(db, companyId, { ids, newest }) {
    const conditions = ids ? [Prisma.sql`id = ANY (${[...ids]}::text[])`] : [];
    const limit = newest ?? ids!.length;
    const rows = await findEsignDocuments(db, companyId, { conditions, ...inOrder(newest), limit });
    return rows.map((row) => ({ id: row.id, ...showEsignDocument(row) }));
  },
  async erasure(db, companyId, { ids = [] }) {
    const rows = await db.query<{ id: string; data: string }>(Prisma.sql`
      SELECT id::text AS id, object_text AS data FROM erasures
      WHERE company_id = ${companyId} AND ${isOneOf(Prisma.sql`id`, ids)}`);
    return rows.map(({ id, data }) => {
      const { buyerSpaceId: roomId } = JSON.parse(data) as Erasure;
      return { id, data, about: { ...NOTHING, roomId } };
    });
  },
};

/** Reads engagement events or views, whose stored texts are what is sent. */
function engagementFinder(table: Prisma.Sql): Finder {
  return async (db, companyId, { ids, newest }) => {
    const where = [Prisma.sql`company_id = ${companyId}`];
    if (ids) where.push(Prisma.sql`id = ANY (${[...ids]}::text[]::bigint[])`);
    const query = pageQuery({
      columns: {
        id: Prisma.sql`id`,
        data: Prisma.sql`object_text`,
        roomId: Prisma.sql`buyer_space_id`,
        callId: Prisma.sql`demo_id`,
        identity: Prisma.sql`identity`,
      },
      from: table,
      where,
      order: ['id'],
      large: ['data'],
      isNewestFirst: newest !== undefined,
      limit: newest,
    });
    const rows = await db.query<About & { id: bigint; data: string }>(query);
    return rows.map(({ id, data, roomId, callId, identity }) => ({
      id: String(id),
      data,
      about: { roomId, callId, identity },
    }));
  };
}

function inOrder(newest: number | undefined) {
  return newest === undefined ? {} : { isNewestFirst: true, limit: newest };
}

/** An object that a filter is tried with. */
export interface RecentObject {
  id: string;
  /** When it happened or last changed. */
  at: string;
  /** `data` of the event. */
  data: Record<string, unknown>;
}

/** The field of an object that says when it happened or last changed. */
const TIMES: Readonly<Record<Exclude<ObjectKind, 'erasure'>, string>> = {
  event: 'occurredAt',
  view: 'endedAt',
  call: 'updatedAt',
  room: 'lastActivityAt',
  esign: 'updatedAt',
};

/**
 * Reads the newest objects of a workspace that events of a type show, up to `limit`, or fewer if they are large. None for the types that
 * show no object of the workspace's data.
 */
export async function findNewestObjects(
  db: Queryable,
  companyId: number,
  type: EventType,
  { ids, limit }: { ids?: readonly string[]; limit: number },
): Promise<RecentObject[]> {
  const { object: kind, objectField } = EVENTS[type];
  if (kind === null || kind === 'erasure') return [];
  const hasSummary = type === 'call.summary.created';
  const found = await findShownObjects(db, companyId, kind, {
    ...(ids && { ids }),
    ...(hasSummary && { hasSummary }),
    newest: limit,
  });
  return Array.from(found, ([id, { data: text }]) => {
    const data = JSON.parse(text) as Record<string, unknown>;
    const shown = objectField === undefined ? data : (data[objectField] as Record<string, unknown>);
    return { id, at: String(shown[TIMES[kind]]), data };
  });
}
