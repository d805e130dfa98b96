import { Client } from 'pg';

/** How to fill the tables. */
export interface TableFill {
  databaseUrl: string;
  /** Tables that refer to each other are emptied together. */
  tables: readonly string[];
  /** The number of rows, and the statement that writes the rows numbered $1 to $2. Numbers begin at 1. */
  rows: number;
  insert: string;
  /** Statements that run before and after. */
  first?: string;
  last?: string;
  say: (line: string) => void;
}

/** Sorting index entries takes most of the time, and this is enough for ten million of them. */
const INDEX_MEMORY = '1GB';
/** Rows per statement. */
const STEP = 500_000;

/**
 * Empties tables and fills them with so many rows that the product would need hours to write them. Triggers and foreign
 * keys are disabled while it runs, so the statements have to write all rows that belong together. Indexes are built
 * afterwards, which is several times faster than maintaining them.
 */
export async function refillTables(filling: TableFill): Promise<void> {
  const { databaseUrl, tables, rows, insert, first, last, say } = filling;
  const client = new Client({ connectionString: databaseUrl, options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    await client.query(`TRUNCATE ${tables.join(', ')}`);
    // Indexes that no constraint depends on.
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
      say(`${tables[0]}: ${(from - 1).toLocaleString('en')} of ${rows.toLocaleString('en')}`);
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
