import { type Feed, tableOf } from '../feeds/feeds.ts';
import { FEED_COLUMNS } from '../generated/feed-columns.ts';
import {
  type Column,
  type ColumnType,
  cursorState,
  lastOfEach,
  quoted,
  STATE_TABLE,
  WORKSPACE_STATE,
} from './columns.ts';
import { type FeedStore, movedCursor, otherWorkspace, type PageToSave } from './store.ts';

const POSTGRES_TYPES: Record<ColumnType, string> = {
  text: 'text',
  uuid: 'uuid',
  timestamp: 'timestamptz',
  date: 'date',
  json: 'jsonb',
  integer: 'bigint',
  boolean: 'boolean',
  number: 'double precision',
};

/** A connection of `pg` inside a transaction, as far as it is needed here. */
export interface PostgresClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

interface PooledClient extends PostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(error?: Error | boolean): void;
}

interface Pool extends PostgresClient {
  connect(): Promise<PooledClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

/**
 * Opens a store in a PostgreSQL database, with one table for each feed, in the first schema of the `search_path`. Needs the
 * package `pg`.
 *
 * @param url a connection URL, `postgres://…`.
 * @throws Error if the package is not installed, or the database is not reachable.
 */
export async function openPostgresStore(url: string): Promise<FeedStore<PostgresClient>> {
  const pool = await connect(url);
  try {
    await pool.query(
      `CREATE TABLE IF NOT EXISTS ${STATE_TABLE} (name text PRIMARY KEY, value text NOT NULL)`,
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
  const readState = async (name: string): Promise<string | null> => {
    const { rows } = await pool.query(`SELECT value FROM ${STATE_TABLE} WHERE name = $1`, [name]);
    return (rows[0] as { value: string } | undefined)?.value ?? null;
  };
  return {
    async claimWorkspace(companyId) {
      await pool.query(
        `INSERT INTO ${STATE_TABLE} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
        [WORKSPACE_STATE, String(companyId)],
      );
      const stored = await readState(WORKSPACE_STATE);
      if (stored !== String(companyId)) throw otherWorkspace(String(stored), companyId);
    },
    async readCursor(feed) {
      await createTable(pool, feed);
      return readState(cursorState(feed));
    },
    async savePage(page, handle) {
      const client = await pool.connect();
      let failure: Error | boolean = true;
      // A connection that breaks between two statements would end the process. The next statement reports it.
      client.on('error', ignore);
      try {
        await client.query('BEGIN');
        await moveCursor(client, page);
        await upsert(client, page.feed, page.page.data);
        await handle?.(client);
        await client.query('COMMIT');
        failure = false;
      } finally {
        if (!failure) client.off('error', ignore);
        // A connection that is thrown away rolls back what it did not commit.
        client.release(failure);
      }
    },
    close: () => pool.end(),
  };
}

async function connect(url: string): Promise<Pool> {
  let module: { default: { Pool: new (options: object) => Pool } };
  try {
    module = await import('pg');
  } catch (error) {
    throw new Error('writing to PostgreSQL needs the package pg: npm install pg', { cause: error });
  }
  const pool = new module.default.Pool({ connectionString: url, application_name: 'deal-signals' });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', ignore);
  return pool;
}

function ignore(): void {}

/** Creates the table of a feed, or adds the columns that a newer version of the API has. */
async function createTable(pool: Pool, feed: Feed): Promise<void> {
  const table = quoted(tableOf(feed));
  const [id, ...others] = FEED_COLUMNS[feed].map(definition);
  await pool.query(`CREATE TABLE IF NOT EXISTS ${table} (${[`${id} PRIMARY KEY`, ...others].join(', ')})`);
  const { rows } = await pool.query(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const existing = new Set(rows.map(({ name }) => name));
  const missing = FEED_COLUMNS[feed].filter(({ name }) => !existing.has(name));
  // Only if it is necessary, because it waits for everybody who reads the table, and later readers wait for it.
  if (missing.length === 0) return;
  const additions = missing.map((column) => `ADD COLUMN IF NOT EXISTS ${definition(column)}`);
  await pool.query(`ALTER TABLE ${table} ${additions.join(', ')}`);
}

function definition({ name, type }: Column): string {
  return `${quoted(name)} ${POSTGRES_TYPES[type]}`;
}

/**
 * Stores the cursor after a page, if the stored one is still that before the page. It comes first, because it locks the row:
 * another program that follows the same feed waits here, and then finds that the cursor has moved.
 */
async function moveCursor(client: PostgresClient, { feed, page, previousCursor }: PageToSave): Promise<void> {
  const name = cursorState(feed);
  const { rowCount } =
    previousCursor === null
      ? await client.query(
          `INSERT INTO ${STATE_TABLE} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
          [name, page.nextCursor],
        )
      : await client.query(`UPDATE ${STATE_TABLE} SET value = $2 WHERE name = $1 AND value = $3`, [
          name,
          page.nextCursor,
          previousCursor,
        ]);
  if (rowCount !== 1) throw movedCursor(feed);
}

async function upsert(client: PostgresClient, feed: Feed, records: readonly { id: string }[]): Promise<void> {
  const columns = FEED_COLUMNS[feed];
  const names = columns.map(({ name }) => quoted(name));
  const rows = lastOfEach(records).map((record) =>
    Object.fromEntries(
      columns.map(({ field, name }) => [name, (record as Record<string, unknown>)[field] ?? null]),
    ),
  );
  // One parameter for the whole page: PostgreSQL converts each value to the type of its column.
  await client.query(
    `INSERT INTO ${quoted(tableOf(feed))} (${names.join(', ')})
     SELECT ${names.join(', ')} FROM json_to_recordset($1::json) AS record (${columns.map(definition).join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
    [JSON.stringify(rows)],
  );
}
