import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type Eraser, eraseAll, personEraser } from './eraser.ts';
import { type Search, searchFor } from './needles.ts';
import { columnOf, type ErasedTable } from './places.ts';

/** What is erased, and how what is about it is found. */
export interface Target {
  companyId: number;
  kind: 'person' | 'room';
  /** The room; null for a person. */
  roomId: string | null;
  /** The address of the person, in lower case; null for a room, and for somebody without one. */
  email: string | null;
  /** The names that are known of the person. */
  names: readonly string[];
  /** What the person was in the roll-ups. */
  persons: readonly string[];
  /** What has these ids, or greater ones, is of somebody else, who may have the same address. */
  eventEnd: bigint;
  viewEnd: bigint;
}

/** An erasure under way, as it is stored. */
export interface ErasureRun extends Target {
  id: string;
  /** The people and share links that no entry names yet. */
  personIds: readonly string[];
  distributionIds: readonly string[];
  /** How many people are erased. */
  people: number;
  place: string;
  /** The last key of the place that was looked at; null before the first. */
  after: string | null;
  eventIds: readonly bigint[];
  viewIds: readonly bigint[];
  claims: readonly string[];
}

/** How the target of an erasure is found and erased. */
export interface Means {
  erase: Eraser;
  /** Null for a room, and for somebody who cannot be searched for. */
  search: Search | null;
}

/** Prepares to find and erase the target of an erasure. */
export function meansOf({ kind, email, names }: Target): Means {
  if (kind === 'room') return { erase: eraseAll, search: null };
  const search = searchFor({ email, names });
  return { erase: personEraser(email, search), search };
}

/** The condition of a row that something has to be erased in, whatever it is. */
export function isConcerned(table: ErasedTable, target: Target, { search }: Means): Prisma.Sql {
  if (target.kind === 'room') {
    const inRoom = Prisma.sql`${table.room} = ${target.roomId}::uuid`;
    return table.activity === undefined ? inRoom : Prisma.sql`${inRoom} AND ${isTheirs(table, target)}`;
  }
  const fields = Object.keys(table.fields).map((field) => Prisma.sql`${columnOf(field)}::text`);
  const found =
    search === null
      ? Prisma.sql`false`
      : Prisma.sql`concat_ws(' ', ${Prisma.join(fields)}) ~ ${search.pattern}`;
  return table.activity === undefined ? found : Prisma.sql`(${isTheirs(table, target)} OR ${found})`;
}

/** The condition of a row that is what the person did. */
export function isTheirs({ activity, key }: ErasedTable, target: Target): Prisma.Sql {
  if (activity === undefined) return Prisma.sql`false`;
  if (target.kind === 'room') return Prisma.sql`${key} < ${target[activity]}`;
  return Prisma.sql`
    (${key} < ${target[activity]} AND coalesce(person_of(actor_email, distribution_id) = ANY (${[...target.persons]}::text[]), false))`;
}

/** A part of a table that was looked through. */
export interface Part {
  /** The keys of the rows that are concerned. */
  keys: string[];
  /** The last key; null at the end of the table. */
  last: string | null;
}

/** Where to look next. */
interface PartQuery {
  table: Prisma.Sql;
  key: Prisma.Sql;
  keyType: Prisma.Sql;
  where: Prisma.Sql;
  /** The condition of the rows to find. */
  condition: Prisma.Sql;
  after: string | null;
  most: number;
}

/** Looks through the next rows of a table, in the order of their keys, for those that are concerned. It locks nothing. */
export function lookThrough(
  db: Database,
  table: ErasedTable,
  target: Target,
  means: Means,
  after: string | null,
): Promise<Part> {
  const ofWorkspace = Prisma.sql`company_id = ${target.companyId}`;
  return findPart(db, {
    ...table,
    after,
    most: table.part,
    // What is of a room is found by an index; where a person is mentioned, only by looking.
    where:
      target.kind === 'room'
        ? Prisma.sql`${ofWorkspace} AND ${table.room} = ${target.roomId}::uuid`
        : ofWorkspace,
    condition: isConcerned(table, target, means),
  });
}

/** Reads a part of a table: which of its rows are concerned. */
export async function findPart(
  db: Database,
  { table, key, keyType, where, condition, after, most }: PartQuery,
): Promise<Part> {
  const isAfter = after === null ? Prisma.empty : Prisma.sql`AND ${key} > ${after}::${keyType}`;
  const [part] = await db.query<{ keys: string[] | null; last: string | null; count: number }>(Prisma.sql`
    WITH part AS (
      SELECT ${key} AS key, ${condition} AS is_concerned FROM ${table}
      WHERE ${where} ${isAfter} ORDER BY ${table}.${key} LIMIT ${most}::int
    )
    SELECT array_agg(key::text ORDER BY key) FILTER (WHERE is_concerned) AS keys,
           (SELECT key::text FROM part ORDER BY key DESC LIMIT 1) AS last, count(*)::int AS count FROM part`);
  const { keys, last, count } = part!;
  return { keys: keys ?? [], last: count < most ? null : last };
}

/** Reads the names that a part of what the person did was recorded with: somebody may have had another one at the time. */
export async function findNames(
  db: Database,
  table: ErasedTable,
  target: Target,
  after: string | null,
): Promise<{ names: string[]; last: string | null }> {
  const most = table.part;
  const [part] = await db.query<{ names: string[] | null; last: string | null; count: number }>(Prisma.sql`
    WITH part AS (
      SELECT id, CASE WHEN ${isTheirs(table, target)} THEN actor_name END AS name FROM ${table.table}
      WHERE company_id = ${target.companyId} AND id > ${after ?? '0'}::bigint ORDER BY id LIMIT ${most}::int
    )
    SELECT array_agg(DISTINCT name) FILTER (WHERE name IS NOT NULL) AS names, max(id)::text AS last, count(*)::int AS count
    FROM part`);
  const { names, last, count } = part!;
  return { names: names ?? [], last: count < most ? null : last };
}
