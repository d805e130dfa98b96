import { firstIdOccurringAt } from '@deal-signals/db/feeds/position';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { keptPlan, readTextPage, type TextRows } from '../text-page.ts';

/**
 * Maximum number of rows that a page with `since` examines. Only after an import of history do so many rows not match; examining
 * them takes 25 to 60 ms.
 */
export const MAX_LOOKED_AT = 50_000;

/** Rows of a feed in id order that also have a timestamp. */
export interface MomentFeed {
  table: Prisma.Sql;
  /** The column of the timestamp. */
  moment: Prisma.Sql;
  /** Conditions on the columns of the table; the first one is of the workspace. */
  where: readonly Prisma.Sql[];
  /** If given, only rows of these types, each of which has an index in id order. */
  types?: readonly string[] | undefined;
}

/** The part of a feed to read. */
export interface EngagementPage {
  /** Only rows with a greater id. */
  after: bigint;
  /** Only rows whose timestamp is this or later. */
  since?: Date | undefined;
  /** Maximum number of rows. */
  limit: number;
  /** Maximum number of rows that are examined for a page with `since`. */
  maxExamined?: number;
}

/** Reads a page of a feed: up to `limit` rows, or fewer if they are large or if few of many match. */
export async function readEngagement<Item>(
  db: Queryable,
  feed: MomentFeed,
  { after, since, limit, maxExamined = MAX_LOOKED_AT }: EngagementPage,
): Promise<TextRows<Item>> {
  const { table, where } = feed;
  const [ofWorkspace, ...filters] = where;
  if (since) {
    const examined = lookedAt(feed, { after, since, limit, maxExamined });
    return readTextPage(db, { table, where: [ofWorkspace!], limit, lookedAt: examined });
  }
  if (filters.length === 0) {
    const page = keptPlan(Prisma.sql`id`, after, limit);
    return readTextPage(db, { table, where: [...where, page.isAfter], limit: page.limit });
  }
  return readTextPage(db, { table, where: [...where, Prisma.sql`id > ${after}`], limit });
}

/**
 * Builds a query for the ids of a page of rows whose timestamp is `since` or later.
 *
 * Ids follow the order of recording, which is only roughly the order of the timestamps. Nothing is recorded much earlier than it
 * occurs, so the query skips everything that was recorded before `since`, and compares the timestamps of the later rows. Most of
 * them match, unless history was imported since then. The query examines at most `maxExamined` rows, so that a page of any feed
 * takes a bounded time. Each type is scanned in its own range of the index, and all of them count as examined up to where the
 * first scan ended.
 *
 * @returns a query for `id`, `matches`, and `is_last`: whether the page was examined only up to this row, which may match or not.
 */
function lookedAt(
  { table, moment, where, types }: MomentFeed,
  { after, since, limit, maxExamined }: EngagementPage & { since: Date; maxExamined: number },
): Prisma.Sql {
  const first = firstIdOccurringAt(since);
  const start = after < first ? first - 1n : after;
  const isOfType = types === undefined ? Prisma.empty : Prisma.sql`AND type = start.type`;
  const starts =
    types === undefined
      ? Prisma.sql`SELECT ${start}::bigint AS id, ${maxExamined}::int AS most`
      : Prisma.sql`
          SELECT ${start}::bigint AS id, ${Math.ceil(maxExamined / types.length)}::int AS most, type
          FROM unnest(${[...types]}::text[]) AS type`;
  // OFFSET 0 hides the limits from the planner. Otherwise it would expect to read as many rows as the larger limit, and sort the
  // whole table, although reading usually ends at the smaller one.
  return Prisma.sql`
    SELECT id, matches, is_last FROM (
      SELECT walk.*, min(walk.id) FILTER (WHERE walk.is_last) OVER () AS reached
      FROM (${starts} OFFSET 0) AS start
      CROSS JOIN LATERAL (
        SELECT id, matches, is_last FROM (
          SELECT id, ${moment} >= ${since} AS matches, row_number() OVER (ORDER BY id) = start.most AS is_last
          FROM (
            SELECT id, ${moment} FROM ${table}
            WHERE ${Prisma.join([...where], ' AND ')} ${isOfType} AND id > start.id ORDER BY ${table}.id LIMIT start.most
          ) AS walked
        ) AS walked
        WHERE matches OR is_last ORDER BY id LIMIT ${limit}
      ) AS walk
    ) AS walks
    WHERE reached IS NULL OR id <= reached ORDER BY id LIMIT ${limit}`;
}
