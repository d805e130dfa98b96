import type { Queryable } from '@deal-signals/db/database';
import { Prisma, type RoomStatus } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { calendarDate, calendarDateOrNull, dateTime, dateTimeOrNull } from '../date-time.ts';
import { type FeedPosition, type LargeColumns, limitTo, type Listed, withinPageBytes } from '../feed-page.ts';

/** The states of a room. */
export const roomStatus = z.enum(['open', 'won', 'lost', 'dormant']);

/** The seller who owns a room or a call. */
export const owner = z
  .object({ id: z.int(), name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Owner' });

/** A Decision Room, as pulled from the room endpoints and pushed with `decision_room.updated`. */
export const room = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: "The prospect company's name" }),
    slug: z.string().nullable(),
    status: roomStatus,
    owner: owner.nullable().meta({ description: 'Null if the room has no owner' }),
    primaryContactEmail: z.string().nullable(),
    expectedCloseDate: calendarDate.nullable(),
    dealValueCents: z.int().nullable().meta({ description: 'In minor currency units; exact up to 2^53' }),
    sourceCallId: z.uuid().nullable(),
    createdAt: dateTime,
    lastActivityAt: dateTime.meta({
      description: 'Time of the last activity in the room; the sort key of `GET /decision-rooms`',
    }),
    closedAt: dateTime.nullable(),
  })
  .meta({ id: 'Room' });

/** A room as the API shows it. */
export type Room = z.infer<typeof room>;

/** The columns a room object is built from. */
export interface RoomRow {
  id: string;
  name: string;
  slug: string | null;
  status: RoomStatus;
  ownerId: number | null;
  ownerName: string | null;
  ownerEmail: string | null;
  primaryContactEmail: string | null;
  expectedCloseDate: Date | null;
  dealValueCents: bigint | null;
  sourceCallId: string | null;
  createdAt: Date;
  lastActivityAt: Date;
  closedAt: Date | null;
}

const LARGE_COLUMNS: LargeColumns = {
  texts: [
    Prisma.sql`name`,
    Prisma.sql`slug`,
    Prisma.sql`"ownerName"`,
    Prisma.sql`"ownerEmail"`,
    Prisma.sql`"primaryContactEmail"`,
  ],
};

/** Which rooms to read. A field that is left out does not filter. */
export interface RoomFilter {
  ids?: readonly string[];
  /** Only rooms after this position of the feed. */
  after?: FeedPosition;
  status?: RoomStatus | undefined;
  /** Maximum number of rows. */
  limit?: number;
}

/**
 * Reads rooms of one workspace, in feed order: by `lastActivityAt`, then id. With a limit, returns up to that many, or
 * fewer if they are large.
 */
export function findRooms(
  db: Queryable,
  companyId: number,
  { ids, after, status, limit }: RoomFilter,
): Promise<Listed<RoomRow>[]> {
  const conditions = [Prisma.sql`r.company_id = ${companyId}`];
  if (ids) conditions.push(Prisma.sql`r.id = ANY (${[...ids]}::uuid[])`);
  if (after) conditions.push(Prisma.sql`(r.last_activity_at, r.id) > (${after.at}, ${after.id}::uuid)`);
  if (status) conditions.push(Prisma.sql`r.status = ${status}::room_status`);
  const query = Prisma.sql`
    SELECT r.id, r.name, r.slug, r.status::text, r.owner_id AS "ownerId", u.name AS "ownerName",
           u.email AS "ownerEmail", r.primary_contact_email AS "primaryContactEmail",
           r.expected_close_date AS "expectedCloseDate", r.deal_value_cents AS "dealValueCents",
           r.source_call_id AS "sourceCallId", r.created_at AS "createdAt",
           r.last_activity_at AS "lastActivityAt", r.closed_at AS "closedAt"
    FROM rooms r
    LEFT JOIN users u ON u.company_id = r.company_id AND u.id = r.owner_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY r.last_activity_at, r.id
    ${limitTo(limit)}`;
  return db.$queryRaw<Listed<RoomRow>[]>(
    limit === undefined ? query : withinPageBytes(query, Prisma.sql`"lastActivityAt", id`, LARGE_COLUMNS),
  );
}

/** Builds the API object of a room. */
export function serializeRoom(row: RoomRow): Room {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName, email: row.ownerEmail },
    primaryContactEmail: row.primaryContactEmail,
    expectedCloseDate: calendarDateOrNull(row.expectedCloseDate),
    dealValueCents: row.dealValueCents === null ? null : Number(row.dealValueCents),
    sourceCallId: row.sourceCallId,
    createdAt: row.createdAt.toISOString(),
    lastActivityAt: row.lastActivityAt.toISOString(),
    closedAt: dateTimeOrNull(row.closedAt),
  };
}
