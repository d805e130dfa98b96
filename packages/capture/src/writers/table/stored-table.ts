import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { CaptureRecord } from '../../records/record.ts';
import type { FoundKind } from '../search-names.ts';

/** The name of a column and its type in the database. */
type Column = readonly [name: string, type: string];

/** A table, and the columns that play a part of their own, by the property of a row that holds them. */
export interface TableDescription<Row> {
  /** The kind of the records that write its rows. */
  kind: CaptureRecord['record'];
  table: string;
  /** All columns that capture reads and writes. */
  columns: { readonly [Property in keyof Row]-?: Column };
  /** The primary key, after the workspace. */
  key: readonly (keyof Row & string)[];
  /** Columns that an existing row keeps. */
  kept?: readonly (keyof Row & string)[];
  /** Builds the text of the object of a row, if it is stored with the row. */
  text?: (row: Row) => string;
  /** Set if the console finds the objects of its rows by name. */
  foundBy?: FoundKind;
}

/** The rows of a table as capture reads and writes them. */
export interface StoredTable<Row> extends TableDescription<Row> {
  /** Reads the rows of a workspace by their keys. */
  find(tx: Queryable, companyId: number, keys: readonly Partial<Row>[]): Promise<Row[]>;
  /**
   * The statement that inserts rows, and updates those that exist. Its text does not depend on their number, because they are one JSON
   * parameter.
   */
  upsert(rows: readonly Row[]): Prisma.Sql;
}

/** Describes a table. */
export function storedTable<Row extends { companyId: number }>(
  description: TableDescription<Row>,
): StoredTable<Row> {
  const { table, columns, key, kept = [], text } = description;
  const read = Object.entries<Column>(columns);
  const written = text === undefined ? read : [...read, ['objectText', ['object_text', 'text']] as const];
  const names = written.map(([, [name]]) => name).join(', ');
  const values = written.map(([property]) => `"${property}"`).join(', ');
  const types = written.map(([property, [, type]]) => `"${property}" ${type}`).join(', ');
  const unchanged: readonly string[] = ['companyId', ...key, ...kept];
  const changes = written
    .filter(([property]) => !unchanged.includes(property))
    .map(([, [name]]) => `${name} = EXCLUDED.${name}`)
    .join(', ');
  const selected = read.map(([property, [name]]) => `${name} AS "${property}"`).join(', ');
  const select = Prisma.raw(`SELECT ${selected} FROM ${table}`);
  const upsertTexts = [
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_to_recordset(`,
    `::json) AS n (${types}) ON CONFLICT (company_id, ${key.map((property) => columns[property][0]).join(', ')})
       DO UPDATE SET ${changes}`,
  ];
  return {
    ...description,
    find(tx, companyId, keys) {
      const conditions = key.map((property) => {
        const [name, type] = columns[property];
        const wanted = [...new Set(keys.map((one) => one[property]))];
        return Prisma.sql`${Prisma.raw(name)} = ANY (${wanted}::${Prisma.raw(type)}[])`;
      });
      return tx.query<Row>(
        Prisma.sql`${select} WHERE company_id = ${companyId} AND ${Prisma.join(conditions, ' AND ')}`,
      );
    },
    upsert(rows) {
      const stored = text === undefined ? rows : rows.map((row) => ({ ...row, objectText: text(row) }));
      return Prisma.sql(upsertTexts, JSON.stringify(stored, textOfBigInt));
    },
  };
}

/** JSON has no integers of 64 bits. */
function textOfBigInt(_property: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
