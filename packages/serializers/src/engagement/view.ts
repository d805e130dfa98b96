import type { Queryable } from '@deal-signals/db/database';
import { Prisma, type ViewKind } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { currentText, type LargeColumns, type Listed, withinPageBytes } from '../feed-page.ts';
import { keptPlan, readJoinedPage } from '../joined-page.ts';
import { fillSlots, type JsonOf, jsonOf, partsOf, type StoredObject, textWithSlots } from '../object-text.ts';
import { actor, integerId } from './event.ts';
import type { Segment } from './played-ranges.ts';
import { idsSince, type MomentFeed } from './since.ts';

/**
 * One finished viewing session of a recording or a document, as pulled from the feed and pushed with
 * `engagement.view.recorded`.
 */
export const engagementView = z
  .object({
    id: integerId,
    kind: z.enum(['trailer', 'document']),
    startedAt: dateTime,
    endedAt: dateTime,
    actor,
    distributionId: z.uuid(),
    forwardedFromDistributionId: z.uuid().nullable(),
    demoId: z.uuid().nullable(),
    demoTitle: z.string().nullable(),
    docId: z.uuid().nullable(),
    buyerSpaceId: z.uuid().nullable(),
    watchSeconds: z.int().meta({ description: 'Total seconds played or read, including rewatches' }),
    uniqueSeconds: z
      .int()
      .nullable()
      .meta({ description: 'Distinct seconds of the recording that were played; null for documents' }),
    durationSeconds: z
      .int()
      .nullable()
      .meta({ description: 'Length of the recording; null for documents, or if unknown' }),
    completionPercent: z
      .int()
      .nullable()
      .meta({ description: 'Percentage of the recording played in this session alone, rounded down' }),
    segments: z.array(z.object({ startSeconds: z.int(), endSeconds: z.int() })).meta({
      description:
        'Played ranges in the order they were played, in whole seconds, rounded down; empty for documents',
    }),
  })
  .meta({ id: 'EngagementView' });

/** A view as the API shows it. */
export type EngagementView = z.infer<typeof engagementView>;

/** The columns a view object is built from. */
export interface EngagementViewRow {
  id: bigint;
  kind: ViewKind;
  startedAt: Date;
  endedAt: Date;
  actorName: string | null;
  actorEmail: string | null;
  distributionId: string;
  forwardedFromDistributionId: string | null;
  demoId: string | null;
  demoTitle: string | null;
  docId: string | null;
  buyerSpaceId: string;
  watchSeconds: number;
  uniqueSeconds: number | null;
  durationSeconds: number | null;
  completionPercent: number | null;
  segments: Segment[];
}

/** Raise it with every change to what `serializeEngagementView` returns for a row. */
export const ENGAGEMENT_VIEW_VERSION = 1;

/** A view of the feed, with the stored text of its object. */
export type ListedEngagementView = Listed<
  Pick<EngagementViewRow, 'id'> & StoredObject<Omit<EngagementViewRow, 'id'>>
>;

const FEED: MomentFeed = { table: Prisma.sql`engagement_views`, moment: Prisma.sql`started_at` };

const LARGE_COLUMNS: LargeColumns = {
  texts: [Prisma.sql`"actorName"`, Prisma.sql`"actorEmail"`, Prisma.sql`"demoTitle"`],
  list: Prisma.sql`segments`,
  // The response names the two ends of every range; the column only lists them.
  growth: 4,
};

/** Which views to read. A field that is left out does not filter. */
export interface EngagementViewFilter {
  /** Only views with a greater id. */
  after: bigint;
  /** Only views that started at or after this time. */
  since?: Date | undefined;
  roomId?: string | undefined;
  recordingId?: string | undefined;
  shareLinkId?: string | undefined;
  /** Maximum number of rows. */
  limit: number;
}

