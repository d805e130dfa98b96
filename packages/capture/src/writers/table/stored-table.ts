import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** The name of a column and its type in the database. */
type Column = readonly [name: string, type: string];

/** Which columns of a table play a part of their own, by the property of a row that holds them. */
interface ColumnRoles<Row, Unread> {
  /** The primary key. */
  key: readonly (keyof Row & string)[];
  /** Columns that an existing row keeps. */
  kept?: readonly (keyof Row & string)[];
  /** Columns that are only written. */
  unread?: readonly Unread[];
}

/** The rows of a table as capture reads and writes them. */
export interface StoredTable<Row, Unread extends keyof Row = never> {
  /** Reads the rows of a workspace that match a condition. */
  find(tx: Queryable, companyId: number, condition: Prisma.Sql): Promise<Omit<Row, Unread>[]>;
  /**
   * The statement that inserts rows, and updates those that exist. Its text does not depend on their number, because they are one JSON
   * parameter.
   */
  upsert(rows: readonly Row[]): Prisma.Sql;
  /** Runs that statement, if there are rows. */
  store(tx: Queryable, rows: readonly Row[]): Promise<void>;
}

/**
 * Describes a table.
 *
 * @param columns all columns that capture reads or writes.
 */
export function storedTable<Row extends { companyId: number }, Unread extends keyof Row & string = never>(
  table: string,
  columns: { readonly [Property in keyof Row]-?: Column },
  { key, kept = [], unread = [] }: ColumnRoles<Row, Unread>,
): StoredTable<Row, Unread> {
  const all = Object.entries<Column>(columns);
  const names = all.map(([, [name]]) => name).join(', ');
  const values = all.map(([property]) => `"${property}"`).join(', ');
  const types = all.map(([property, [, type]]) => `"${property}" ${type}`).join(', ');
  const keyNames = key.map((property) => columns[property][0]).join(', ');
  const changes = all
    .filter(([property]) => ![...key, ...kept].some((one) => one === property))
    .map(([, [name]]) => `${name} = EXCLUDED.${name}`)
    .join(', ');
  const selected = all
    .filter(([property]) => !unread.some((one) => one === property))
    .map(([property, [name]]) => `${name} AS "${property}"`)
    .join(', ');
  const select = Prisma.raw(`SELECT ${selected} FROM ${table}`);
  const upsertTexts = [
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_to_recordset(`,
    `::json) AS n (${types}) ON CONFLICT (${keyNames}) DO UPDATE SET ${changes}`,
  ];
  const upsert = (rows: readonly Row[]) => Prisma.sql(upsertTexts, JSON.stringify(rows, textOfBigInt));
  return {
    find: (tx, companyId, condition) =>
      tx.query<Omit<Row, Unread>>(Prisma.sql`${select} WHERE company_id = ${companyId} AND ${condition}`),
    upsert,
    async store(tx, rows) {
      if (rows.length > 0) await tx.$executeRaw(upsert(rows));
    },
  };
}

/** JSON has no integers of 64 bits. */
function textOfBigInt(_property: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
