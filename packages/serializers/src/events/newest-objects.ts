import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import { callText, findCalls } from '../calls/call.ts';
import { findEsignDocuments, serializeEsignDocument } from '../rooms/esign-document.ts';
import { findRooms, roomText } from '../rooms/room.ts';
import { readTextPage } from '../text-page.ts';
import { EVENTS, type ObjectKind } from './events.ts';

/** An object as an event would show it now. */
export interface ShownObject {
  id: string;
  /** When it happened or last changed. */
  at: string;
  /** `data` of the event. */
  data: Record<string, unknown>;
}

/** Which objects of a kind to read. A field that is left out does not filter. */
interface ObjectFilter {
  ids?: readonly string[];
  /** Only calls that have a summary. */
  hasSummary?: boolean;
  limit: number;
}

type FindTexts = (
  db: Queryable,
  companyId: number,
  filter: ObjectFilter,
) => Promise<{ id: string; text: string }[]>;

/** How objects are read, newest first, and the field that says when they happened or changed. */
const KINDS: Readonly<Record<Exclude<ObjectKind, 'erasure'>, { find: FindTexts; time: string }>> = {
  event: { find: findEngagement(Prisma.sql`engagement_events`), time: 'occurredAt' },
  view: { find: findEngagement(Prisma.sql`engagement_views`), time: 'endedAt' },
  call: {
    find: async (db, companyId, filter) =>
      (await findCalls(db, companyId, { ...filter, isNewestFirst: true })).map((row) => ({
        id: row.id,
        text: callText(row),
      })),
    time: 'updatedAt',
  },
  room: {
    find: async (db, companyId, { ids, limit }) =>
      (await findRooms(db, companyId, { ...(ids && { ids }), isNewestFirst: true, limit })).map((row) => ({
        id: row.id,
        text: roomText(row),
      })),
    time: 'lastActivityAt',
  },
  esign: {
    find: async (db, companyId, { ids, limit }) => {
      const conditions = ids ? [Prisma.sql`id = ANY (${[...ids]}::text[])`] : [];
      const rows = await findEsignDocuments(db, companyId, { conditions, isNewestFirst: true, limit });
      return rows.map((row) => ({
        id: row.id,
        text: JSON.stringify({ buyerSpaceId: row.roomId, document: serializeEsignDocument(row) }),
      }));
    },
    time: 'updatedAt',
  },
};

/**
 * Reads the newest objects of a workspace that events of a type show, up to `limit`, or fewer if they are large. None for the types that
 * show no object of the workspace's data.
 */
export async function findNewestObjects(
  db: Queryable,
  companyId: number,
  type: EventType,
  filter: Omit<ObjectFilter, 'hasSummary'>,
): Promise<ShownObject[]> {
  const { object, objectField } = EVENTS[type];
  if (object === null || object === 'erasure') return [];
  const { find, time } = KINDS[object];
  const hasSummary = type === 'call.summary.created';
  const found = await find(db, companyId, { ...filter, ...(hasSummary && { hasSummary }) });
  return found.map(({ id, text }) => {
    const data = JSON.parse(text) as Record<string, unknown>;
    const shown = objectField === undefined ? data : (data[objectField] as Record<string, unknown>);
    return { id, at: String(shown[time]), data };
  });
}

/** Reads engagement events or views, whose texts are stored as they are sent. */
function findEngagement(table: Prisma.Sql): FindTexts {
  return async (db, companyId, { ids, limit }) => {
    const where = [Prisma.sql`company_id = ${companyId}`];
    if (ids) where.push(Prisma.sql`id = ANY (${[...ids]}::text[]::bigint[])`);
    const { rows } = await readTextPage<unknown>(db, { table, where, isNewestFirst: true, limit });
    return rows.map(({ id, text }) => ({ id: String(id), text }));
  };
}
