import type { Queryable } from '@deal-signals/db/queryable';
import { type CallKind, type CallStatus, Prisma, type RoomStatus } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { type FeedPosition, isOneOf, type Listed, pageQuery } from '../feed-page.ts';
import { fillSlots, type JsonOf, textWithSlots } from '../object-text.ts';
import { owner, roomStatus } from '../rooms/room.ts';
import { callSummary, type CallSummary } from './call-summary.ts';

/** The kinds of recording. */
export const callKind = z.enum(['demo', 'qualifying_call', 'meeting']);

/** The states of a recording. */
export const callStatus = z.enum(['processing', 'completed', 'failed']);

const text = z.string().nullable().default(null);

/** One person on a call. Capture parses participants with this schema, so stored participants have every field. */
export const participant = z
  .object({
    name: text,
    email: text,
    role: text,
    isHost: z.boolean().default(false),
    isInternal: z.boolean().default(false),
    talkSeconds: z.int().nonnegative().nullable().default(null),
    talkPercent: z.number().min(0).max(100).nullable().default(null),
    sources: z.array(z.string()).default([]),
  })
  .meta({ id: 'CallParticipant' });

/** Where the talk times come from, and their total. Capture parses it with this schema too. */
export const talkTime = z
  .object({ source: text, totalSpeakerSeconds: z.int().nonnegative().nullable().default(null) })
  .meta({ id: 'CallTalkTime' });

/** A call, as pulled from the call endpoints and pushed with `call.recorded` and `call.summary.created`. */
export const call = z
  .object({
    id: z.guid(),
    kind: callKind,
    status: callStatus,
    occurredAt: dateTime,
    updatedAt: dateTime.meta({
      description: 'Time of the last change to the call; the sort key of `GET /calls`',
    }),
    completedAt: dateTime.nullable(),
    owner,
    participants: z.array(participant),
    hasSummary: z.boolean(),
    title: z.string().nullable(),
    prospectName: z.string().nullable(),
    durationSeconds: z.int().nullable(),
    buyerSpaceId: z.guid().nullable(),
    talkTime: talkTime.nullable(),
    summary: callSummary.nullable(),
    deal: z.object({ status: roomStatus, valueCents: z.int().nullable() }).nullable().meta({
      description: 'Status and value of the Decision Room the call belongs to; null if it has no room',
    }),
    disqualifiedAt: dateTime.nullable(),
    disqualifiedReason: z.string().nullable(),
  })
  .meta({ id: 'Call' });

/** A call in the API. */
export type Call = z.infer<typeof call>;

/** The columns a call object is built from. */
export interface CallRow {
  id: string;
  kind: CallKind;
  status: CallStatus;
  occurredAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  ownerId: number;
  ownerName: string;
  ownerEmail: string;
  participants: z.infer<typeof participant>[];
  title: string | null;
  prospectName: string | null;
  durationSeconds: number | null;
  roomId: string | null;
  roomStatus: RoomStatus | null;
  roomValueCents: bigint | null;
  talkTime: z.infer<typeof talkTime> | null;
  summary: CallSummary | null;
  disqualifiedAt: Date | null;
  disqualifiedReason: string | null;
}

/** The columns that are inserted into the text when a call is read: those of its owner and its room, and the sort key. */
type PutIn = 'updatedAt' | 'ownerId' | 'ownerName' | 'ownerEmail' | 'roomStatus' | 'roomValueCents';

/** A call of the feed, with the stored text of its object. */
export type ListedCall = Listed<Pick<CallRow, PutIn | 'id' | 'roomId'> & { text: string }>;

/** Selects calls to read. An omitted field does not filter. */
export interface CallFilter {
  ids?: readonly string[];
  /** Only calls after this position of the feed. */
  after?: FeedPosition;
  /** Only calls before this position of the feed. */
  before?: FeedPosition;
  /** Only calls that changed at or after this time. */
  since?: Date | undefined;
  kind?: CallKind | undefined;
  /** Only calls that have a summary. */
  hasSummary?: boolean;
  roomId?: string | undefined;
  /** Reverses the order of the feed. */
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit?: number;
}

/**
 * Reads calls of one workspace, in feed order: by `updatedAt`, then id, or in the reverse. With a limit, returns up to that
 * many, or fewer if they are large.
 */