/** Reads views of one workspace, by id: up to `limit`, or fewer if they are large. */
export async function findEngagementViews(
  db: Queryable,
  companyId: number,
  { after, since, roomId, recordingId, shareLinkId, limit }: EngagementViewFilter,
): Promise<ListedEngagementView[]> {
  const conditions = [Prisma.sql`v.company_id = ${companyId}`];
  if (roomId) conditions.push(Prisma.sql`v.buyer_space_id = ${roomId}::uuid`);
  if (recordingId) conditions.push(Prisma.sql`v.demo_id = ${recordingId}::uuid`);
  if (shareLinkId) conditions.push(Prisma.sql`v.distribution_id = ${shareLinkId}::uuid`);
  const where = Prisma.join(conditions, ' AND ');
  const text = currentText(Prisma.sql`v`, ENGAGEMENT_VIEW_VERSION);
  if (since === undefined && conditions.length === 1) {
    const page = keptPlan(Prisma.sql`v.id`, after, limit);
    const rows = await readJoinedPage(
      db,
      Prisma.sql`
        SELECT v.id, ${text} FROM engagement_views v
        WHERE ${where} AND ${page.isAfter} ORDER BY v.id LIMIT ${page.limit}`,
    );
    if (rows !== null) return rows;
  }
  const nextRows = (from: Prisma.Sql, most: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT v.id, v.started_at FROM engagement_views v WHERE ${where} AND v.id >= ${from} ORDER BY v.id LIMIT ${most}`;
  const isOnPage = since
    ? Prisma.sql`v.company_id = ${companyId} AND v.id IN (
        ${idsSince(FEED, { companyId, after, since, limit }, nextRows)})`
    : Prisma.sql`${where} AND v.id > ${after}`;
  const query = Prisma.sql`
    SELECT v.id, v.kind::text, v.started_at AS "startedAt", v.ended_at AS "endedAt", v.actor_name AS "actorName",
           v.actor_email AS "actorEmail", v.distribution_id AS "distributionId",
           v.forwarded_from_distribution_id AS "forwardedFromDistributionId", v.demo_id AS "demoId",
           v.demo_title AS "demoTitle", v.doc_id AS "docId", v.buyer_space_id AS "buyerSpaceId",
           v.watch_seconds AS "watchSeconds", v.unique_seconds AS "uniqueSeconds",
           v.duration_seconds AS "durationSeconds", v.completion_percent AS "completionPercent", v.segments,
           ${text}
    FROM engagement_views v
    WHERE ${isOnPage}
    ORDER BY v.id LIMIT ${limit}`;
  return readRows<ListedEngagementView>(
    db,
    withinPageBytes(query, Prisma.sql`id`, Prisma.sql`id`, LARGE_COLUMNS),
  );
}

/** Builds the API object of a view. */
export function serializeEngagementView(row: EngagementViewRow): EngagementView {
  return {
    id: String(row.id),
    kind: row.kind,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    actor: { name: row.actorName, email: row.actorEmail },
    distributionId: row.distributionId,
    forwardedFromDistributionId: row.forwardedFromDistributionId,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    docId: row.docId,
    buyerSpaceId: row.buyerSpaceId,
    watchSeconds: row.watchSeconds,
    uniqueSeconds: row.uniqueSeconds,
    durationSeconds: row.durationSeconds,
    completionPercent: row.completionPercent,
    segments: row.segments.map(([from, to]) => ({
      startSeconds: Math.floor(from),
      endSeconds: Math.floor(to),
    })),
  };
}

/** Returns the text to store with a view. As with events, its id is not in it. */
export function storedEngagementView(row: Omit<EngagementViewRow, 'id'>): string {
  return textWithSlots(serializeEngagementView({ ...row, id: 0n }), ['id']);
}

/**
 * Returns the parts of the text to store with a view that has not been written yet. Between them belong a slot for the id,
 * and the seconds and the completion, which PostgreSQL computes when it writes the row.
 */
export function engagementViewParts(
  row: Omit<EngagementViewRow, 'id' | 'watchSeconds' | 'uniqueSeconds' | 'completionPercent'>,
): string[] {
  const computed = { id: 0n, watchSeconds: 0, uniqueSeconds: null, completionPercent: null };
  const view = serializeEngagementView({ ...row, ...computed });
  return partsOf(textWithSlots(view, ['id', 'watchSeconds', 'uniqueSeconds', 'completionPercent']));
}

/** Returns the JSON text of a view. */
export function engagementViewText({ id, text, columns }: ListedEngagementView): JsonOf<EngagementView> {
  if (columns === null) return fillSlots(text, [String(id)]);
  return jsonOf(
    serializeEngagementView({
      ...columns,
      id,
      startedAt: new Date(columns.startedAt),
      endedAt: new Date(columns.endedAt),
    }),
  );
}
