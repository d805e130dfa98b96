import { Client } from 'pg';

/** How to fill the tables. */
export interface Filling {
  databaseUrl: string;
  /** Tables that refer to each other are emptied together. */
  tables: readonly string[];
  /** The total number of rows, and the statement that writes the rows numbered $1 to $2, counted from 1. */
  rows: number;
  insert: string;
  /** Statements that run before and after. */
  first?: string;
  last?: string;
  print: (line: string) => void;
}

/** Sorting index entries takes most of the time. This is enough memory for ten million of them. */
const INDEX_MEMORY = '1GB';
/** Rows per statement. */
const STEP = 500_000;

/**
 * Empties tables and fills them with more rows than the product could write in an hour. Triggers and foreign keys are off during
 * this, so the statements have to write all rows that belong together. Indexes are built afterwards, which is several times as
 * fast as maintaining them.
 */
export async function refillTables(filling: Filling): Promise<void> {
  const { databaseUrl, tables, rows, insert, first, last, print } = filling;
  const client = new Client({ connectionString: databaseUrl, options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    await client.query(`TRUNCATE ${tables.join(', ')}`);
    // Only indexes that no constraint depends on.
    const indexes = await client.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index
       WHERE indrelid = ANY ($1::regclass[]::oid[])
         AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
      [tables],
    );
    for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
    if (first !== undefined) await client.query(first);
    for (let from = 1; from <= rows; from += STEP) {
      print(`${tables[0]}: ${(from - 1).toLocaleString('en')} of ${rows.toLocaleString('en')}`);
      await client.query(insert, [from, Math.min(rows, from + STEP - 1)]);
    }
    if (last !== undefined) await client.query(last);
    for (const { definition } of indexes.rows) await client.query(definition);
    await client.query('COMMIT');
    await client.query(`VACUUM ANALYZE ${tables.join(', ')}`);
  } finally {
    await client.end();
  }
}
