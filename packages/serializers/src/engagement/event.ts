import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { currentText, directionOf, type LargeColumns, type Listed, withinPageBytes } from '../feed-page.ts';
import { inStoredOrder } from '../json-order.ts';
import { keptPlan, readJoinedPage } from '../joined-page.ts';
import { fillSlots, type JsonOf, jsonOf, type StoredObject, textWithSlots } from '../object-text.ts';
import { idsSince, type MomentFeed } from './since.ts';

/** The person an action is attributed to: the recipient of the share link. */
export const actor = z
  .object({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Actor' });

/** An integer id as a string, because JSON clients round integers above 2^53. */
export const integerId = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ id: 'IntegerId', description: 'Integer id, as a string', example: '1789030800000000' });

/** An engagement event, as pulled from the feed and pushed with `engagement.recorded`. */
export const engagementEvent = z
  .object({
    id: integerId,
    type: z
      .string()
      .meta({ description: 'Open enumeration: new values may appear', example: 'trailer_view' }),
    occurredAt: dateTime,
    actor,
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form details of the event' }),
    demoId: z.uuid().nullable(),
    demoTitle: z.string().nullable(),
    distributionId: z.uuid().nullable(),
    forwardedFromDistributionId: z.uuid().optional().meta({
      description:
        'Id of the share link from which this one was forwarded; present only for a forwarded link',
    }),
    buyerSpaceId: z.uuid(),
    docId: z.uuid().nullable(),
  })
  .meta({ id: 'EngagementEvent' });

/** An engagement event as the API shows it. */
export type EngagementEvent = z.infer<typeof engagementEvent>;

/** The columns an engagement event object is built from. */
export interface EngagementEventRow {
  id: bigint;
  type: string;
  occurredAt: Date;
  actorName: string | null;
  actorEmail: string | null;
  metadata: unknown;
  demoId: string | null;
  demoTitle: string | null;
  distributionId: string | null;
  forwardedFromDistributionId: string | null;
  buyerSpaceId: string;
  docId: string | null;
}

const FEED: MomentFeed = { table: Prisma.sql`engagement_events`, moment: Prisma.sql`occurred_at` };

/** Raise it with every change to what `serializeEngagementEvent` returns for a row. */
export const ENGAGEMENT_EVENT_VERSION = 1;

/** An event of the feed, with the stored text of its object. */
export type ListedEngagementEvent = Listed<
  Pick<EngagementEventRow, 'id'> & StoredObject<Omit<EngagementEventRow, 'id'>>
>;

const LARGE_COLUMNS: LargeColumns = {
  texts: [Prisma.sql`type`, Prisma.sql`"actorName"`, Prisma.sql`"actorEmail"`, Prisma.sql`"demoTitle"`],
  object: Prisma.sql`metadata`,
};

/** Which events to read. A field that is left out does not filter. */
export interface EngagementEventFilter {
  /** Only events with a greater id. */
  after: bigint;
  types?: readonly string[] | undefined;
  /** Only events that occurred at or after this time. */
  since?: Date | undefined;
  roomId?: string | undefined;
  recordingId?: string | undefined;
  /** Maximum number of rows. */
  limit: number;
}

/** Which events to read newest first. */
export interface NewestEventFilter extends Omit<EngagementEventFilter, 'after' | 'since'> {
  /** Only events with a smaller id. */
  before: bigint;
}

/** Reads engagement events of one workspace, by id: up to `limit`, or fewer if they are large. */
export async function findEngagementEvents(
  db: Queryable,
  companyId: number,
  { after, since, limit, ...filter }: EngagementEventFilter,
): Promise<ListedEngagementEvent[]> {
  const { where, types } = conditionsOf(companyId, filter);
  const order = Prisma.sql`ORDER BY e.id`;
  const nextRows = (from: Prisma.Sql, most: Prisma.Sql): Prisma.Sql =>
    types
      ? ofTypes(types, where, { start: from, isNewestFirst: false, limit: most })
      : Prisma.sql`
          SELECT e.id, e.occurred_at FROM engagement_events e WHERE ${where} AND e.id >= ${from} ${order} LIMIT ${most}`;
  if (since) {
    const ids = idsSince(FEED, { companyId, after, since, limit }, nextRows);
    return findPage(db, hasIdOf(companyId, ids), false, limit);
  }
  if (types) {
    const ids = nextRows(Prisma.sql`${after + 1n}`, Prisma.sql`${limit}`);
    return findPage(db, hasIdOf(companyId, Prisma.sql`SELECT id FROM (${ids}) AS of_types`), false, limit);
  }
  if (filter.roomId === undefined && filter.recordingId === undefined) {
    const page = keptPlan(Prisma.sql`e.id`, after, limit);
    const rows = await readJoinedPage(
      db,
      Prisma.sql`
        SELECT e.id, ${currentText(Prisma.sql`e`, ENGAGEMENT_EVENT_VERSION)} FROM engagement_events e
        WHERE ${where} AND ${page.isAfter} ${order} LIMIT ${page.limit}`,
    );
    if (rows !== null) return rows;
  }
  return findPage(db, Prisma.sql`${where} AND e.id > ${after}`, false, limit);
}

