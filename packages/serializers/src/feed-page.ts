import { Prisma } from '@deal-signals/db/generated/client';

/**
 * The size at which a page of a feed ends early: about the bytes of its JSON. Pages of ordinary rows are much smaller, but
 * 500 of the largest rows would be more than 100 MiB, and every request in progress holds its page in memory.
 */
export const PAGE_BYTES = 4 * 1_024 * 1_024;

/** The direction of a list, for ORDER BY. */
export function directionOf(isNewestFirst: boolean | undefined): Prisma.Sql {
  return isNewestFirst === true ? Prisma.sql`DESC` : Prisma.sql`ASC`;
}

/** A position in a feed that is sorted by time and, among equal times, by id. */
export interface FeedPosition {
  at: Date;
  id: string;
}

/** A row of a list. */
export type Listed<Row> = Row & {
  /** Whether another row follows this one, on the same page or not; absent if the list is read without pages. */
  isFollowed?: boolean;
};

/** The columns of a query that can make a row without a text large, by the names that the query gives them. */
export interface LargeColumns {
  texts: readonly Prisma.Sql[];
  /** A column of JSON objects. */
  object?: Prisma.Sql;
  /** A column of JSON arrays. */
  list?: Prisma.Sql;
  /** How many times larger the JSON of a response is than that of the columns; 1 by default. */
  growth?: number;
}

/** A column of a query: the text of a row's object, if this version of the builder made it. */
export function currentText(alias: Prisma.Sql, version: number): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${alias}.object_version = ${version} THEN ${alias}.object_text END AS text`;
}

/**
 * Reads objects: their texts, and of those without a text the columns that they are built from.
 *
 * @param query selects these columns, and the text as `currentText` gives it.
 * @param shown the columns that are needed next to a text, by the names that the query gives them.
 */
export function withTexts(query: Prisma.Sql, shown: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT ${shown}, ${TEXT_OR_COLUMNS} FROM (${query}) AS page`;
}

/** A text that is there makes reading all columns, and converting them, unnecessary. */
const TEXT_OR_COLUMNS = Prisma.sql`text, CASE WHEN text IS NULL THEN to_json(page) END AS columns`;

/**
 * Like `withTexts`, but ends the page that a query reads before it exceeds `PAGE_BYTES`. The first row is always on the
 * page, however large it is, so a consumer always makes progress. PostgreSQL does not read the large values of rows that do
 * not fit.
 *
 * @param query a query with a limit.
 * @param order the columns by which the query sorts, by the names that it gives them.
 */
export function withinPageBytes(
  query: Prisma.Sql,
  shown: Prisma.Sql,
  order: Prisma.Sql,
  { texts, object = Prisma.sql`NULL`, list = Prisma.sql`NULL`, growth = 1 }: LargeColumns,
): Prisma.Sql {
  const most = Math.floor(PAGE_BYTES / growth);
  // The length of a text is known without reading the text itself.
  const lengths = texts.map((column) => Prisma.sql`coalesce(octet_length(${column}), 0)`);
  return Prisma.sql`
    SELECT ${shown}, "isFollowed", ${TEXT_OR_COLUMNS} FROM (
      SELECT page.*, lead(true, 1, false) OVER feed AS "isFollowed", row_number() OVER feed AS number,
             coalesce(sum(octet_length(text)) OVER feed, 0)
             + ${growth} * coalesce(page_bytes(${most}, ${Prisma.join(lengths, ' + ')}, ${object}, ${list})
                                      FILTER (WHERE text IS NULL) OVER feed, 0) AS bytes
      FROM (${query}) AS page
      WINDOW feed AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) AS page
    WHERE number = 1 OR bytes <= ${PAGE_BYTES}`;
}

/**
 * The condition that an id is one of these. PostgreSQL keeps the plan of a comparison with a single id; with a list, whose
 * length it cannot know, it plans each execution, which takes longer than reading one row.
 */
export function isOneOf(id: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  const [only] = ids;
  return ids.length === 1 ? Prisma.sql`${id} = ${only}::uuid` : Prisma.sql`${id} = ANY (${[...ids]}::uuid[])`;
}

/**
 * Like `withinPageBytes`, for rows that are returned as they are, without a stored text.
 *
 * @param texts the columns that can make a row large, by the names that the query gives them.
 */
export function rowsWithinPageBytes(
  query: Prisma.Sql,
  shown: Prisma.Sql,
  order: Prisma.Sql,
  texts: readonly Prisma.Sql[],
): Prisma.Sql {
  const lengths = texts.map((column) => Prisma.sql`coalesce(octet_length(${column}), 0)`);
  return Prisma.sql`
    SELECT ${shown}, "isFollowed" FROM (
      SELECT page.*, lead(true, 1, false) OVER feed AS "isFollowed", row_number() OVER feed AS number,
             sum(${Prisma.join(lengths, ' + ')}) OVER feed AS bytes
      FROM (${query}) AS page
      WINDOW feed AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) AS page
    WHERE number = 1 OR bytes <= ${PAGE_BYTES}`;
}

/** The LIMIT clause of a list; empty without a limit. */
export function limitTo(limit: number | undefined): Prisma.Sql {
  return limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`;
}
