import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { directionOf } from '../feed-page.ts';
import { owner, type OwnerColumns, ownerOf } from '../rooms/room.ts';
import { readTextPage, type TextQuery, type TextRows } from '../text-page.ts';
import { type EngagementPage, readEngagement } from './since.ts';

/** The person an action is attributed to: the recipient of the share link. */
export const actor = z
  .object({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Actor' });

/** An integer id as a string, because JSON clients round integers above 2^53. */
export const integerId = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ id: 'IntegerId', description: 'Integer id, as a string', example: '1789030800000000' });

/** The room of an engagement as it was when the engagement was recorded: its actor, its name and its owner. */
export const ofRoom = {
  personId: z.guid().nullable().meta({
    description: 'Id of the actor in this room: of `GET /people` and of the stakeholders in the room metrics',
  }),
  buyerSpaceName: z.string().nullable().meta({ description: 'Name of the room when this was recorded' }),
  owner: owner
    .nullable()
    .meta({ description: 'Owner of the room when this was recorded; null if it had none' }),
};

/** An engagement event, as pulled from the feed and pushed with `engagement.recorded`. */
export const engagementEvent = z
  .object({
    id: integerId,
    type: z
      .string()
      .meta({ description: 'Open enumeration: new values may appear', example: 'trailer_view' }),
    occurredAt: dateTime,
    actor,
    personId: ofRoom.personId,
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form details of the event' }),
    demoId: z.guid().nullable(),
    demoTitle: z.string().nullable(),
    distributionId: z.guid().nullable(),
    forwardedFromDistributionId: z.guid().optional().meta({
      description:
        'Id of the share link from which this one was forwarded; present only for a forwarded link',
    }),
    buyerSpaceId: z.guid(),
    buyerSpaceName: ofRoom.buyerSpaceName,
    owner: ofRoom.owner,
    docId: z.guid().nullable(),
  })
  .meta({ id: 'EngagementEvent' });

/** An engagement event in the API. */
export type EngagementEvent = z.infer<typeof engagementEvent>;

/** The columns an engagement event object is built from. */
export interface EngagementEventRow extends OwnerColumns {
  id: bigint;
  type: string;
  occurredAt: Date;
  actorName: string | null;
  actorEmail: string | null;
  personId: string | null;
  metadata: unknown;
  demoId: string | null;
  demoTitle: string | null;
  distributionId: string | null;
  forwardedFromDistributionId: string | null;
  buyerSpaceId: string;
  buyerSpaceName: string | null;
  docId: string | null;
}

const TABLE = Prisma.sql`engagement_events`;

/** Selects events to read; `since` is of the time when they occurred. An omitted field does not filter. */
export interface EngagementEventFilter extends EngagementPage {
  types?: readonly string[] | undefined;
  roomId?: string | undefined;
  recordingId?: string | undefined;
}

/** Selects events to read newest first. */
export interface NewestEventFilter extends Omit<EngagementEventFilter, 'after' | 'since' | 'maxExamined'> {
  /** Only events with a smaller id. */
  before: bigint;
}

/** Reads engagement events of one workspace, by id: see `readEngagement`. */
export async function findEngagementEvents(
  db: Queryable,
  companyId: number,
  filter: EngagementEventFilter,
): Promise<TextRows<EngagementEvent>> {
  const { after, since, limit } = filter;
  const { where, types } = conditionsOf(companyId, filter);
  if (types && !since) {
    const start = Prisma.sql`${after + 1n}`;
    return readTextPage(db, pageOfTypes(companyId, types, { start, isNewestFirst: false, limit }));
  }
  return readEngagement(db, { table: TABLE, moment: Prisma.sql`occurred_at`, where, types }, filter);
}

/** Reads engagement events of one workspace in the reverse order of the feed. */
export function findNewestEngagementEvents(
  db: Queryable,
  companyId: number,
  { before, limit, ...filter }: NewestEventFilter,
): Promise<TextRows<EngagementEvent>> {
  const { where, types } = conditionsOf(companyId, filter);
  const query = types
    ? pageOfTypes(companyId, types, { start: Prisma.sql`${before - 1n}`, isNewestFirst: true, limit })
    : { table: TABLE, where: [...where, Prisma.sql`id < ${before}`], isNewestFirst: true, limit };
  return readTextPage(db, query);
}

/**
 * Returns the condition of a filter, without the types that `pageOfTypes` handles: the events of one room or recording are few
 * enough to filter by type; those of a whole workspace are not.
 */
function conditionsOf(
  companyId: number,
  { types, roomId, recordingId }: Pick<EngagementEventFilter, 'types' | 'roomId' | 'recordingId'>,
): { where: Prisma.Sql[]; types: readonly string[] | undefined } {
  const conditions = [Prisma.sql`company_id = ${companyId}`];
  if (roomId) conditions.push(Prisma.sql`buyer_space_id = ${roomId}::uuid`);
  if (recordingId) conditions.push(Prisma.sql`demo_id = ${recordingId}::uuid`);
  const isNarrow = roomId !== undefined || recordingId !== undefined;
  if (types && isNarrow) conditions.push(Prisma.sql`type = ANY (${[...types]}::text[])`);
  return { where: conditions, types: isNarrow ? undefined : types };
}

/**
 * Returns the query for the next rows of several types, from an id on. The next rows of each type are read from its own range of
 * the index, and merged. OFFSET 0 ensures that the start is computed once. A plain `type IN (…)` would scan all events of a
 * workspace that has only a few of these types.
 */
function pageOfTypes(
  companyId: number,
  types: readonly string[],
  { start, isNewestFirst, limit }: { start: Prisma.Sql; isNewestFirst: boolean; limit: number },
): TextQuery {
  const direction = directionOf(isNewestFirst);
  const isNext = isNewestFirst ? Prisma.sql`e.id <= start.id` : Prisma.sql`e.id >= start.id`;
  const ids = Prisma.sql`
    SELECT of_type.id
    FROM (SELECT (${start})::bigint AS id OFFSET 0) AS start
    CROSS JOIN unnest(${[...types]}::text[]) AS wanted (type)
    CROSS JOIN LATERAL (
      SELECT e.id FROM engagement_events e
      WHERE e.company_id = ${companyId} AND e.type = wanted.type AND ${isNext}
      ORDER BY e.id ${direction} LIMIT ${limit}
    ) AS of_type
    ORDER BY of_type.id ${direction} LIMIT ${limit}`;
  const where = [Prisma.sql`company_id = ${companyId}`, Prisma.sql`id IN (${ids})`];
  return { table: TABLE, where, isNewestFirst, limit };
}

/** Builds the API object of an engagement event. */
export function serializeEngagementEvent(row: EngagementEventRow): EngagementEvent {
  return {
    id: String(row.id),
    type: row.type,
    occurredAt: row.occurredAt.toISOString(),
    actor: { name: row.actorName, email: row.actorEmail },
    personId: row.personId,
    // A check constraint and the capture schema both ensure that metadata is an object.
    metadata: row.metadata as Record<string, unknown>,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    distributionId: row.distributionId,
    ...(row.forwardedFromDistributionId !== null && {
      forwardedFromDistributionId: row.forwardedFromDistributionId,
    }),
    buyerSpaceId: row.buyerSpaceId,
    buyerSpaceName: row.buyerSpaceName,
    owner: ownerOf(row),
    docId: row.docId,
  };
}
