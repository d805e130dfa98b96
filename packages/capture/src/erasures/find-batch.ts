import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';

/** The rows of a table that one query has searched. */
export interface Batch {
  /** The keys of the rows that are concerned. */
  keys: string[];
  /** The size of the texts of each of them, in bytes. */
  bytes: number[];
  /** The last key; null at the end of the table. */
  last: string | null;
}

/** Where to search next, and for what. */
export interface BatchQuery<Row extends { rowKey: string }> {
  table: Prisma.Sql;
  key: Prisma.Sql;
  keyType: Prisma.Sql;
  /** Set if several rows have the same key, which are searched as one: their texts are an aggregate. */
  isGrouped?: true;
  where: Prisma.Sql;
  /** The texts of a row that can name the person. */
  text: Prisma.Sql;
  /** The condition of rows that are concerned in any case. */
  isConcerned: Prisma.Sql;
  /** What finds all other rows that may be concerned: a regular expression, null for all rows, and undefined for none. */
  preselection: string | null | undefined;
  /** Reads rows that may be concerned. */
  read: (keys: string[]) => Promise<Row[]>;
  /** Whether a row names the person. */
  isNamedIn: (row: Row) => boolean;
  after: string | null;
  /** Maximum rows of the batch. */
  limit: number;
}

/**
 * Limits of the rows that are searched at once: the process does nothing else for some tens of milliseconds. A larger row, of 512 KiB at
 * most, is searched alone.
 */
const MAX_SEARCHED = { rows: 500, bytes: 262_144 };

/**
 * Scans the next rows of a table, in the order of their keys, for those that concern the person. PostgreSQL finds the candidates, and
 * this process searches them. It locks nothing.
 */
export async function findBatch<Row extends { rowKey: string }>(
  db: Queryable,
  query: BatchQuery<Row>,
): Promise<Batch> {
  const { table, key, keyType, isGrouped, where, text, isConcerned, preselection, after, limit } = query;
  const isAfter = after === null ? Prisma.empty : Prisma.sql`AND ${key} > ${after}::${keyType}`;
  const grouped = isGrouped ? Prisma.sql`GROUP BY ${table}.${key}` : Prisma.empty;
  const [batch] = await db.query<{
    keys: string[] | null;
    bytes: number[] | null;
    concerned: boolean[] | null;
    last: string | null;
    count: number;
  }>(Prisma.sql`
    WITH batch AS (
      SELECT key, is_concerned, octet_length(text) AS bytes, ${mayMatch(preselection)} AS may_be_concerned
      FROM (
        SELECT ${key} AS key, ${isConcerned} AS is_concerned, coalesce(${text}, '') AS text FROM ${table}
        WHERE ${where} ${isAfter} ${grouped} ORDER BY ${table}.${key} LIMIT ${limit}::int
      ) AS searched
    ), found AS (
      SELECT key, bytes, is_concerned FROM batch WHERE is_concerned OR may_be_concerned
    )
    SELECT keys, bytes, concerned, last, count FROM (
      SELECT array_agg(key::text ORDER BY key) AS keys, array_agg(bytes ORDER BY key) AS bytes,
             array_agg(is_concerned ORDER BY key) AS concerned
      FROM found
    ) AS f, (
      SELECT (array_agg(key::text ORDER BY key DESC))[1] AS last, count(*)::int AS count FROM batch
    ) AS p`);
  const { keys, bytes, concerned, last, count } = batch!;
  const found = (keys ?? []).map((one, n) => ({ key: one, bytes: bytes![n]!, isConcerned: concerned![n]! }));
  const named = await findNamed(
    found.filter((row) => !row.isConcerned),
    query,
  );
  const kept = found.filter((row) => row.isConcerned || named.has(row.key));
  return {
    keys: kept.map((row) => row.key),
    bytes: kept.map((row) => row.bytes),
    last: count < limit ? null : last,
  };
}

function mayMatch(preselection: string | null | undefined): Prisma.Sql {
  if (preselection === undefined) return Prisma.sql`false`;
  return preselection === null ? Prisma.sql`true` : Prisma.sql`text ~ ${preselection}`;
}

/** Returns the keys of the rows that name the person. */
async function findNamed<Row extends { rowKey: string }>(
  found: readonly { key: string; bytes: number }[],
  { read, isNamedIn }: BatchQuery<Row>,
): Promise<Set<string>> {
  const named = new Set<string>();
  const keys = found.map(({ key }) => key);
  const bytes = found.map((row) => row.bytes);
  for (const group of groupsOf(keys, bytes, MAX_SEARCHED)) {
    for (const row of await read(group)) if (isNamed(row, isNamedIn)) named.add(row.rowKey);
  }
  return named;
}

/** A row that cannot be searched counts as concerned. The rewrite reports what is wrong with it. */
function isNamed<Row>(row: Row, isNamedIn: (row: Row) => boolean): boolean {
  try {
    return isNamedIn(row);
  } catch {
    return true;
  }
}

/** Divides keys into groups of a limited size. A larger row is a group of its own. */
export function* groupsOf(
  keys: readonly string[],
  bytes: readonly number[],
  limit: { rows: number; bytes: number },
): Generator<string[]> {
  let group: string[] = [];
  let size = 0;
  for (const [n, key] of keys.entries()) {
    if (group.length > 0 && (group.length === limit.rows || size + bytes[n]! > limit.bytes)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(key);
    size += bytes[n]!;
  }
  if (group.length > 0) yield group;
}
