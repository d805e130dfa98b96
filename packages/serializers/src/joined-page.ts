import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type Listed, pageQuery } from './feed-page.ts';
import type { JsonOf } from './object-text.ts';

/** Separates the texts of a page. JSON text contains no control characters. */
const SEPARATOR = '\u001e';

/** What was found of a feed in id order. */
export interface TextRows<Item> {
  rows: Listed<{ id: bigint; text: JsonOf<Item> }>[];
  /** How far a page has looked that stopped for having looked at enough rows; null for any other page. */
  reached: bigint | null;
}

/** Which rows of a feed in id order to read. */
export interface TextQuery {
  table: Prisma.Sql;
  /** Conditions on the columns of the table, all of which hold. */
  where: readonly Prisma.Sql[];
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit: number | Prisma.Sql;
  /** A query that says which rows match, and how far it has looked, as that of `lookedAt` does; by default, all match. */
  lookedAt?: Prisma.Sql;
}

interface JoinedRow {
  texts: string | null;
  ids: string | null;
  isFollowed: boolean | null;
  reached: bigint | null;
}

/**
 * Reads a page of a feed in id order as one row, in which PostgreSQL has joined the texts. Reading a hundred rows takes the
 * driver about twice as long as reading this one.
 */
export async function readJoinedPage<Item>(
  db: Queryable,
  { table, where, isNewestFirst, limit, lookedAt }: TextQuery,
): Promise<TextRows<Item>> {
  const page = pageQuery({
    columns: { id: Prisma.sql`id`, text: Prisma.sql`object_text` },
    from: table,
    where:
      lookedAt === undefined ? where : [...where, Prisma.sql`id IN (SELECT id FROM looked_at WHERE matches)`],
    order: ['id'],
    isNewestFirst,
    large: ['text'],
    limit,
  });
  // The window of the page sorts the rows, which keep that order until they are joined. All but the very last are followed.
  const [joined] = await db.query<JoinedRow>(Prisma.sql`
      ${lookedAt === undefined ? Prisma.empty : Prisma.sql`WITH looked_at AS MATERIALIZED (${lookedAt})`}
      SELECT string_agg(text, ${Prisma.raw(`E'\\x1e'`)}) AS texts, string_agg(id::text, ',') AS ids,
             bool_and("isFollowed") AS "isFollowed",
             ${lookedAt === undefined ? Prisma.sql`NULL::bigint` : Prisma.sql`(SELECT max(id) FROM looked_at WHERE is_last)`} AS reached
      FROM (${page}) AS page`);
  const { texts, ids, isFollowed, reached } = joined!;
  if (ids === null || texts === null) return { rows: [], reached };
  const textOf = texts.split(SEPARATOR) as JsonOf<Item>[];
  const all = ids.split(',');
  const rows = all.map((id, index) => ({
    id: BigInt(id),
    text: textOf[index]!,
    isFollowed: isFollowed === true || index < all.length - 1,
  }));
  return { rows, reached };
}

/**
 * The limits of the pages that most callers ask for: the default and the largest, and one row that tells whether there are
 * more.
 */
const USUAL_LIMITS = new Set([101, 501]);

/**
 * The conditions and the limit of a page without filters, for which PostgreSQL keeps one plan. It would plan each execution
 * if that seemed cheaper, which knowing the position or the limit makes it seem: so the position comes from a subquery, and a
 * usual limit is part of the text. The plan is a walk over the primary key, unless
 * the table was nearly empty when it was made: then it may be a scan, until the next ANALYZE makes PostgreSQL plan again.
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
