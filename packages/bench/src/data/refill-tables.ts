import { Client } from 'pg';

/** What fills the tables. */
export interface Filling {
  databaseUrl: string;
  /** Tables that refer to each other are emptied together. */
  tables: readonly string[];
  /** Runs before the tables are emptied, for example to keep some of their rows in a temporary table. */
  prepare?: (client: Client) => Promise<void>;
  fill: (client: Client) => Promise<void>;
  say: (line: string) => void;
}

/** Sorting the entries of an index takes most of the time, and this is enough for ten million of them. */
const INDEX_MEMORY = '1GB';
const SORT_MEMORY = '256MB';

/**
 * Empties tables and fills them with so many rows that writing them as the product does would take hours. Triggers and
 * foreign keys are off meanwhile, so `fill` has to write all rows that belong together. Indexes are built afterwards, which
 * is several times as fast as maintaining them.
 */
export async function refillTables({ databaseUrl, tables, prepare, fill, say }: Filling): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    await client.query(`SET LOCAL work_mem = '${SORT_MEMORY}'`);
    await prepare?.(client);
    await client.query(`TRUNCATE ${tables.join(', ')}`);
    const indexes = await freeIndexes(client, tables);
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    await fill(client);
    for (const { name, definition } of indexes) {
      say(`building ${name}`);
      await client.query(definition);
    }
    await client.query('COMMIT');
    say(`VACUUM ANALYZE ${tables.join(', ')}`);
    await client.query(`VACUUM ANALYZE ${tables.join(', ')}`);
  } finally {
    await client.end();
  }
}

/** The indexes that no constraint depends on. */
async function freeIndexes(
  client: Client,
  tables: readonly string[],
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]::oid[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
     ORDER BY name`,
    [tables],
  );
  return rows;
}
