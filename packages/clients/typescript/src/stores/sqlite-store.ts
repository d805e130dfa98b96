import type { Feed, FeedPage, FeedRecords } from '../feeds/feeds.ts';
import {
  type Column,
  type ColumnType,
  cursorState,
  EVENTS_KEPT_MS,
  EVENTS_TABLE,
  quoted,
  STATE_TABLE,
  WORKSPACE_STATE,
} from './columns.ts';
import {
  type Clearing,
  listClearings,
  clearPage,
  ERASED_FEEDS,
  type Erasure,
  missingSince,
} from './erasing.ts';
import { createSerializer } from './serialize.ts';
import { openSqlite, prepareWrite, type SqliteDatabase, type SqliteValue } from './sqlite-driver.ts';
import {
  type Applied,
  movedCursor,
  otherWorkspace,
  type PageToSave,
  type RowStore,
  type SavedObject,
} from './store.ts';
import {
  initialTables,
  validatePrefix,
  feedTable,
  rejectForeign,
  type Table,
  type TableOptions,
  tableState,
} from './tables.ts';
import { viewDefinition, type Dialect, type View, createViews } from './views.ts';

/** How long a statement waits for another program that writes to the file. */
const BUSY_TIMEOUT_MS = 30_000;
/** How long a checkpoint of the write-ahead log waits. A reader that takes longer delays it until a later commit. */
const LOG_TIMEOUT_MS = 1_000;

/** SQLite has no types for dates and JSON. They are text, in the format of the API. Booleans are 0 and 1. */
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

const SQLITE_VIEWS: Dialect = {
  table: quoted,
  items: (list) => `json_each(${list}) AS item`,
  // A trigger of SQLite applies to one kind of write only.
  afterWrite: (trigger, table, condition, statement) =>
    ['INSERT', 'UPDATE'].flatMap((write) => {
      const name = quoted(`${trigger}_${write.toLowerCase()}`);
      return [
        `DROP TRIGGER IF EXISTS ${name}`,
        `CREATE TRIGGER ${name} AFTER ${write} ON ${table} WHEN ${condition} BEGIN ${statement}; END`,
      ];
    }),
};

/** A store in a SQLite file. The handler of a page may write to the same database. */
export interface SqliteStore extends RowStore<SqliteDatabase> {
  readonly database: SqliteDatabase;
}

/**
 * Opens a store in a SQLite file, with one table for each feed. Needs Node.js 22.13 or newer, or the package `libsql`.
 *
 * @param file a path, or a database that `node:sqlite`, libsql or better-sqlite3 has opened.
 * @throws StoreConflict if one of the tables exists and was not created by a store. Nothing is written then.
 *
 * Several feeds can be followed at the same time with one store. Their pages are stored one after the other, so the handler of
 * a page must not wait for another page of the same store.
 *
 * Erased data is overwritten in the file, and removed from the write-ahead log as soon as no other program reads the file.
 */
