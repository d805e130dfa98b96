import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { type Eraser, eraseAll, erased, personEraser } from './eraser.ts';
import { findBatch, type Batch } from './find-batch.ts';
import { buildMatcher, type Matcher } from './matching/matcher.ts';
import { columnOf, type ErasedTable } from './erased-tables.ts';
import { buildPreselection } from './matching/preselection.ts';

/** What is erased, and how what is about it is found. */
export interface SearchTarget {
  companyId: number;
  kind: 'person' | 'room';
  /** The room; null for a person. */
  roomId: string | null;
  /** The identity of the person; null for a room. */
  identity: string | null;
  /** The address of the person, in lower case; null for a room, and for a person without one. */
  email: string | null;
  /** The names that are known of the person. */
  names: readonly string[];
  /** Rows with these ids, or greater ones, belong to another person, who may have the same address. */
  eventEnd: bigint;
  viewEnd: bigint;
}

/** An erasure under way, as it is stored. */
export interface ErasureRun extends SearchTarget {
  id: string;
  /** The people and share links that no entry names yet. */
  personIds: readonly string[];
  distributionIds: readonly string[];
  /** How many people are erased. */
  people: number;
  /** The stage of the next step: see `advance.ts`. */
  stage: string;
  /** The last key that the stage has handled; null before the first. */
  after: string | null;
  eventIds: readonly bigint[];
  viewIds: readonly bigint[];
  claims: readonly string[];
}

/** How the target of an erasure is found and erased. */
export interface ErasureTools {
  erase: Eraser;
  /** Null for a room, and for a person without an address or a name to search for. */
  matcher: Matcher | null;
  /** What finds all texts in which the matcher may find something: see `BatchQuery`. */
  preselection: string | null | undefined;
}

/** Prepares to find and erase the target of an erasure. */
export function buildErasureTools({ kind, email, names }: SearchTarget): ErasureTools {
  if (kind === 'room') return { erase: eraseAll, matcher: null, preselection: undefined };
  const matcher = buildMatcher({ email, names });
  const preselection = matcher === null ? undefined : buildPreselection(email, matcher);
  return { erase: personEraser(email, matcher), matcher, preselection };
}

/** The condition of a row that is what the person did. */
export function isTheirs({ activity, key }: ErasedTable, target: SearchTarget): Prisma.Sql {
  if (activity === undefined) return Prisma.sql`false`;
  if (target.kind === 'room') return Prisma.sql`${key} < ${target[activity]}`;
  return Prisma.sql`
    (${key} < ${target[activity]} AND coalesce(identity = ${target.identity}, false))`;
}

/** A row, by the names of its fields. */
export type Row = Record<string, unknown> & { rowKey: string; isTheirs: boolean };

/** Reads rows of a table. */
export function readRows(
  db: Queryable,
  table: ErasedTable,
  target: SearchTarget,
  keys: readonly string[],
): Promise<Row[]> {
  const { key, keyType, fields } = table;
  const columns = Object.keys(fields).map(
    (name) => Prisma.sql`${columnOf(name)} AS ${Prisma.raw(`"${name}"`)}`,
  );
  return db.query<Row>(Prisma.sql`
    SELECT ${key}::text AS "rowKey", ${isTheirs(table, target)} AS "isTheirs", ${Prisma.join(columns)} FROM ${table.table}
    WHERE company_id = ${target.companyId} AND ${key} = ANY (${[...keys]}::text[]::${keyType}[])`);
}

/** Scans the next rows of a table for those that concern the person or the room. */
export function scanTable(
  db: Database,
  table: ErasedTable,
  target: SearchTarget,
  { erase, preselection }: ErasureTools,
  after: string | null,
): Promise<Batch> {
  const ofWorkspace = Prisma.sql`company_id = ${target.companyId}`;
  const isRoom = target.kind === 'room';
  const fields = Object.keys(table.fields).map((field) => Prisma.sql`${columnOf(field)}::text`);
  return findBatch<Row>(db, {
    ...table,
    after,
    limit: table.batchSize,
    // An index finds the rows of a room. Only a scan finds where a person is mentioned.
    where: isRoom ? Prisma.sql`${ofWorkspace} AND ${table.room} = ${target.roomId}::uuid` : ofWorkspace,
    // The rows of a room are not searched. With their texts, the planner walks all rows of the workspace, which need no sort.
    text: isRoom ? Prisma.sql`''` : Prisma.sql`concat_ws(' ', ${Prisma.join(fields)})`,
    isConcerned: isRoom && table.activity === undefined ? Prisma.sql`true` : isTheirs(table, target),
    preselection,
    read: (keys) => readRows(db, table, target, keys),
    isNamedIn: (row) => erased(row, table.fields, erase) !== row,
  });
}

/** Reads the names in a batch of the person's activity, which may differ from the present name. */
export async function findNames(
  db: Database,
  table: ErasedTable,
  target: SearchTarget,
  after: string | null,
): Promise<{ names: string[]; last: string | null }> {
  const limit = table.batchSize;
  const [batch] = await db.query<{ names: string[] | null; last: string | null; count: number }>(Prisma.sql`
    WITH batch AS (
      SELECT id, CASE WHEN ${isTheirs(table, target)} THEN actor_name END AS name FROM ${table.table}
      WHERE company_id = ${target.companyId} AND id > ${after ?? '0'}::bigint ORDER BY id LIMIT ${limit}::int
    )
    SELECT array_agg(DISTINCT name) FILTER (WHERE name IS NOT NULL) AS names, max(id)::text AS last, count(*)::int AS count
    FROM batch`);
  const { names, last, count } = batch!;
  return { names: names ?? [], last: count < limit ? null : last };
}
