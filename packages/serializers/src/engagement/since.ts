import { Prisma } from '@deal-signals/db/generated/client';

/** A feed in id order whose rows also carry a moment, with an index on (company_id, day of the moment, id). */
export interface MomentIndex {
  table: Prisma.Sql;
  /** The table's alias in the query that the condition goes into. */
  alias: Prisma.Sql;
  moment: Prisma.Sql;
}

/**
 * The condition that rows after a position are not older than `since`.
 *
 * Ids follow the order of recording, which is close to the order of moments but not equal to it, so each row's moment is
 * compared while the ids are walked. To find where that walk begins without reading the whole past, the index is skipped
 * through day by day: the walk begins at the smallest of the days' first ids.
 */
export function isSince(feed: MomentIndex, companyId: number, after: bigint, since: Date): Prisma.Sql {
  const { table, alias, moment } = feed;
  // The same expression as in the index.
  const day = Prisma.sql`((${moment} AT TIME ZONE 'UTC')::date)`;
  const firstDay = since.toISOString().slice(0, 10);
  // The zero interval hides the column's statistics from the planner: expecting few rows, it would read and sort a whole
  // table.
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
