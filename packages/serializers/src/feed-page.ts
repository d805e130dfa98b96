import { Prisma } from '@deal-signals/db/generated/client';

/**
 * The size at which a page of a feed ends early: about the bytes of its JSON. Pages of ordinary rows are much smaller, but 500 of
 * the largest rows would be more than 100 MiB, and every request in progress holds its page in memory.
 */
export const PAGE_BYTES = 4 * 1_024 * 1_024;

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

/** The rows of a feed to read, and their columns. */
export interface FeedQuery {
  /** The columns, by their names in the rows. */
  columns: Readonly<Record<string, Prisma.Sql>>;
  /** The table, and the joins that fill the slots of its texts. */
  from: Prisma.Sql;
  /** Conditions that must all hold. */
  where: readonly Prisma.Sql[];
  /** Names among `columns` that the feed is sorted by. */
  order: readonly string[];
  /** Reverses the order. */
  isNewestFirst?: boolean | undefined;
  /** Names among `columns` of texts that can be large: the text of the object, if it is stored. */
  large: readonly string[];
  /** Maximum number of rows; all by default. As SQL, it can be part of the text of the statement. */
  limit?: number | Prisma.Sql | undefined;
}

/**
 * Builds the query for a page of any feed. With a limit, the page ends before it exceeds `PAGE_BYTES`. The first row is always on
 * the page, regardless of its size, so a consumer always makes progress. PostgreSQL can determine the length of a text without
 * reading it, so it does not read texts that do not fit.
 */
export function pageQuery({
  columns,
  from,
  where,
  order,
  isNewestFirst = false,
  large,
  limit,
}: FeedQuery): Prisma.Sql {
  const direction = isNewestFirst ? Prisma.sql` DESC` : Prisma.empty;
  const selected = Object.entries(columns).map(([name, column]) => Prisma.sql`${column} AS ${nameOf(name)}`);
  const sorted = order.map((name) => Prisma.sql`${columns[name]}${direction}`);
  const rows = Prisma.sql`
    SELECT ${Prisma.join(selected)} FROM ${from}
    WHERE ${Prisma.join([...where], ' AND ')}
    ORDER BY ${Prisma.join(sorted)}`;
  if (limit === undefined) return rows;
  const feed = order.map((name) => Prisma.sql`${nameOf(name)}${direction}`);
  const lengths = large.map((name) => Prisma.sql`coalesce(octet_length(${nameOf(name)}), 0)`);
  return Prisma.sql`
    SELECT ${Prisma.join(Object.keys(columns).map(nameOf))}, "isFollowed" FROM (
      SELECT page.*, lead(true, 1, false) OVER feed AS "isFollowed", row_number() OVER feed AS number,
             sum(${Prisma.join(lengths, ' + ')}) OVER feed AS bytes
      FROM (${rows} LIMIT ${limit}) AS page
      WINDOW feed AS (ORDER BY ${Prisma.join(feed)} ROWS UNBOUNDED PRECEDING)
    ) AS page
    WHERE number = 1 OR bytes <= ${PAGE_BYTES}`;
}

/**
 * Returns the condition that an id is one of a list. PostgreSQL keeps the plan of a comparison with a single id. With a list,
 * whose length is unknown at planning time, it plans each execution, which takes longer than reading one row.
 */
export function isOneOf(id: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  const [only] = ids;
  return ids.length === 1 ? Prisma.sql`${id} = ${only}::uuid` : Prisma.sql`${id} = ANY (${[...ids]}::uuid[])`;
}

/** Returns the direction of a list, for ORDER BY. */
export function directionOf(isNewestFirst: boolean | undefined): Prisma.Sql {
  return isNewestFirst === true ? Prisma.sql`DESC` : Prisma.sql`ASC`;
}

/** Returns the LIMIT clause of a list; empty without a limit. */
export function limitTo(limit: number | undefined): Prisma.Sql {
  return limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`;
}

function nameOf(name: string): Prisma.Sql {
  return Prisma.raw(`"${name}"`);
}
