import type { Queryable } from '@deal-signals/db/database';
import { type CallKind, type CallStatus, Prisma, type RoomStatus } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import {
  currentText,
  directionOf,
  type FeedPosition,
  isOneOf,
  type LargeColumns,
  limitTo,
  type Listed,
  withinPageBytes,
  withTexts,
} from '../feed-page.ts';
import { inStoredOrder } from '../json-order.ts';
import {
  type AsJson,
  fillSlots,
  type JsonOf,
  jsonOf,
  type StoredObject,
  textWithSlots,
} from '../object-text.ts';
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
    id: z.uuid(),
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
    buyerSpaceId: z.uuid().nullable(),
    talkTime: talkTime.nullable(),
    summary: callSummary.nullable(),
    deal: z.object({ status: roomStatus, valueCents: z.int().nullable() }).nullable().meta({
      description: 'Status and value of the Decision Room the call belongs to; null if it has no room',
    }),
    disqualifiedAt: dateTime.nullable(),
    disqualifiedReason: z.string().nullable(),
  })
  .meta({ id: 'Call' });

/** A call as the API shows it. */
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

/** Raise it with every change to what `serializeCall` returns for a row. */
export const CALL_VERSION = 1;

/** The columns that are put into the text when a call is read: those of its owner and its room, and the sort key. */
type PutIn = 'updatedAt' | 'ownerId' | 'ownerName' | 'ownerEmail' | 'roomStatus' | 'roomValueCents';

/** A call of the feed, with the stored text of its object. */
export type ListedCall = Listed<
  Pick<CallRow, PutIn | 'id' | 'roomId'> & StoredObject<Omit<CallRow, PutIn | 'id' | 'roomId'>>
>;

const LARGE_COLUMNS: LargeColumns = {
  texts: [
    Prisma.sql`title`,
    Prisma.sql`"prospectName"`,
    Prisma.sql`"disqualifiedReason"`,
    Prisma.sql`"ownerName"`,
    Prisma.sql`"ownerEmail"`,
  ],
  object: Prisma.sql`summary`,
  list: Prisma.sql`participants`,
};

/** Which calls to read. A field that is left out does not filter. */
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
  const direction = directionOf(isNewestFirst);
  const conditions = [Prisma.sql`c.company_id = ${companyId}`];
  if (ids) conditions.push(isOneOf(Prisma.sql`c.id`, ids));
  if (after) conditions.push(Prisma.sql`(c.updated_at, c.id) > (${after.at}, ${after.id}::uuid)`);
  if (before) conditions.push(Prisma.sql`(c.updated_at, c.id) < (${before.at}, ${before.id}::uuid)`);
  if (since) conditions.push(Prisma.sql`c.updated_at >= ${since}`);
  if (kind) conditions.push(Prisma.sql`c.kind = ${kind}::call_kind`);
  if (hasSummary) conditions.push(Prisma.sql`c.status = 'completed' AND c.summary IS NOT NULL`);
  if (roomId) conditions.push(Prisma.sql`c.room_id = ${roomId}::uuid`);
  const query = Prisma.sql`
    SELECT c.id, c.kind::text, c.status::text, c.occurred_at AS "occurredAt", c.updated_at AS "updatedAt",
           c.completed_at AS "completedAt", c.owner_id AS "ownerId", u.name AS "ownerName", u.email AS "ownerEmail",
           c.participants, c.title, c.prospect_name AS "prospectName", c.duration_seconds AS "durationSeconds",
           c.room_id AS "roomId", r.status::text AS "roomStatus", r.deal_value_cents AS "roomValueCents",
           c.talk_time AS "talkTime", c.summary, c.disqualified_at AS "disqualifiedAt",
           c.disqualified_reason AS "disqualifiedReason", ${currentText(Prisma.sql`c`, CALL_VERSION)}
    FROM calls c
    JOIN users u ON u.company_id = c.company_id AND u.id = c.owner_id
    LEFT JOIN rooms r ON r.company_id = c.company_id AND r.id = c.room_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY c.updated_at ${direction}, c.id ${direction}
    ${limitTo(limit)}`;
  const shown = Prisma.sql`
    id, "updatedAt", "ownerId", "ownerName", "ownerEmail", "roomId", "roomStatus", "roomValueCents"`;
  return readRows<ListedCall>(
    db,
    limit === undefined
      ? withTexts(query, shown)
      : withinPageBytes(query, shown, Prisma.sql`"updatedAt" ${direction}, id ${direction}`, LARGE_COLUMNS),
  );
}

/** Builds the API object of a call. */
export function serializeCall(row: CallRow): Call {
  // Only completed calls show a summary: a call that is processed again shows none until it completes.
  const summary = row.status === 'completed' ? row.summary : null;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    occurredAt: row.occurredAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    completedAt: dateTimeOrNull(row.completedAt),
    owner: ownerOf(row),
    participants: inStoredOrder(row.participants),
    hasSummary: summary !== null,
    title: row.title,
    prospectName: row.prospectName,
    durationSeconds: row.durationSeconds,
    buyerSpaceId: row.roomId,
    talkTime: inStoredOrder(row.talkTime),
    summary: inStoredOrder(summary),
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
 * Returns the text to store with a call. Its JSON columns are typed as the database client types them; capture parses what
 * they hold with the schemas above.
 */
export function storedCall(columns: Omit<CallRow, PutIn | JsonColumn> & Record<JsonColumn, unknown>): string {
  const row = columns as Omit<CallRow, PutIn>;
  const deal = { roomStatus: null, roomValueCents: null };
  const others = { ...deal, updatedAt: new Date(0), ownerId: 0, ownerName: '', ownerEmail: '' };
  return textWithSlots(serializeCall({ ...row, ...others }), ['updatedAt', 'owner', 'deal']);
}

/** Returns the JSON text of a call. */
export function callText(row: ListedCall): JsonOf<Call> {
  if (row.columns === null) return fillSlots(row.text, [row.updatedAt, ownerOf(row), dealOf(row)]);
  return jsonOf(serializeCall({ ...callColumns(row.columns), ...row }));
}

/** Converts the columns of a call from JSON. */
export function callColumns(
  columns: AsJson<Omit<CallRow, PutIn | 'id' | 'roomId'>>,
): Omit<CallRow, PutIn | 'id' | 'roomId'> {
  const { occurredAt, completedAt, disqualifiedAt } = columns;
  return {
    ...columns,
    occurredAt: new Date(occurredAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    disqualifiedAt: disqualifiedAt === null ? null : new Date(disqualifiedAt),
  };
}
