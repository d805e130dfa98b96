import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

/** The name of a column and its type in the database. */
type Column = readonly [name: string, type: string];

/**
 * Returns a function that inserts rows of a table and updates those that exist, all in one statement. The text of the
 * statement does not depend on the number of rows, because they are one JSON parameter.
 *
 * @param columns all columns of the table, by the property of a row that holds them.
 * @param key the properties of the primary key.
 * @param kept further properties that an existing row keeps.
 */
export function bulkUpsert<Row extends object>(
  table: string,
  columns: { readonly [Property in keyof Row]-?: Column },
  key: readonly (keyof Row & string)[],
  kept: readonly (keyof Row & string)[] = [],
): (tx: Transaction, rows: readonly Row[]) => Promise<void> {
  const all = Object.entries<Column>(columns);
  const names = all.map(([, [name]]) => name).join(', ');
  const values = all.map(([property]) => `"${property}"`).join(', ');
  const types = all.map(([property, [, type]]) => `"${property}" ${type}`).join(', ');
  const keyNames = key.map((property) => columns[property][0]).join(', ');
  const changes = all
    .filter(([property]) => ![...key, ...kept].some((one) => one === property))
    .map(([, [name]]) => `${name} = EXCLUDED.${name}`)
    .join(', ');
  const text = [
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_to_recordset(`,
    `::json) AS n (${types}) ON CONFLICT (${keyNames}) DO UPDATE SET ${changes}`,
  ];
  return async (tx, rows) => {
    if (rows.length > 0) await tx.$executeRaw(Prisma.sql(text, JSON.stringify(rows)));
  };
}
