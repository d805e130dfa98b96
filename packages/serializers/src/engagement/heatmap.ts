import type { Queryable } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { actor } from './event.ts';
import { completionPercent, distinctSeconds, type Segment } from './played-ranges.ts';

/** Maximum number of buckets in a heat-map, however long the recording is. */
const MAX_BUCKETS = 200;

const bucket = z
  .object({
    startSeconds: z.int(),
    endSeconds: z.int().meta({ description: 'Exclusive: the bucket ends just before this second' }),
    plays: z.int().meta({ description: 'How many times at least half of the bucket was played' }),
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

/** Which parts of a share link's recording were watched, and how often. */
export const heatmap = z
  .object({
    distributionId: z.uuid(),
    demoId: z.uuid().nullable(),
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

/** A heat-map as the API shows it. */
export type Heatmap = z.infer<typeof heatmap>;

/** A share link, its recording, and the sessions in which the recording was played. */
export interface HeatmapRow {
  distributionId: string;
  recipientName: string | null;
  recipientEmail: string | null;
  demoId: string | null;
  demoTitle: string | null;
  durationSeconds: number | null;
  views: number;
  watchSeconds: number;
  lastViewedAt: Date | null;
  /** Played ranges of each session. */
  sessions: Segment[][];
}

/**
 * Reads the data for the heat-map of a share link; null if the workspace has no such link. Sums of seconds are read as
 * float8, which is exact up to 2^53, because an `int` can overflow.
 */
export async function findHeatmap(
  db: Queryable,
  companyId: number,
  distributionId: string,
): Promise<HeatmapRow | null> {
  const [row] = await db.$queryRaw<HeatmapRow[]>`
    SELECT d.id AS "distributionId", d.recipient_name AS "recipientName", d.recipient_email AS "recipientEmail",
           c.id AS "demoId", c.title AS "demoTitle", c.duration_seconds AS "durationSeconds",
           count(v.id)::int AS views, coalesce(sum(v.watch_seconds), 0)::float8 AS "watchSeconds",
           max(v.ended_at) AS "lastViewedAt",
           coalesce(jsonb_agg(v.segments ORDER BY v.id) FILTER (WHERE v.id IS NOT NULL), '[]') AS sessions
    FROM distributions d
    LEFT JOIN calls c ON c.company_id = d.company_id AND c.id = d.call_id
    LEFT JOIN engagement_views v
      ON v.company_id = d.company_id AND v.distribution_id = d.id AND v.kind = 'trailer' AND v.demo_id = d.call_id
    WHERE d.company_id = ${companyId} AND d.id = ${distributionId}::uuid
    GROUP BY d.company_id, d.id, c.company_id, c.id`;
  return row ?? null;
}

/** Builds the heat-map object of a share link. */
export function serializeHeatmap(row: HeatmapRow): Heatmap {
  const { durationSeconds, sessions } = row;
  const bucketSeconds = durationSeconds ? Math.max(1, Math.ceil(durationSeconds / MAX_BUCKETS)) : null;
  return {
    distributionId: row.distributionId,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    actor: { name: row.recipientName, email: row.recipientEmail },
    durationSeconds,
    bucketSeconds,
    views: row.views,
    watchSeconds: row.watchSeconds,
    bestCompletionPercent:
      completionPercent(distinctSeconds(sessions.flat(), durationSeconds), durationSeconds) ?? 0,
    lastViewedAt: dateTimeOrNull(row.lastViewedAt),
    buckets: durationSeconds && bucketSeconds ? buckets(sessions, durationSeconds, bucketSeconds) : [],
  };
}

function buckets(sessions: Segment[][], durationSeconds: number, bucketSeconds: number): Heatmap['buckets'] {
  const counted = Array.from({ length: Math.ceil(durationSeconds / bucketSeconds) }, (_, index) => {
    const startSeconds = index * bucketSeconds;
    const endSeconds = Math.min(startSeconds + bucketSeconds, durationSeconds);
    return { startSeconds, endSeconds, plays: 0, visitors: 0 };
  });
  for (const segments of sessions) {
    const visited = new Set<(typeof counted)[number]>();
    for (const [from, to] of segments) {
      // Visit only the buckets that this range overlaps: a popular link has thousands of ranges.
      const touched = counted.slice(Math.floor(from / bucketSeconds), Math.ceil(to / bucketSeconds));
      for (const entry of touched) {
        const playedSeconds = Math.min(to, entry.endSeconds) - Math.max(from, entry.startSeconds);
        if (playedSeconds <= 0) continue;
        visited.add(entry);
        if (2 * playedSeconds >= entry.endSeconds - entry.startSeconds) entry.plays += 1;
      }
    }
    for (const entry of visited) entry.visitors += 1;
  }
  const most = Math.max(...counted.map(({ plays }) => plays));
  return counted.map(({ startSeconds, endSeconds, plays, visitors }) => ({
    startSeconds,
    endSeconds,
    plays,
    rewatches: Math.max(0, plays - visitors),
    intensity: most === 0 ? 0 : Math.round((100 * plays) / most),
  }));
}
