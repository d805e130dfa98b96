import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma, type ViewKind } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { type OwnerColumns, ownerOf } from '../rooms/room.ts';
import { readTextPage, type TextRows } from '../text-page.ts';
import { actor, ofRoom, integerId } from './event.ts';
import type { Segment } from './played-ranges.ts';
import { type EngagementPage, readEngagement } from './since.ts';

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
    personId: ofRoom.personId,
    distributionId: z.guid(),
    forwardedFromDistributionId: z.guid().nullable(),
    demoId: z.guid().nullable(),
    demoTitle: z.string().nullable(),
    docId: z.guid().nullable(),
    buyerSpaceId: z.guid().nullable(),
    buyerSpaceName: ofRoom.buyerSpaceName,
    owner: ofRoom.owner,
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

/** A view in the API. */
export type EngagementView = z.infer<typeof engagementView>;

/** The columns a view object is built from. */
export interface EngagementViewRow extends OwnerColumns {
  id: bigint;
  kind: ViewKind;
  startedAt: Date;
  endedAt: Date;
  actorName: string | null;
  actorEmail: string | null;
  personId: string | null;
  distributionId: string;
  forwardedFromDistributionId: string | null;
  demoId: string | null;
  demoTitle: string | null;
  docId: string | null;
  buyerSpaceId: string;
  buyerSpaceName: string | null;
  watchSeconds: number;
  uniqueSeconds: number | null;
  durationSeconds: number | null;
  completionPercent: number | null;
  segments: Segment[];
}

const TABLE = Prisma.sql`engagement_views`;

/** Selects views to read; `since` is of the time when they started. An omitted field does not filter. */
export interface EngagementViewFilter extends EngagementPage {
  roomId?: string | undefined;
  recordingId?: string | undefined;
  shareLinkId?: string | undefined;
}

/** Reads views of one workspace, by id: see `readEngagement`. */
export function findEngagementViews(
  db: Queryable,
  companyId: number,
  { roomId, recordingId, shareLinkId, ...page }: EngagementViewFilter,
): Promise<TextRows<EngagementView>> {
  const where = [Prisma.sql`company_id = ${companyId}`];
  if (roomId) where.push(Prisma.sql`buyer_space_id = ${roomId}::uuid`);
  if (recordingId) where.push(Prisma.sql`demo_id = ${recordingId}::uuid`);
  if (shareLinkId) where.push(Prisma.sql`distribution_id = ${shareLinkId}::uuid`);
  return readEngagement(db, { table: TABLE, moment: Prisma.sql`started_at`, where }, page);
}

/** Reads the latest views of one room, in the reverse order of the feed. */
export function findNewestEngagementViews(
  db: Queryable,
  companyId: number,
  { roomId, before, limit }: { roomId: string; before: bigint; limit: number },
): Promise<TextRows<EngagementView>> {
  const where = [
    Prisma.sql`company_id = ${companyId}`,
    Prisma.sql`buyer_space_id = ${roomId}::uuid`,
    Prisma.sql`id < ${before}`,
  ];
  return readTextPage(db, { table: TABLE, where, isNewestFirst: true, limit });
}

/** Builds the API object of a view. */
export function serializeEngagementView(row: EngagementViewRow): EngagementView {
  return {
    id: String(row.id),
    kind: row.kind,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    actor: { name: row.actorName, email: row.actorEmail },
    personId: row.personId,
    distributionId: row.distributionId,
    forwardedFromDistributionId: row.forwardedFromDistributionId,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    docId: row.docId,
    buyerSpaceId: row.buyerSpaceId,
    buyerSpaceName: row.buyerSpaceName,
    owner: ownerOf(row),
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
