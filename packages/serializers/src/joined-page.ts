import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { type Listed, PAGE_BYTES } from './feed-page.ts';

/** Separates the texts of a page. JSON text contains no control characters. */
const SEPARATOR = '\u001e';

/** A row of a feed in id order whose stored text is by this version of the builder. */
export type TextRow = Listed<{ id: bigint; text: string; columns: null }>;

interface JoinedRow {
  texts: string | null;
  ids: string | null;
  isFollowed: boolean;
  isStale: boolean | null;
}

/**
 * Reads a page of a feed in id order as one row, in which PostgreSQL has joined the texts. Reading a hundred rows takes the
 * driver about twice as long as reading this one.
 *
 * As with `withinPageBytes`, the page ends before it exceeds `PAGE_BYTES`, and the first row is always on it.
 *
 * @param query selects the `id` and the `text` of the rows, as `currentText` gives it, in id order and with a limit.
 * @returns null if a row of the page has no such text, so that its columns have to be read.
 */
export async function readJoinedPage(db: Queryable, query: Prisma.Sql): Promise<TextRow[] | null> {
  // The window sorts the rows, which keep that order until they are joined.
  const [page] = await readRows<JoinedRow>(
    db,
    Prisma.sql`
      SELECT string_agg(text, ${Prisma.raw(`E'\\x1e'`)}) FILTER (WHERE fits) AS texts,
             string_agg(id::text, ',') FILTER (WHERE fits) AS ids,
             count(*) > count(*) FILTER (WHERE fits) AS "isFollowed", bool_or(text IS NULL) AS "isStale"
      FROM (
        SELECT id, text,
               row_number() OVER feed = 1 OR sum(octet_length(text)) OVER feed <= ${PAGE_BYTES} AS fits
        FROM (${query}) AS page
        WINDOW feed AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
      ) AS page`,
  );
  if (page === undefined || page.isStale === true) return null;
  if (page.ids === null || page.texts === null) return [];
  const ids = page.ids.split(',');
  const texts = page.texts.split(SEPARATOR);
  return ids.map((id, index) => ({
    id: BigInt(id),
    text: texts[index]!,
    columns: null,
    isFollowed: page.isFollowed || index < ids.length - 1,
  }));
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