/** Reads engagement events of one workspace in the reverse order of the feed. */
export function findNewestEngagementEvents(
  db: Queryable,
  companyId: number,
  { before, limit, ...filter }: NewestEventFilter,
): Promise<ListedEngagementEvent[]> {
  const { where, types } = conditionsOf(companyId, filter);
  if (types) {
    const start = Prisma.sql`${before - 1n}`;
    const rows = ofTypes(types, where, { start, isNewestFirst: true, limit: Prisma.sql`${limit}` });
    return findPage(db, hasIdOf(companyId, Prisma.sql`SELECT id FROM (${rows}) AS of_types`), true, limit);
  }
  return findPage(db, Prisma.sql`${where} AND e.id < ${before}`, true, limit);
}

/**
 * The conditions of a filter, and the types that it leaves to `ofTypes`: the events of one room or recording are few enough to
 * filter by type; those of a whole workspace are not.
 */
function conditionsOf(
  companyId: number,
  { types, roomId, recordingId }: Pick<EngagementEventFilter, 'types' | 'roomId' | 'recordingId'>,
): { where: Prisma.Sql; types: readonly string[] | undefined } {
  const conditions = [Prisma.sql`e.company_id = ${companyId}`];
  if (roomId) conditions.push(Prisma.sql`e.buyer_space_id = ${roomId}::uuid`);
  if (recordingId) conditions.push(Prisma.sql`e.demo_id = ${recordingId}::uuid`);
  const isNarrow = roomId !== undefined || recordingId !== undefined;
  if (types && isNarrow) conditions.push(Prisma.sql`e.type = ANY (${[...types]}::text[])`);
  return { where: Prisma.join(conditions, ' AND '), types: isNarrow ? undefined : types };
}

function hasIdOf(companyId: number, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`e.company_id = ${companyId} AND e.id IN (${ids})`;
}

function findPage(
  db: Queryable,
  condition: Prisma.Sql,
  isNewestFirst: boolean,
  limit: number,
): Promise<ListedEngagementEvent[]> {
  const direction = directionOf(isNewestFirst);
  const query = Prisma.sql`
    SELECT e.id, e.type, e.occurred_at AS "occurredAt", e.actor_name AS "actorName", e.actor_email AS "actorEmail",
           e.metadata, e.demo_id AS "demoId", e.demo_title AS "demoTitle", e.distribution_id AS "distributionId",
           e.forwarded_from_distribution_id AS "forwardedFromDistributionId", e.buyer_space_id AS "buyerSpaceId",
           e.doc_id AS "docId", ${currentText(Prisma.sql`e`, ENGAGEMENT_EVENT_VERSION)}
    FROM engagement_events e
    WHERE ${condition}
    ORDER BY id ${direction} LIMIT ${limit}`;
  return readRows<ListedEngagementEvent>(
    db,
    withinPageBytes(query, Prisma.sql`id`, Prisma.sql`id ${direction}`, LARGE_COLUMNS),
  );
}

/**
 * Builds the query for the next rows of several types, from an id on. The next rows of each type are read from its own range
 * of the index, and merged; where to begin is computed once, which OFFSET 0 ensures. A plain `type IN (…)` would walk all
 * events of a workspace that has only a few of these types.
 */
function ofTypes(
  types: readonly string[],
  where: Prisma.Sql,
  { start, isNewestFirst, limit }: { start: Prisma.Sql; isNewestFirst: boolean; limit: Prisma.Sql },
): Prisma.Sql {
  const direction = directionOf(isNewestFirst);
  const isNext = isNewestFirst ? Prisma.sql`e.id <= start.id` : Prisma.sql`e.id >= start.id`;
  return Prisma.sql`
    SELECT of_type.id, of_type.occurred_at
    FROM (SELECT (${start})::bigint AS id OFFSET 0) AS start
    CROSS JOIN unnest(${[...types]}::text[]) AS wanted (type)
    CROSS JOIN LATERAL (
      SELECT e.id, e.occurred_at FROM engagement_events e
      WHERE e.type = wanted.type AND ${where} AND ${isNext}
      ORDER BY e.id ${direction} LIMIT ${limit}
    ) AS of_type
    ORDER BY of_type.id ${direction} LIMIT ${limit}`;
}

/** Builds the API object of an engagement event. */
export function serializeEngagementEvent(row: EngagementEventRow): EngagementEvent {
  return {
    id: String(row.id),
    type: row.type,
    occurredAt: row.occurredAt.toISOString(),
    actor: { name: row.actorName, email: row.actorEmail },
    // A check constraint and the capture schema both ensure that metadata is an object.
    metadata: inStoredOrder(row.metadata as Record<string, unknown>),
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    distributionId: row.distributionId,
    ...(row.forwardedFromDistributionId !== null && {
      forwardedFromDistributionId: row.forwardedFromDistributionId,
    }),
    buyerSpaceId: row.buyerSpaceId,
    docId: row.docId,
  };
}

/** Returns the text to store with an event. Its id is not in it. */
export function storedEngagementEvent(row: Omit<EngagementEventRow, 'id'>): string {
  return textWithSlots(serializeEngagementEvent({ ...row, id: 0n }), ['id']);
}

/** Returns the JSON text of an event. */
export function engagementEventText({ id, text, columns }: ListedEngagementEvent): JsonOf<EngagementEvent> {
  if (columns === null) return fillSlots(text, [String(id)]);
  return jsonOf(serializeEngagementEvent({ ...columns, id, occurredAt: new Date(columns.occurredAt) }));
}
