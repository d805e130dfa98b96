import { firstIdOccurringAt } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';

/** A feed in id order whose rows also have a timestamp, with an index on (company_id, UTC day of the timestamp, id). */
export interface MomentFeed {
  table: Prisma.Sql;
  /** The column of the timestamp. */
  moment: Prisma.Sql;
}

/** Which page of a feed to find. */
export interface PageSince {
  companyId: number;
  /** Only rows with a greater id. */
  after: bigint;
  /** Only rows whose timestamp is this or later. */
  since: Date;
  /** Maximum number of rows. */
  limit: number;
}

/** Eleven years of days. With more, looking each of them up would take longer than it saves. */
const MOST_DAYS = 4_000;
/** A look-up reads about as many pages as this many rows. */
const ROWS_PER_LOOK_UP = 4;
/** A stretch is dense if at least one of so many rows matches. */
const DENSE = 4;

/**
 * Builds a query for the ids of a page of rows whose timestamp is `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps. Nothing is recorded much earlier than it
 * occurs, so the query passes everything that was recorded before `since`, and then walks the ids and compares the timestamp
 * of each row, one stretch of rows after the other. The first stretch is a single row, which matches on most pages. An import of
 * history is not walked: after a stretch in which few rows match, the walk jumps to the next row that may match. The index gives
 * the first id, from there on, of each day since then that has rows, and the next stretch begins at the smallest. A stretch
 * grows with the number of look-ups, so the walk never takes much longer than without jumps.
 *
 * @param nextRows builds the query for the next rows of the feed: their `id` and timestamp, in id order, from an id on, and
 *   at most so many.
 */
export function idsSince(
  { table, moment }: MomentFeed,
  { companyId, after, since, limit }: PageSince,
  nextRows: (from: Prisma.Sql, limit: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql {
  // Must be the same expression as in the index, or the index is not used.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const firstDay = since.toISOString().slice(0, 10);
  const first = firstIdOccurringAt(since);
  const start = after < first ? first - 1n : after;
  return Prisma.sql`
    WITH RECURSIVE days AS (
      (SELECT ${day} AS day, 1 AS number FROM ${table}
       WHERE company_id = ${companyId} AND ${day} >= ${firstDay}::date
       ORDER BY ${day}, id LIMIT 1)
      UNION ALL
      SELECT next.day, days.number + 1
      FROM days
      CROSS JOIN LATERAL (
        SELECT ${day} AS day FROM ${table}
        WHERE company_id = ${companyId} AND ${day} > days.day
        ORDER BY ${day}, id LIMIT 1
      ) AS next
      WHERE days.number <= ${MOST_DAYS}
    ), since_then AS MATERIALIZED (
      SELECT array_agg(day) AS days, count(*) AS total FROM days
    ), walk AS (
      SELECT ${start}::bigint AS position, 1::bigint AS stretch, '{}'::bigint[] AS ids, 0 AS found, true AS is_dense
      UNION ALL
      SELECT stretch.last, greatest(${limit}, ${ROWS_PER_LOOK_UP} * start.look_ups), stretch.ids,
             walk.found + stretch.found, ${DENSE} * stretch.found >= walk.stretch
      FROM walk
      CROSS JOIN LATERAL (
        SELECT walk.position + 1 AS id, 0 AS look_ups WHERE walk.is_dense
        UNION ALL
        SELECT walk.position + 1, since_then.total FROM since_then
        WHERE NOT walk.is_dense AND since_then.total > ${MOST_DAYS}
        UNION ALL
        SELECT min(first.id), since_then.total
        FROM since_then
        CROSS JOIN unnest(since_then.days) AS of_day
        CROSS JOIN LATERAL (
          SELECT id FROM ${table}
          WHERE company_id = ${companyId} AND ${day} = of_day AND id > walk.position
          ORDER BY id LIMIT 1
        ) AS first
        WHERE NOT walk.is_dense AND since_then.total <= ${MOST_DAYS}
        GROUP BY since_then.total
      ) AS start
      CROSS JOIN LATERAL (
        SELECT last, ids, coalesce(cardinality(ids), 0) AS found
        FROM (
          SELECT CASE WHEN count(*) = walk.stretch THEN max(id) END AS last,
                 (array_agg(id ORDER BY id) FILTER (WHERE ${moment} >= ${since}))[:${limit}::int] AS ids
          FROM (${nextRows(Prisma.sql`start.id`, Prisma.sql`walk.stretch`)}) AS next_rows
        ) AS read
      ) AS stretch
      -- The position is null after the last row.
      WHERE walk.found < ${limit} AND walk.position IS NOT NULL
    )
    SELECT id FROM walk CROSS JOIN unnest(walk.ids) AS id ORDER BY id LIMIT ${limit}`;
}