export function findCalls(
  db: Queryable,
  companyId: number,
  { ids, after, before, since, kind, hasSummary, roomId, isNewestFirst, limit }: CallFilter,
): Promise<ListedCall[]> {
  const conditions = [Prisma.sql`c.company_id = ${companyId}`];
  if (ids) conditions.push(isOneOf(Prisma.sql`c.id`, ids));
  if (after) conditions.push(Prisma.sql`(c.updated_at, c.id) > (${after.at}, ${after.id}::uuid)`);
  if (before) conditions.push(Prisma.sql`(c.updated_at, c.id) < (${before.at}, ${before.id}::uuid)`);
  if (since) conditions.push(Prisma.sql`c.updated_at >= ${since}`);
  if (kind) conditions.push(Prisma.sql`c.kind = ${kind}::call_kind`);
  if (hasSummary) conditions.push(Prisma.sql`c.status = 'completed' AND c.summary IS NOT NULL`);
  if (roomId) conditions.push(Prisma.sql`c.room_id = ${roomId}::uuid`);
  const query = pageQuery({
    columns: {
      id: Prisma.sql`c.id`,
      updatedAt: Prisma.sql`c.updated_at`,
      ownerId: Prisma.sql`c.owner_id`,
      ownerName: Prisma.sql`u.name`,
      ownerEmail: Prisma.sql`u.email`,
      roomId: Prisma.sql`c.room_id`,
      roomStatus: Prisma.sql`r.status::text`,
      roomValueCents: Prisma.sql`r.deal_value_cents`,
      text: Prisma.sql`c.object_text`,
    },
    from: Prisma.sql`
      calls c
      JOIN users u ON u.company_id = c.company_id AND u.id = c.owner_id
      LEFT JOIN rooms r ON r.company_id = c.company_id AND r.id = c.room_id`,
    where: conditions,
    order: ['updatedAt', 'id'],
    isNewestFirst,
    large: ['text'],
    limit,
  });
  return db.query<ListedCall>(query);
}

/** Builds the API object of a call. */
export function serializeCall(row: CallRow): Call {
  // Only completed calls have a summary. A call that is processed again has none until it completes.
  const summary = row.status === 'completed' ? row.summary : null;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    occurredAt: row.occurredAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    completedAt: dateTimeOrNull(row.completedAt),
    owner: ownerOf(row),
    participants: row.participants,
    hasSummary: summary !== null,
    title: row.title,
    prospectName: row.prospectName,
    durationSeconds: row.durationSeconds,
    buyerSpaceId: row.roomId,
    talkTime: row.talkTime,
    summary,
    deal: dealOf(row),
    disqualifiedAt: dateTimeOrNull(row.disqualifiedAt),
    disqualifiedReason: row.disqualifiedReason,
  };
}

function ownerOf(row: Pick<CallRow, 'ownerId' | 'ownerName' | 'ownerEmail'>): Call['owner'] {
  return { id: row.ownerId, name: row.ownerName, email: row.ownerEmail };
}

function dealOf({
  roomStatus: status,
  roomValueCents,
}: Pick<CallRow, 'roomStatus' | 'roomValueCents'>): Call['deal'] {
  if (status === null) return null;
  return { status, valueCents: roomValueCents === null ? null : Number(roomValueCents) };
}

type JsonColumn = 'participants' | 'talkTime' | 'summary';

/**
 * Returns the text to store with a call. Its JSON columns have the types of the database client; capture parses their content
 * with the schemas above.
 */
export function storedCall(columns: Omit<CallRow, PutIn | JsonColumn> & Record<JsonColumn, unknown>): string {
  const row = columns as Omit<CallRow, PutIn>;
  const deal = { roomStatus: null, roomValueCents: null };
  const others = { ...deal, updatedAt: new Date(0), ownerId: 0, ownerName: '', ownerEmail: '' };
  return textWithSlots(serializeCall({ ...row, ...others }), ['updatedAt', 'owner', 'deal']);
}

/** Returns the JSON text of a call. */
export function callText(row: ListedCall): JsonOf<Call> {
  return fillSlots(row.text, [row.updatedAt, ownerOf(row), dealOf(row)]);
}