export async function openSqliteStore(
  file: string | SqliteDatabase,
  options: TableOptions = {},
): Promise<SqliteStore> {
  const prefix = validatePrefix(options.prefix);
  const database = typeof file === 'string' ? await openSqlite(file) : file;
  const stateTable = quoted(prefix + STATE_TABLE);
  const eventsTable = quoted(prefix + EVENTS_TABLE);
  const prepared = new Set<Feed>();
  let isWritable = false;
  // A connection has only one transaction at a time.
  const serialize = createSerializer();
  /** For each feed, the latest `erasedAt` that the store contained when reading its next page began. */
  const knownAt = new Map<Feed, string | null>();
  /**
   * Whether the write-ahead log may still contain erased bytes. True at first, because an earlier process may have left some.
   */
  let isLogStale = true;

  const readState = (name: string): string | null => {
    const row = database.prepare(`SELECT value FROM ${stateTable} WHERE name = ?`).get(name);
    return (row as { value: string } | undefined)?.value ?? null;
  };

  /** Returns all existing names, in lower case because SQLite ignores case, and the names that the store created. */
  function names(): { existing: Set<string>; own: Set<string> } {
    const existing = queryNames(database, 'SELECT lower(name) AS name FROM sqlite_master');
    const own = existing.has(prefix + STATE_TABLE)
      ? queryNames(database, `SELECT substr(name, 7) AS name FROM ${stateTable} WHERE name LIKE 'table %'`)
      : new Set<string>();
    return { existing, own };
  }

  /** Creates the tables of feeds, or adds the columns and indexes of a newer version, and creates views over them. */
  function prepare(feeds: readonly Feed[], views: readonly View[] = []): void {
    const tables = feeds.map((feed) => feedTable(prefix, feed));
    const wanted = [...tables, ...views].map(({ name }) => name);
    const before = names();
    rejectForeign(wanted, before.existing, before.own);
    // With a write-ahead log, other programs can read during a write. The mode is stored in the file, so it is set after the
    // check.
    if (!isWritable) database.exec('PRAGMA journal_mode = WAL');
    isWritable = true;
    database.exec('BEGIN IMMEDIATE');
    try {
      const { existing, own } = names();
      rejectForeign(wanted, existing, own);
      database.exec(`CREATE TABLE IF NOT EXISTS ${stateTable} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`);
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${eventsTable} (id TEXT PRIMARY KEY, stored_at INTEGER NOT NULL)`,
      );
      for (const table of tables) makeTable(database, table, existing);
      const note = prepareWrite(database, `INSERT OR REPLACE INTO ${stateTable} (name, value) VALUES (?, ?)`);
      for (const { name } of tables) if (!own.has(name)) note.run(tableState(name), 'ours');
      for (const view of views) {
        const { name, query, setup = [] } = view;
        // Replacing an unchanged view would make every program that has the file open prepare its statements again.
        if (existing.has(name) && readState(tableState(name)) === viewDefinition(view)) continue;
        for (const statement of setup) database.exec(statement);
        database.exec(`DROP VIEW IF EXISTS ${quoted(name)}`);
        database.exec(`CREATE VIEW ${quoted(name)} AS ${query}`);
        note.run(tableState(name), viewDefinition(view));
      }
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      throw error;
    }
    for (const feed of feeds) prepared.add(feed);
  }

  async function inTransaction<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    // Acquires the write lock before anything is read.
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = await run();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  async function save<F extends Feed>(
    { feed, page: read, previousCursor }: PageToSave<F>,
    handle?: (transaction: SqliteDatabase, page: FeedPage<F>) => void | Promise<void>,
  ): Promise<void> {
    if (!prepared.has(feed)) prepare([feed]);
    await inTransaction(async () => {
      if (readState(cursorState(feed)) !== previousCursor) throw movedCursor(feed);
      const page = clearPage(feed, read, erasuresSince(feed, missingSince(knownAt.get(feed) ?? null)));
      upsert(database, feedTable(prefix, feed), page.data, 'always');
      if (feed === 'erasures') erase(page.data as FeedRecords['erasures'][]);
      await handle?.(database, page);
      prepareWrite(database, `INSERT OR REPLACE INTO ${stateTable} (name, value) VALUES (?, ?)`).run(
        cursorState(feed),
        page.nextCursor,
      );
    });
    markReadStart(feed);
    emptyLog();
  }

  async function saveEvent(
    eventId: string,
    object: SavedObject | null,
    handle?: (transaction: SqliteDatabase) => void | Promise<void>,
  ): Promise<Applied> {
    const feeds = object === null ? [] : [object.feed];
    if (!isWritable || feeds.some((feed) => !prepared.has(feed))) prepare(feeds);
    const applied = await inTransaction(async () => {
      const { changes } = prepareWrite(
        database,
        `INSERT INTO ${eventsTable} (id, stored_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`,
      ).run(eventId, Date.now());
      if (Number(changes) === 0) return 'repeated';
      prepareWrite(database, `DELETE FROM ${eventsTable} WHERE stored_at < ?`).run(
        Date.now() - EVENTS_KEPT_MS,
      );
      const written = object === null ? null : saveObject(object);
      if (object?.feed === 'erasures') erase([object.record as FeedRecords['erasures']]);
      await handle?.(database);
      return written === null ? 'ignored' : written > 0 ? 'written' : 'kept';
    });
    emptyLog();
    return applied;
  }

  /** Stores the object of an event, unless the stored row is as new or newer. Returns the number of rows written. */
  function saveObject({ feed, record, recordedAt }: SavedObject): number {
    const page = clearPage(
      feed,
      { data: [record], nextCursor: '', hasMore: false },
      erasuresSince(feed, recordedAt),
    );
    return upsert(database, feedTable(prefix, feed), page.data, 'if newer');
  }

  /** Applies erasures to the rows in the tables of the store. */
  function erase(erasures: readonly FeedRecords['erasures'][]): void {
    const { own } = names();
    for (const clearing of erasures.flatMap(listClearings)) {
      const { name, columns } = feedTable(prefix, clearing.feed);
      if (own.has(name)) clear(database, name, columns, clearing);
    }
    isLogStale = true;
  }

  const hasErasures = (): boolean => readState(tableState(feedTable(prefix, 'erasures').name)) !== null;

  /** Returns the stored erasures that rows of a feed may lack: those since a given time, or all of them. */
  function erasuresSince(feed: Feed, since: string | null): Erasure[] {
    if (!ERASED_FEEDS.includes(feed) || !hasErasures()) return [];
    const { name } = feedTable(prefix, 'erasures');
    return database
      .prepare(`SELECT ${ERASURE_COLUMNS} FROM ${quoted(name)} WHERE erased_at >= ? ORDER BY erased_at`)
      .all(since ?? '')
      .map((row) => toErasure(row as StoredErasure));
  }

  /** Records which erasures are known when reading the next page of a feed begins. */
  function markReadStart(feed: Feed): void {
    if (!ERASED_FEEDS.includes(feed)) return;
    const { name } = feedTable(prefix, 'erasures');
    const row = hasErasures()
      ? database.prepare(`SELECT max(erased_at) AS latest FROM ${quoted(name)}`).get()
      : { latest: null };
    knownAt.set(feed, (row as { latest: string | null }).latest);
  }

  /** Removes erased data from the write-ahead log, which contains old pages of the file. */
  function emptyLog(): void {
    if (!isLogStale) return;
    try {
      database.exec(`PRAGMA busy_timeout = ${LOG_TIMEOUT_MS}`);
      const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      isLogStale = (row as { busy: number }).busy !== 0;
    } catch {
      // The page is already stored. The log is emptied after a later commit, or when the last program closes the file.
    } finally {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // A commit survives a power failure.
    database.exec('PRAGMA synchronous = FULL');
    // Overwrites deleted and replaced content with zeros, so that erased data does not stay in free pages of the file.
    database.exec('PRAGMA secure_delete = ON');
    const { feeds, views } = initialTables(options);
    if (feeds !== undefined) prepare(feeds, views ? createViews(prefix, SQLITE_VIEWS) : []);
  } catch (error) {
    if (typeof file === 'string') database.close();
    throw error;
  }
  return {
    database,
    async claimWorkspace(companyId) {
      if (!isWritable) await serialize(() => prepare([]));
      prepareWrite(
        database,
        `INSERT INTO ${stateTable} (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`,
      ).run(WORKSPACE_STATE, String(companyId));
      const stored = readState(WORKSPACE_STATE);
      if (stored !== String(companyId)) throw otherWorkspace(String(stored), companyId);
    },
    async readCursor(feed) {
      if (!prepared.has(feed)) await serialize(() => prepare([feed]));
      markReadStart(feed);
      return readState(cursorState(feed));
    },
    savePage: (page, handle) => serialize(() => save(page, handle)),
    saveEvent: (...event) => serialize(() => saveEvent(...event)),
    async close() {
      await serialize(() => database.close());
    },
  };
}

function queryNames(database: SqliteDatabase, sql: string): Set<string> {
  return new Set(
    database
      .prepare(sql)
      .all()
      .map((row) => (row as { name: string }).name),
  );
}

/** Creates a table with its indexes, or adds the missing parts. */
function makeTable(
  database: SqliteDatabase,
  { name, columns, indexes }: Table,
  existing: ReadonlySet<string>,
): void {
  const table = quoted(name);
  if (existing.has(name)) {
    const present = queryNames(database, `SELECT name FROM pragma_table_info('${name}')`);
    for (const column of columns) {
      if (!present.has(column.name)) database.exec(`ALTER TABLE ${table} ADD COLUMN ${definition(column)}`);
    }
  } else {
    database.exec(`CREATE TABLE ${table} (${columns.map(definition).join(', ')})`);
  }
  for (const index of indexes) {
    if (existing.has(index.name)) continue;
    database.exec(`CREATE INDEX ${quoted(index.name)} ON ${table} (${quoted(index.column)})`);
  }
}

function definition({ field, name, type }: Column): string {
  return `${quoted(name)} ${SQLITE_TYPES[type]}${field === 'id' ? ' PRIMARY KEY' : ''}`;
}

/** Inserts rows, or replaces rows with the same id: always, or only if these are newer. Returns the number of rows written. */
function upsert(
  database: SqliteDatabase,
  { name: table, columns, version }: Table,
  records: readonly object[],
  replaces: 'always' | 'if newer',
): number {
  const names = columns.map(({ name }) => quoted(name));
  const changes = names.map((name) => `${name} = excluded.${name}`);
  const condition =
    replaces === 'always'
      ? 'true'
      : version === null
        ? 'false'
        : `excluded.${version} > ${quoted(table)}.${version}`;
  const statement = prepareWrite(
    database,
    `INSERT INTO ${quoted(table)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')} WHERE ${condition}`,
  );
  let written = 0;
  for (const record of records) {
    const values = columns.map(({ field, type }) =>
      toSqlite((record as Record<string, unknown>)[field], type),
    );
    written += Number(statement.run(...values).changes);
  }
  return written;
}

/** The columns of an erasure that determine what to erase. Ids of events do not fit into a number. */
const ERASURE_COLUMNS = `buyer_space_id, person_ids, distribution_ids, engagement_event_ids, engagement_view_ids, erased_at,
  CAST(engagement_before AS TEXT) AS engagement_before`;

type StoredErasure = Record<
  'person_ids' | 'distribution_ids' | 'engagement_event_ids' | 'engagement_view_ids' | 'erased_at',
  string
> &
  Record<'buyer_space_id' | 'engagement_before', string | null>;

function toErasure(row: StoredErasure): Erasure {
  const idsIn = (json: string): string[] => JSON.parse(json) as string[];
  return {
    buyerSpaceId: row.buyer_space_id,
    personIds: idsIn(row.person_ids),
    distributionIds: idsIn(row.distribution_ids),
    engagementEventIds: idsIn(row.engagement_event_ids),
    engagementViewIds: idsIn(row.engagement_view_ids),
    engagementBefore: row.engagement_before,
    erasedAt: row.erased_at,
  };
}

/** Overwrites the fields of the rows that an erasure applies to. */
function clear(
  database: SqliteDatabase,
  table: string,
  columns: readonly Column[],
  { field, values, set, until, before }: Clearing,
): void {
  const columnOf = (name: string): Column => columns.find((column) => column.field === name)!;
  const written = Object.entries(set).map(([name, value]) => ({ ...columnOf(name), value }));
  const conditions = [`${quoted(columnOf(field).name)} IN (SELECT value FROM json_each(?))`];
  if (until !== undefined) conditions.push('updated_at <= ?');
  if (before !== undefined) conditions.push('CAST(id AS INTEGER) < CAST(? AS INTEGER)');
  prepareWrite(
    database,
    `UPDATE ${quoted(table)} SET ${written.map(({ name }) => `${quoted(name)} = ?`).join(', ')}
       WHERE ${conditions.join(' AND ')}`,
  ).run(
    ...written.map(({ value, type }) => toSqlite(value, type)),
    JSON.stringify([...values]),
    ...[until, before].filter((bound) => bound !== undefined),
  );
}

/** Converts a field of a record to the value of its column. */
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
    // SQLite has already rolled back, for example because the disk is full. That error is more useful than this one.
  }
}
