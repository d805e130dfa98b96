import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { type Listed, pageQuery } from './feed-page.ts';
import type { JsonOf } from './object-text.ts';

/** The result of reading a feed in id order. */
export interface TextRows<Item> {
  rows: Listed<{ id: bigint; text: JsonOf<Item> }>[];
  /** The last row that was examined, if the page stopped because it had examined enough rows; null for any other page. */
  reached: bigint | null;
}

/** The rows of a feed in id order to read. */
export interface TextQuery {
  table: Prisma.Sql;
  /** Conditions on the columns of the table that must all hold. */
  where: readonly Prisma.Sql[];
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit: number | Prisma.Sql;
  /** A query that returns which rows match, and how far it has read, like that of `lookedAt`; by default, all rows match. */
  lookedAt?: Prisma.Sql;
}

/** Reads a page of a feed in id order. */
export async function readTextPage<Item>(
  db: Queryable,
  { table, where, isNewestFirst, limit, lookedAt }: TextQuery,
): Promise<TextRows<Item>> {
  type Row = TextRows<Item>['rows'][number];
  const pageOf = (conditions: readonly Prisma.Sql[]) =>
    pageQuery({
      columns: { id: Prisma.sql`id`, text: Prisma.sql`object_text` },
      from: table,
      where: conditions,
      order: ['id'],
      isNewestFirst,
      large: ['text'],
      limit,
    });
  if (lookedAt === undefined) return { rows: await db.query<Row>(pageOf(where)), reached: null };
  const matches = Prisma.sql`id IN (SELECT id FROM looked_at WHERE matches)`;
  // Joins the single row of the search with the page, which its window has sorted; it is alone if no row matches.
  const found = await db.query<Row & { reached: bigint | null }>(Prisma.sql`
    WITH looked_at AS MATERIALIZED (${lookedAt})
    SELECT page.*, search.reached
    FROM (SELECT max(id) AS reached FROM looked_at WHERE is_last) AS search
    LEFT JOIN (${pageOf([...where, matches])}) AS page ON true`);
  return { rows: found.filter(({ id }) => id !== null), reached: found[0]?.reached ?? null };
}

/** The limits of most requests: the default and the maximum, plus one row to detect whether there are more. */
const USUAL_LIMITS = new Set([101, 501]);

/**
 * Returns the conditions and the limit of a page without filters in a form for which PostgreSQL keeps one plan. It would plan
 * each execution if that seemed cheaper, as it does when the position or the limit is a known value. So the position comes from a
 * subquery, and a usual limit is part of the text. That saves a tenth of the CPU time of a page (0.12 of 1.1 ms). The plan is a
 * scan of the primary key, unless the table was nearly empty when the plan was made: then it may be a sequential scan, until the
 * next ANALYZE makes PostgreSQL plan again.
 */
export function keptPlan(
  id: Prisma.Sql,
  after: bigint,
  limit: number,
): { isAfter: Prisma.Sql; limit: Prisma.Sql } {
  return {
    isAfter: Prisma.sql`${id} > (SELECT ${after}::bigint)`,
    limit: USUAL_LIMITS.has(limit) ? Prisma.raw(String(limit)) : Prisma.sql`${limit}`,
  };
}
