import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';

/** Rows in a chunk: a few milliseconds to parse. */
const CHUNK_ROWS = 1_000;

/**
 * The rows of a list that may be long, up to 1,000 at a time. Each function parses its rows when it is called, so a room with
 * 100,000 people does not block the other requests of the process.
 */
export type Chunks<Row> = (() => Row[])[];

/** Columns as PostgreSQL returns them in JSON. */
export type AsJson<Row> = {
  [Column in keyof Row]: Row[Column] extends Date
    ? string
    : Row[Column] extends Date | null
      ? string | null
      : Row[Column] extends bigint | null
        ? number | null
        : Row[Column];
};

/** A query whose rows are read as JSON. */
export interface List<Row> {
  columns: readonly string[];
  query: Prisma.Sql;
  /** Only carries the type of the rows. */
  readonly row?: Row;
}

/**
 * Describes a list.
 *
 * @param columns its columns, by their names in the rows.
 * @param rest the query after its columns.
 */
export function list<Row>(
  columns: { readonly [Column in keyof NoInfer<Row>]-?: Prisma.Sql },
  rest: Prisma.Sql,
): List<Row> {
  const selected = Object.entries<Prisma.Sql>(columns).map(
    ([name, column]) => Prisma.sql`${column} AS ${Prisma.raw(`"${name}"`)}`,
  );
  return { columns: Object.keys(columns), query: Prisma.sql`SELECT ${Prisma.join(selected)} ${rest}` };
}

/**
 * Reads the rows of several queries, each in its order. Converting each row in the client would take ten times as long as JSON,
 * and JSON with column names in each row twice as long as without.
 */
export async function readLists<Lists extends Record<string, List<unknown>>>(
  db: Queryable,
  lists: Lists,
): Promise<{ [Name in keyof Lists]: Lists[Name] extends List<infer Row> ? Chunks<Row> : never }> {
  const parts = Object.entries(lists).map(([name, { columns, query }]) => {
    const values = Prisma.raw(columns.map((column) => `q."${column}"`).join(', '));
    return Prisma.sql`
      SELECT ${Prisma.raw(`'${name}'`)} AS list, (r.n - 1) / ${CHUNK_ROWS}::int AS chunk,
             json_agg(r.row ORDER BY r.n)::text AS rows
      FROM (SELECT json_build_array(${values}) AS row, row_number() OVER () AS n FROM (${query}) AS q) AS r
      GROUP BY chunk`;
  });
  const chunks = await db.query<{ list: string; rows: string }>(
    Prisma.sql`SELECT list, rows FROM (${Prisma.join(parts, ' UNION ALL ')}) AS chunks ORDER BY list, chunk`,
  );
  const read = Object.entries(lists).map(([name, { columns }]) => [
    name,
    chunks
      .filter((chunk) => chunk.list === name)
      .map(
        ({ rows }) =>
          () =>
            parseRows(rows, columns),
      ),
  ]);
  return Object.fromEntries(read) as Awaited<ReturnType<typeof readLists<Lists>>>;
}

function parseRows(rows: string, columns: readonly string[]): unknown[] {
  return (JSON.parse(rows) as unknown[][]).map((values) => {
    // Properties that are added in the same order give all rows one hidden class. `Object.fromEntries` takes three times as long.
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index];
    return row;
  });
}

/** Returns all rows of a short list. */
export function all<Row>(chunks: Chunks<Row>): Row[] {
  return chunks.flatMap((read) => read());
}
