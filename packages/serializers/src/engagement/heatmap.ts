import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { actor } from './event.ts';

const bucket = z
  .object({
    startSeconds: z.int(),
    endSeconds: z.int().meta({ description: 'Exclusive: the bucket ends just before this second' }),
    plays: z.int().meta({
      description:
        'Number of times that at least half of the bucket was played. Consecutive played ranges count once.',
    }),
    rewatches: z.int().meta({
      description: '`plays` minus the number of sessions that played any part of the bucket; at least 0',
    }),
    intensity: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: '`plays` as a percentage of the `plays` of the most played bucket' }),
  })
  .meta({ id: 'HeatmapBucket' });

/** The parts of a share link's recording that were watched, and how often. */
export const heatmap = z
  .object({
    distributionId: z.guid(),
    demoId: z.guid().nullable(),
    demoTitle: z.string().nullable(),
    actor,
    durationSeconds: z.int().nullable(),
    bucketSeconds: z.int().nullable(),
    views: z.int(),
    watchSeconds: z.int(),
    bestCompletionPercent: z.int().min(0).max(100),
    lastViewedAt: dateTime.nullable(),
    buckets: z.array(bucket),
  })
  .meta({ id: 'Heatmap' });

/** A heat-map in the API. */
export type Heatmap = z.infer<typeof heatmap>;

/** A share link, its recording, and the plays through it. */
export interface HeatmapRow {
  distributionId: string;
  recipientName: string | null;
  recipientEmail: string | null;
  demoId: string | null;
  demoTitle: string | null;
  durationSeconds: number | null;
  /** The length of a bucket; null if the length of the recording is unknown. */
  bucketSeconds: number | null;
  views: number;
  watchSeconds: number;
  bestCompletionPercent: number;
  lastViewedAt: Date | null;
  /** For each bucket, the number of passes that played at least half of it, minus that of the bucket before. */
  playSteps: number[];
  /** For each bucket, the number of sessions that played any part of it, minus that of the bucket before. */
  visitSteps: number[];
}

/**
 * Reads the data for the heat-map of a share link; null if the workspace has no such link. It reads the roll-ups that
 * prisma/sql/heat-maps.sql describes. Sums of seconds are read as float8, which is exact up to 2^53, because an `int` can
 * overflow.
 */
export async function findHeatmap(
  db: Queryable,
  companyId: number,
  distributionId: string,
): Promise<HeatmapRow | null> {
  const query = Prisma.sql`
    SELECT d.id AS "distributionId", d.recipient_name AS "recipientName", d.recipient_email AS "recipientEmail",
           c.id AS "demoId", c.title AS "demoTitle", c.duration_seconds AS "durationSeconds",
           heatmap_bucket_seconds(c.duration_seconds) AS "bucketSeconds", coalesce(w.views, 0)::int AS views,
           coalesce(floor(w.watch_ms / 1000), 0)::float8 AS "watchSeconds",
           coalesce(completion_percent(t.ms, c.duration_seconds), 0) AS "bestCompletionPercent",
           w.last_viewed_at AS "lastViewedAt", coalesce(h.play_steps, '{}') AS "playSteps",
           coalesce(h.visit_steps, '{}') AS "visitSteps"
    FROM distributions d
    LEFT JOIN calls c ON c.company_id = d.company_id AND c.id = d.call_id
    LEFT JOIN link_heatmaps h
      ON h.company_id = d.company_id AND h.distribution_id = d.id AND h.demo_id = d.call_id
    -- One row for each person that the link was addressed to.
    CROSS JOIN LATERAL (
      SELECT sum(views) AS views, sum(watch_ms) AS watch_ms, range_agg(played) AS played,
             max(last_viewed_at) AS last_viewed_at
      FROM room_watches
      WHERE company_id = d.company_id AND room_id = d.room_id AND demo_id = d.call_id AND distribution_id = d.id
    ) AS w
    CROSS JOIN LATERAL distinct_time(w.played, c.duration_seconds) AS t
    WHERE d.company_id = ${companyId} AND d.id = ${distributionId}::uuid`;
  const [row] = await db.query<HeatmapRow>(query);
  return row ?? null;
}

/** Builds the heat-map object of a share link. */
export function serializeHeatmap(row: HeatmapRow): Heatmap {
  return {
    distributionId: row.distributionId,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    actor: { name: row.recipientName, email: row.recipientEmail },
    durationSeconds: row.durationSeconds,
    bucketSeconds: row.bucketSeconds,
    views: row.views,
    watchSeconds: row.watchSeconds,
    bestCompletionPercent: row.bestCompletionPercent,
    lastViewedAt: dateTimeOrNull(row.lastViewedAt),
    buckets: buckets(row),
  };
}

function buckets({ durationSeconds, bucketSeconds, playSteps, visitSteps }: HeatmapRow): Heatmap['buckets'] {
  if (durationSeconds === null || bucketSeconds === null) return [];
  let plays = 0;
  let visits = 0;
  const counted = Array.from({ length: Math.ceil(durationSeconds / bucketSeconds) }, (_, index) => {
    const startSeconds = index * bucketSeconds;
    const endSeconds = Math.min(startSeconds + bucketSeconds, durationSeconds);
    plays += playSteps[index] ?? 0;
    visits += visitSteps[index] ?? 0;
    return { startSeconds, endSeconds, plays, rewatches: Math.max(0, plays - visits) };
  });
  const most = counted.reduce((highest, { plays: played }) => Math.max(highest, played), 0);
  return counted.map((bucketCounts) => ({
    ...bucketCounts,
    intensity: most === 0 ? 0 : Math.round((100 * bucketCounts.plays) / most),
  }));
}
