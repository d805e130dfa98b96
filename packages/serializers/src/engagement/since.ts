import { Prisma } from '@deal-signals/db/generated/client';

/** A feed in id order whose rows also carry a moment, with an index on (company_id, day of the moment, id). */
interface Feed {
  table: Prisma.Sql;
  /** Its alias in the query that the condition goes into. */
  alias: Prisma.Sql;
  moment: Prisma.Sql;
}

export const EVENTS: Feed = {
  table: Prisma.sql`engagement_events`,
  alias: Prisma.sql`e`,
  moment: Prisma.sql`occurred_at`,
};

export const VIEWS: Feed = {
  table: Prisma.sql`engagement_views`,
  alias: Prisma.sql`v`,
  moment: Prisma.sql`started_at`,
};

/**
 * The condition that rows behind a position are not older than a moment.
 *
 * Ids follow the order of recording, which is near the order of moments but not it, so the moment has to be looked at row
 * by row along the ids. Without a place to begin, asking for yesterday would walk the whole past first. So an index is
 * hopped over from day to day, and the smallest of the days' first ids is where the walk begins.
 */
export function isSince(feed: Feed, companyId: number, after: bigint, since: Date): Prisma.Sql {
  const { table, alias, moment } = feed;
  // Spelled as in the index.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const firstDay = since.toISOString().slice(0, 10);
  // Adding nothing keeps the planner from knowing how few rows there are: for few it would read and sort a whole table.
  return Prisma.sql`
    AND ${alias}.${moment} + interval '0' >= ${since}
    AND ${alias}.id >= (
      WITH RECURSIVE days AS (
        (SELECT ${day} AS day, id FROM ${table}
         WHERE company_id = ${companyId} AND ${day} >= ${firstDay}::date
         ORDER BY ${day}, id LIMIT 1)
        UNION ALL
        SELECT next.day, next.id
        FROM days
        CROSS JOIN LATERAL (
          SELECT ${day} AS day, id FROM ${table}
          WHERE company_id = ${companyId} AND ${day} > days.day
          ORDER BY ${day}, id LIMIT 1
        ) AS next
      )
      SELECT min(CASE WHEN days.id > ${after} THEN days.id ELSE (
        SELECT id FROM ${table} WHERE company_id = ${companyId} AND ${day} = days.day AND id > ${after}
        ORDER BY id LIMIT 1
      ) END)
      FROM days
    )`;
}
