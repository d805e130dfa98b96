import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { ENGAGED_WITHIN_MS, engagementScore, MOST_COUNTED } from './engagement-score.ts';

interface ScoreRow {
  roomId: string;
  lastActivityAt: Date | null;
  engagedPeople: number;
  bestCompletionPercent: number;
  docsOpened: number;
}

/**
 * The engagement scores of several rooms of one workspace, by their ids: the same as in the metrics of each. It reads the
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
  const engagedSince = new Date(now.getTime() - ENGAGED_WITHIN_MS);
  const query = Prisma.sql`
    SELECT room.id AS "roomId",
           (SELECT last_activity_at FROM room_totals WHERE company_id = ${companyId} AND room_id = room.id)
             AS "lastActivityAt",
           (SELECT count(*)::int FROM (
              SELECT FROM room_people
              WHERE company_id = ${companyId} AND room_id = room.id AND last_activity_at >= ${engagedSince}
              LIMIT ${MOST_COUNTED}::int) AS engaged) AS "engagedPeople",
           coalesce((
             SELECT max(completion_percent(w.distinct_ms, c.duration_seconds)) FROM room_watches w
             CROSS JOIN LATERAL (
               SELECT duration_seconds FROM calls WHERE company_id = ${companyId} AND id = w.demo_id LIMIT 1
             ) AS c
             WHERE w.company_id = ${companyId} AND w.room_id = room.id AND w.views > 0), 0) AS "bestCompletionPercent",
           (SELECT count(*)::int FROM (
              SELECT FROM room_document_opens o
              CROSS JOIN LATERAL (
                SELECT FROM documents
                WHERE company_id = ${companyId} AND id = o.doc_id AND room_id = room.id LIMIT 1
              ) AS d
              WHERE o.company_id = ${companyId} AND o.room_id = room.id AND o.opens > 0
              LIMIT ${MOST_COUNTED}::int) AS opened) AS "docsOpened"
    FROM unnest(${[...roomIds]}::uuid[]) AS room (id)`;
  const rows = await db.query<ScoreRow>(query);
  return new Map(rows.map(({ roomId, ...counted }) => [roomId, engagementScore(counted, now)]));
}
