import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma, type RoomStatus } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { calendarDate, calendarDateOrNull, dateTime, dateTimeOrNull } from '../date-time.ts';
import { type FeedPosition, isOneOf, type Listed, pageQuery } from '../feed-page.ts';
import { fillSlots, type JsonOf, textWithSlots } from '../object-text.ts';

/** The states of a room. */
export const roomStatus = z.enum(['open', 'won', 'lost', 'dormant']);

/** The seller who owns a room or a call. */
export const owner = z
  .object({ id: z.int(), name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Owner' });

/** A Decision Room, as pulled from the room endpoints and pushed with `decision_room.created` and `….updated`. */
export const room = z
  .object({
    id: z.guid(),
    name: z.string().meta({ description: "The prospect company's name" }),
    slug: z.string().nullable(),
    status: roomStatus,
    owner: owner.nullable().meta({ description: 'Null if the room has no owner' }),
    primaryContactEmail: z.string().nullable(),
    expectedCloseDate: calendarDate.nullable(),
    dealValueCents: z.int().nullable().meta({ description: 'In minor currency units; exact up to 2^53' }),
    sourceCallId: z.guid().nullable(),
    createdAt: dateTime,
    lastActivityAt: dateTime.meta({
      description: 'Time of the last activity in the room; the sort key of `GET /decision-rooms`',
    }),
    lastEngagementAt: dateTime.nullable().meta({
      description:
        'When the latest event or view of the room occurred: `totals.lastActivityAt` of its metrics. `lastActivityAt` is the time at which something was last recorded, which after an import is the time of the import',
    }),
    closedAt: dateTime.nullable(),
  })
  .meta({ id: 'Room' });

/** A room in the API. */
export type Room = z.infer<typeof room>;

/** The columns an owner is built from. */
export interface OwnerColumns {
  ownerId: number | null;
  ownerName: string | null;
  ownerEmail: string | null;
}

/** The columns a room object is built from. */
export interface RoomRow extends OwnerColumns {
  id: string;
  name: string;
  slug: string | null;
  status: RoomStatus;
  primaryContactEmail: string | null;
  expectedCloseDate: Date | null;
  dealValueCents: bigint | null;
  sourceCallId: string | null;
  createdAt: Date;
  lastActivityAt: Date;
  /** The latest time in the roll-up of its events and views; null if there are none. */
  lastEngagementAt: Date | null;
  closedAt: Date | null;
}

/**
 * The columns that are inserted into the text when a room is read: the owner and the roll-up are in other rows, and every
 * activity in the room changes `lastActivityAt` without changing the text.
 */
type PutIn = keyof OwnerColumns | 'lastActivityAt' | 'lastEngagementAt';

/** A room of the feed, with the stored text of its object. */
export type ListedRoom = Listed<Pick<RoomRow, PutIn | 'id'> & { text: string }>;

/** Selects rooms to read. An omitted field does not filter. */
export interface RoomFilter {
  ids?: readonly string[];
  /** Only rooms after this position of the feed. */
  after?: FeedPosition;
  /** Only rooms before this position of the feed. */
  before?: FeedPosition;
  /** Only rooms with activity at or after this time. */
  since?: Date | undefined;
  status?: RoomStatus | undefined;
  /** Reverses the order of the feed. */
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit?: number;
}

/**
 * Reads rooms of one workspace, in feed order: by `lastActivityAt`, then id, or in the reverse. With a limit, returns up to
 * that many, or fewer if they are large.
 */
export function findRooms(db: Queryable, companyId: number, filter: RoomFilter): Promise<ListedRoom[]> {
  return db.query<ListedRoom>(roomsQuery(companyId, filter));
}

/** The query of `findRooms`. */
export function roomsQuery(
  companyId: number,
  { ids, after, before, since, status, isNewestFirst, limit }: RoomFilter,
): Prisma.Sql {
  const conditions = [Prisma.sql`r.company_id = ${companyId}`];
  if (ids) conditions.push(isOneOf(Prisma.sql`r.id`, ids));
  if (after) conditions.push(Prisma.sql`(r.last_activity_at, r.id) > (${after.at}, ${after.id}::uuid)`);
  if (before) conditions.push(Prisma.sql`(r.last_activity_at, r.id) < (${before.at}, ${before.id}::uuid)`);
  if (since) conditions.push(Prisma.sql`r.last_activity_at >= ${since}`);
  if (status) conditions.push(Prisma.sql`r.status = ${status}::room_status`);
  return pageQuery({
    columns: {
      id: Prisma.sql`r.id`,
      ownerId: Prisma.sql`r.owner_id`,
      ownerName: Prisma.sql`u.name`,
      ownerEmail: Prisma.sql`u.email`,
      lastActivityAt: Prisma.sql`r.last_activity_at`,
      lastEngagementAt: Prisma.sql`t.last_activity_at`,
      text: Prisma.sql`r.object_text`,
    },
    from: Prisma.sql`
      rooms r
      LEFT JOIN users u ON u.company_id = r.company_id AND u.id = r.owner_id
      LEFT JOIN room_totals t ON t.company_id = r.company_id AND t.room_id = r.id`,
    where: conditions,
    order: ['lastActivityAt', 'id'],
    isNewestFirst,
    large: ['text'],
    limit,
  });
}

/** Builds the API object of a room. */
export function serializeRoom(row: RoomRow): Room {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    owner: ownerOf(row),
    primaryContactEmail: row.primaryContactEmail,
    expectedCloseDate: calendarDateOrNull(row.expectedCloseDate),
    dealValueCents: row.dealValueCents === null ? null : Number(row.dealValueCents),
    sourceCallId: row.sourceCallId,
    createdAt: row.createdAt.toISOString(),
    lastActivityAt: row.lastActivityAt.toISOString(),
    lastEngagementAt: dateTimeOrNull(row.lastEngagementAt),
    closedAt: dateTimeOrNull(row.closedAt),
  };
}

/** Builds the owner of a room; null if it has none. */
export function ownerOf(row: OwnerColumns): Room['owner'] {
  return row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName, email: row.ownerEmail };
}

/** Returns the text to store with a room. */
export function storedRoom(row: Omit<RoomRow, PutIn>): string {
  const others = {
    ownerId: null,
    ownerName: null,
    ownerEmail: null,
    lastActivityAt: new Date(0),
    lastEngagementAt: null,
  };
  return textWithSlots(serializeRoom({ ...row, ...others }), ['owner', 'lastActivityAt', 'lastEngagementAt']);
}

/** Returns the JSON text of a room. */
export function roomText(row: ListedRoom): JsonOf<Room> {
  return fillSlots(row.text, [ownerOf(row), row.lastActivityAt, row.lastEngagementAt]);
}
