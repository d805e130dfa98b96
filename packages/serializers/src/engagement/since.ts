import { Prisma } from '@deal-signals/db/generated/client';

/**
 * A feed in id order whose rows also have a timestamp, with indexes on (company_id, UTC day of the timestamp, id) and on
 * (company_id, quarter of an hour of the timestamp, id).
 */
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
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/**
 * Builds a query for the ids of a page of rows whose timestamp is `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps, so the query walks the ids and
 * compares the timestamp of each row, one stretch of rows after the other. The first stretch is a single row, which matches
 * on most pages. It does not walk everything: after a stretch in which few rows match, it jumps to the next row that may
 * match. The indexes give the first id, from there on, of each day since then that has rows, and the next stretch begins at
 * the smallest. Otherwise a row that was dated in the far future by mistake would make the query walk all rows that were
 * recorded after it. A stretch grows with the number of look-ups, so the walk never takes much longer than without jumps.
 *
 * The day of `since` may have many rows before that moment. If one of them is next, the quarters of an hour that remain of
 * that day are looked up instead. So the walk passes the rows of one quarter at most, however many the day has.
 *
 * @param nextRows builds the query for the next rows of the feed: their `id` and timestamp, in id order, from an id on, and
 *   at most so many.
 */
export function idsSince(
  { table, moment }: MomentFeed,
  { companyId, after, since, limit }: PageSince,
  nextRows: (from: Prisma.Sql, limit: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql {
  // Must be the same expressions as in the indexes, or the indexes are not used.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const quarter = Prisma.sql`date_bin('15 minutes', ${moment}, '1970-01-01 00:00:00+00')`;
  const firstDay = since.toISOString().slice(0, 10);
  const firstQuarterMs = Math.floor(since.getTime() / QUARTER_MS) * QUARTER_MS;
  const lastQuarterMs = Date.parse(firstDay) + DAY_MS - QUARTER_MS;
  const quarters = 1 + (lastQuarterMs - firstQuarterMs) / QUARTER_MS;
  const firstQuarter = new Date(firstQuarterMs);
  const firstIdOf = (bucket: Prisma.Sql, value: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT id, ${moment} AS moment FROM ${table}
    WHERE company_id = ${companyId} AND ${bucket} = ${value} AND id > walk.position
    ORDER BY id LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE days AS (
      (SELECT ${day} AS day, 1 AS number FROM ${table}
       WHERE company_id = ${companyId} AND ${day} > ${firstDay}::date
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
    ), later AS MATERIALIZED (
      SELECT array_agg(day) AS days, count(*) AS total FROM days
    ), walk AS (
      SELECT ${after}::bigint AS position, 1::bigint AS stretch, '{}'::bigint[] AS ids, 0 AS found, true AS is_dense
      UNION ALL
      SELECT stretch.last, greatest(${limit}, ${ROWS_PER_LOOK_UP} * start.look_ups), stretch.ids,
             walk.found + stretch.found, ${DENSE} * stretch.found >= walk.stretch
      FROM walk
      CROSS JOIN LATERAL (
        SELECT walk.position + 1 AS id, 0 AS look_ups WHERE walk.is_dense
        UNION ALL
        SELECT walk.position + 1, later.total FROM later WHERE NOT walk.is_dense AND later.total > ${MOST_DAYS}
        UNION ALL
        SELECT least(later_day.id, CASE WHEN first_day.is_early THEN quarter.id ELSE first_day.id END),
               later.total + CASE WHEN first_day.is_early THEN ${quarters}::int ELSE 1 END
        FROM later
        CROSS JOIN LATERAL (
          SELECT min(first.id) AS id
          FROM unnest(later.days) AS later_day CROSS JOIN LATERAL (${firstIdOf(day, Prisma.sql`later_day`)}) AS first
        ) AS later_day
        LEFT JOIN LATERAL (
          SELECT id, moment < ${firstQuarter} AND (id < later_day.id) IS NOT FALSE AS is_early
          FROM (${firstIdOf(day, Prisma.sql`${firstDay}::date`)}) AS first
        ) AS first_day ON true
        CROSS JOIN LATERAL (
          SELECT min(first.id) AS id
          FROM generate_series(0, 95) AS number
          CROSS JOIN LATERAL (
            ${firstIdOf(quarter, Prisma.sql`${firstQuarter}::timestamptz + number * interval '15 minutes'`)}
          ) AS first
          WHERE first_day.is_early AND number < ${quarters}
        ) AS quarter
        WHERE NOT walk.is_dense AND later.total <= ${MOST_DAYS}
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
