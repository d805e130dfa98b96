import { Prisma } from '@deal-signals/db/generated/client';

/** A feed in id order whose rows also have a timestamp, with an index on (company_id, UTC day of the timestamp, id). */
interface Feed {
  table: Prisma.Sql;
  /** The table's alias in the query that uses the condition. */
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
 * Builds the SQL condition that selects the rows of a feed with a timestamp of `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps, so the query must walk the ids
 * and check the timestamp of each row. Without a starting point, a query for yesterday would first walk all older rows.
 * To find one, the condition looks up the first id of each day in the index, and starts at the smallest.
 *
 * @param after the position of the cursor: the page contains only ids greater than this.
 */
export function isSince(feed: Feed, companyId: number, after: bigint, since: Date): Prisma.Sql {
  const { table, alias, moment } = feed;
  // Must be spelled exactly as in the index definition, or the index is not used.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const firstDay = since.toISOString().slice(0, 10);
  // The empty interval hides from the planner how few rows match: for few rows it would read and sort the whole table.
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
