import { FEED_COLUMNS } from '../generated/feed-columns.ts';
import { type Feed, tableOf } from '../feeds/feeds.ts';
import {
  type Column,
  type ColumnType,
  cursorState,
  quoted,
  STATE_TABLE,
  WORKSPACE_STATE,
} from './columns.ts';
import { openSqlite, type SqliteDatabase, type SqliteValue } from './sqlite-driver.ts';
import { type FeedStore, movedCursor, otherWorkspace, type PageToSave } from './store.ts';

/** How long a statement waits for another program that writes to the file. */
const BUSY_TIMEOUT_MS = 30_000;

/** SQLite has no types for dates and JSON: they are text, in the form of the API. Booleans are 0 and 1. */
const SQLITE_TYPES: Record<ColumnType, string> = {
  text: 'TEXT',
  uuid: 'TEXT',
  timestamp: 'TEXT',
  date: 'TEXT',
  json: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  number: 'REAL',
};

/** A store in a SQLite file. The handler of a page may write to the same database. */
export interface SqliteStore extends FeedStore<SqliteDatabase> {
  readonly database: SqliteDatabase;
}

/**
 * Opens a store in a SQLite file, with one table for each feed. Needs Node.js 22.13 or newer, or the package `libsql`.
 *
 * @param file a path, or a database that `node:sqlite`, libsql or better-sqlite3 has opened.
 *
 * Several feeds can be followed at the same time with one store: their pages are stored one after the other. So the handler
 * of a page must not wait for another page of the same store.
 */
export async function openSqliteStore(file: string | SqliteDatabase): Promise<SqliteStore> {
  const database = typeof file === 'string' ? await openSqlite(file) : file;
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // With a write-ahead log, others can read while a page is written. FULL: a commit survives a power failure.
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`CREATE TABLE IF NOT EXISTS ${STATE_TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`);
  const prepared = new Set<Feed>();
  let lastSave: Promise<unknown> = Promise.resolve();

  const readState = (name: string): string | null => {
    const row = database.prepare(`SELECT value FROM ${STATE_TABLE} WHERE name = ?`).get(name);
    return (row as { value: string } | undefined)?.value ?? null;
  };

  async function save<F extends Feed>(
    { feed, page, previousCursor }: PageToSave<F>,
    handle?: (transaction: SqliteDatabase) => void | Promise<void>,
  ): Promise<void> {
    if (!prepared.has(feed)) createTable(database, feed);
    prepared.add(feed);
    // Locks the file for writing before anything is read.
    database.exec('BEGIN IMMEDIATE');
    try {
      if (readState(cursorState(feed)) !== previousCursor) throw movedCursor(feed);
      upsert(database, feed, page.data);
      await handle?.(database);
      database
        .prepare(`INSERT OR REPLACE INTO ${STATE_TABLE} (name, value) VALUES (?, ?)`)
        .run(cursorState(feed), page.nextCursor);
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  return {
    database,
    async claimWorkspace(companyId) {
      database
        .prepare(`INSERT INTO ${STATE_TABLE} (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`)
        .run(WORKSPACE_STATE, String(companyId));
      const stored = readState(WORKSPACE_STATE);
      if (stored !== String(companyId)) throw otherWorkspace(String(stored), companyId);
    },
    async readCursor(feed) {
      createTable(database, feed);
      return readState(cursorState(feed));
    },
    async savePage(page, handle) {
      // One connection has one transaction at a time.
      const saved = lastSave.then(() => save(page, handle));
      lastSave = saved.catch(() => undefined);
      await saved;
    },
    async close() {
      await lastSave;
      database.close();
    },
  };
}

/** Creates the table of a feed, or adds the columns that a newer version of the API has. */
function createTable(database: SqliteDatabase, feed: Feed): void {
  const table = tableOf(feed);
  const columns = FEED_COLUMNS[feed];
  database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns.map(definition).join(', ')})`);
  const existing = new Set(
    database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((row) => (row as { name: string }).name),
  );
  for (const column of columns) {
    if (!existing.has(column.name)) database.exec(`ALTER TABLE ${table} ADD COLUMN ${definition(column)}`);
  }
}

function definition({ field, name, type }: Column): string {
  return `${quoted(name)} ${SQLITE_TYPES[type]}${field === 'id' ? ' PRIMARY KEY' : ''}`;
}

function upsert(database: SqliteDatabase, feed: Feed, records: readonly Record<string, unknown>[]): void {
  const columns = FEED_COLUMNS[feed];
  const names = columns.map(({ name }) => quoted(name));
  const changes = names.map((name) => `${name} = excluded.${name}`);
  const statement = database.prepare(
    `INSERT INTO ${tableOf(feed)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
  );
  for (const record of records) {
    statement.run(...columns.map(({ field, type }) => toSqlite(record[field], type)));
  }
}

/** Converts a value of a record to what its column holds. */
function toSqlite(value: unknown, type: ColumnType): SqliteValue {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'boolean') return value === true ? 1 : 0;
  return value as string | number;
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has done so by itself, for example because the disk is full. That error says more than this one.
  }
}
