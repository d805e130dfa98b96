import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { ENGAGED_WITHIN_MS, engagementScore, MAX_COUNTED, type Scored } from './engagement-score.ts';

/** The counts of a room's metrics. */
export interface RoomCounts extends Scored {
  events: number;
  silentPeople: number;
  trailerViews: number;
  watchSeconds: number;
}

/**
 * Returns the engagement scores of several rooms of one workspace, by their ids: the same as in the metrics of each. It reads the
 * roll-ups of each room, and stops counting people and documents where more of them do not change the score.
 *
 * @param now the time of the request.
 */
export async function findEngagementScores(
  db: Queryable,
  companyId: number,
  roomIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await db.query<Scored & { roomId: string }>(Prisma.sql`
    SELECT room.id AS "roomId",
           (SELECT last_activity_at FROM room_totals WHERE company_id = ${companyId} AND room_id = room.id)
             AS "lastActivityAt",
           (SELECT count(*)::int FROM (
              SELECT FROM room_people
              WHERE company_id = ${companyId} AND room_id = room.id AND last_activity_at >= ${engagedSince(now)}
              LIMIT ${MAX_COUNTED}::int) AS engaged) AS "engagedPeople",
           ${bestCompletionPercent(companyId)} AS "bestCompletionPercent",
           ${docsOpened(companyId, MAX_COUNTED)} AS "docsOpened"
    FROM unnest(${[...roomIds]}::uuid[]) AS room (id)`);
  return new Map(rows.map(({ roomId, ...room }) => [roomId, engagementScore(room, now)]));
}

/**
 * Returns the counts of several rooms of one workspace, by their ids: the same as in the metrics of each. It reads the roll-ups
 * of each room, which is one row for each of its people, watched recordings and opened documents.
 *
 * @param now the time of the request.
 */
export async function findRoomCounts(
  db: Queryable,
  companyId: number,
  roomIds: readonly string[],
  now: Date,
): Promise<Map<string, RoomCounts>> {
  const rows = await db.query<RoomCounts & { roomId: string }>(Prisma.sql`
    SELECT room.id AS "roomId", coalesce(t.events, 0) AS events, coalesce(t.trailer_views, 0) AS "trailerViews",
           (coalesce(t.watch_ms, 0) / 1000)::float8 AS "watchSeconds", t.last_activity_at AS "lastActivityAt",
           p.engaged AS "engagedPeople",
           -- Every active person is one of the people.
           (SELECT count(*)::int FROM people
            WHERE company_id = ${companyId} AND room_id = room.id AND removed_at IS NULL) - p.active AS "silentPeople",
           ${bestCompletionPercent(companyId)} AS "bestCompletionPercent",
           ${docsOpened(companyId, null)} AS "docsOpened"
    FROM unnest(${[...roomIds]}::uuid[]) AS room (id)
    LEFT JOIN room_totals t ON t.company_id = ${companyId} AND t.room_id = room.id
    CROSS JOIN LATERAL (
      SELECT count(last_activity_at)::int AS active,
             count(*) FILTER (WHERE last_activity_at >= ${engagedSince(now)})::int AS engaged
      FROM room_people WHERE company_id = ${companyId} AND room_id = room.id
    ) AS p`);
  return new Map(rows.map(({ roomId, ...counts }) => [roomId, counts]));
}

function engagedSince(now: Date): Date {
  return new Date(now.getTime() - ENGAGED_WITHIN_MS);
}

/** Returns the best completion percentage of any person and recording in a row `room`. */
function bestCompletionPercent(companyId: number): Prisma.Sql {
  return Prisma.sql`
    coalesce((
      SELECT max(completion_percent(w.distinct_ms, c.duration_seconds)) FROM room_watches w
      CROSS JOIN LATERAL (
        SELECT duration_seconds FROM calls WHERE company_id = ${companyId} AND id = w.demo_id LIMIT 1
      ) AS c
      WHERE w.company_id = ${companyId} AND w.room_id = room.id AND w.views > 0), 0)`;
}

/**
 * Returns the number of opened documents of a row `room`.
 *
 * @param max where counting stops; null to count all.
 */
function docsOpened(companyId: number, max: number | null): Prisma.Sql {
  return Prisma.sql`
    (SELECT count(*)::int FROM (
       SELECT FROM room_document_opens o
       CROSS JOIN LATERAL (
         SELECT FROM documents
         WHERE company_id = ${companyId} AND id = o.doc_id AND room_id = room.id LIMIT 1
       ) AS d
       WHERE o.company_id = ${companyId} AND o.room_id = room.id AND o.opens > 0
       LIMIT ${max}::int) AS opened)`;
}
