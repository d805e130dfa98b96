import { Prisma } from '@deal-signals/db/generated/client';

/** A feed in id order whose rows also have a timestamp, with an index on (company_id, UTC day of the timestamp, id). */
export interface MomentIndex {
  table: Prisma.Sql;
  /** The table's alias in the query that uses the condition. */
  alias: Prisma.Sql;
  /** The column of the timestamp. */
  moment: Prisma.Sql;
}

/**
 * Builds the condition that a row's timestamp is `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps, so the query walks the ids and
 * compares the timestamp of each row. Without a starting point, a query for yesterday would first walk all older rows.
 * To find one, the condition looks up the first id of each day in the index and starts at the smallest.
 *
 * @param after the position of the cursor: only rows with a greater id are read.
 */
export function isSince(feed: MomentIndex, companyId: number, after: bigint, since: Date): Prisma.Sql {
  const { table, alias, moment } = feed;
  // Must be the same expression as in the index, or the index is not used.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const firstDay = since.toISOString().slice(0, 10);
  // The zero interval hides the statistics of the column. With them, the planner would expect few rows, and read and
  // sort the whole table.
  return Prisma.sql`
    ${alias}.${moment} + interval '0' >= ${since}
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
