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
/** Looking up a day reads about as many pages as this many rows. */
const ROWS_PER_DAY = 4;

/**
 * Builds a query for the ids of a page of rows whose timestamp is `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps, so the query walks the ids and
 * compares the timestamp of each row. It does not walk everything: the index gives the first id of each day since then
 * that has rows, and the walk begins at the smallest. It looks them up again after each stretch of rows, and jumps to
 * the next. Otherwise a row that was dated in the far future by mistake would make the query walk all rows that were
 * recorded after it. A stretch grows with the number of days, so the walk never takes much longer than without jumps.
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
  const from = Prisma.sql`
    CASE WHEN known.total > ${MOST_DAYS} THEN walk.position + 1 ELSE (
      SELECT min(first.id)
      FROM unnest(known.days) AS known_day
      CROSS JOIN LATERAL (
        SELECT id FROM ${table}
        WHERE company_id = ${companyId} AND ${day} = known_day AND id > walk.position
        ORDER BY id LIMIT 1
      ) AS first
    ) END`;
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
    ), known AS MATERIALIZED (
      SELECT array_agg(day) AS days, count(*) AS total FROM days
    ), walk AS (
      SELECT ${after}::bigint AS position, ${limit}::bigint AS stretch, '{}'::bigint[] AS ids, 0 AS found
      UNION ALL
      SELECT stretch.last, greatest(${limit}, ${ROWS_PER_DAY} * known.total), stretch.ids,
             walk.found + coalesce(cardinality(stretch.ids), 0)
      FROM walk
      CROSS JOIN known
      CROSS JOIN LATERAL (
        SELECT CASE WHEN count(*) = walk.stretch THEN max(id) END AS last,
               (array_agg(id ORDER BY id) FILTER (WHERE ${moment} >= ${since}))[:${limit}::int] AS ids
        FROM (${nextRows(from, Prisma.sql`walk.stretch`)}) AS next_rows
      ) AS stretch
      -- The position is null after the last row.
      WHERE walk.found < ${limit} AND walk.position IS NOT NULL
    )
    SELECT id FROM walk CROSS JOIN unnest(walk.ids) AS id ORDER BY id LIMIT ${limit}`;
}
