import type { Feed, FeedRecords } from '../feeds/feeds.ts';
import {
  type Column,
  type ColumnType,
  cursorState,
  EVENTS_KEPT_MS,
  EVENTS_TABLE,
  lastById,
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
import { installHint } from './install.ts';
import { movedCursor, otherWorkspace, type PageToSave, type RowStore, type SavedObject } from './store.ts';
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

/** The methods of a `pg` connection that the store uses, inside a transaction. */
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

/** Options for the tables of a store in PostgreSQL. */
export interface PostgresTableOptions extends TableOptions {
  /** The schema of the tables, which is created if it does not exist. Default: the first schema of the `search_path`. */
  schema?: string | undefined;
}

/** The schema and prefix of the tables. */
interface TableLocation {
  schema: string;
  prefix: string;
  /** The quoted names of the state table and the events table. */
  state: string;
  events: string;
}

/**
 * Opens a store in a PostgreSQL database, with one table for each feed. Needs the package `pg`.
 *
 * @param url a connection URL, `postgres://…`.
 * @throws Error if the package is not installed, or the database is not reachable.
 * @throws StoreConflict if one of the tables exists and was not created by a store. Nothing is written then.
 */
export async function openPostgresStore(
  url: string,
  { schema, ...options }: PostgresTableOptions = {},
): Promise<RowStore<PostgresClient>> {
  const checked = validatePrefix(options.prefix);
  const pool = await connect(url);
  const prepared = new Set<Feed>();
  /** For each feed, the latest `erasedAt` that the store contained when reading its next page began. */
  const knownAt = new Map<Feed, string | null>();
  let location: TableLocation;
  try {
    location = await resolveLocation(pool, schema, checked);
    const { feeds, views } = initialTables(options);
    if (feeds !== undefined)
      await prepareTables(feeds, views ? createViews(checked, createDialect(location)) : []);
  } catch (error) {
    await pool.end();
    throw error;
  }

  async function prepareTables(wanted: readonly Feed[], views: readonly View[] = []): Promise<void> {
    const tables = wanted.map((feed) => feedTable(checked, feed));
    await inTransaction(pool, (client) => prepare(client, location, tables, views));
    for (const feed of wanted) prepared.add(feed);
  }

  /** Applies erasures to the rows in the tables of the store. */
  async function erase(client: PostgresClient, erasures: readonly FeedRecords['erasures'][]): Promise<void> {
    const own = await ownNames(client, location);
    for (const clearing of erasures.flatMap(listClearings)) {
      const table = feedTable(checked, clearing.feed);
      if (own.has(table.name)) await clear(client, location, table, clearing);
    }
  }

  /** Stores the object of an event, unless the stored row is as new or newer. Returns the number of rows written. */
  async function saveObject(
    client: PostgresClient,
    { feed, record, recordedAt }: SavedObject,
  ): Promise<number> {
    const page = { data: [record], nextCursor: '', hasMore: false };
    const { data } = clearPage(feed, page, await erasuresSince(client, feed, recordedAt));
    return upsert(client, location, feedTable(checked, feed), data, 'if newer');
  }

  const erasures = feedTable(checked, 'erasures').name;
  const hasErasures = async (client: PostgresClient): Promise<boolean> =>
    (await ownNames(client, location)).has(erasures);
  const erasuresTable = `${quoted(location.schema)}.${quoted(erasures)}`;

  /** Returns the stored erasures that rows of a feed may lack: those since a given time, or all of them. */
  async function erasuresSince(client: PostgresClient, feed: Feed, since: string | null): Promise<Erasure[]> {
    if (!ERASED_FEEDS.includes(feed) || !(await hasErasures(client))) return [];
    const { rows } = await client.query(
      `SELECT ${ERASURE_COLUMNS} FROM ${erasuresTable}
       WHERE erased_at >= coalesce($1::timestamptz, '-infinity') ORDER BY erased_at`,
      [since],
    );
    return rows.map((row) => row['erasure'] as Erasure);
  }

  /** Records which erasures are known when reading the next page of a feed begins. */
  async function markReadStart(feed: Feed): Promise<void> {
    if (!ERASED_FEEDS.includes(feed)) return;
    const { rows } = (await hasErasures(pool))
      ? await pool.query(`SELECT max(erased_at) AS latest FROM ${erasuresTable}`)
      : { rows: [] };
    const latest = (rows[0]?.['latest'] ?? null) as Date | null;
    knownAt.set(feed, latest && latest.toISOString());
  }

  /**
   * Makes erasures wait for pages that are being stored, and pages for erasures. Otherwise neither would see the rows of the
   * other. The lock is held until the transaction ends.
   */
  async function lockForErasing(client: PostgresClient, feed: Feed): Promise<void> {
    if (feed !== 'erasures' && !ERASED_FEEDS.includes(feed)) return;
    const lock = feed === 'erasures' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    await client.query(`SELECT ${lock}(hashtext($1))`, [`deal-signals ${erasuresTable}`]);
  }

  const readState = async (name: string): Promise<string | null> => {
    const { rows } = await pool.query(`SELECT value FROM ${location.state} WHERE name = $1`, [name]);
    return (rows[0] as { value: string } | undefined)?.value ?? null;
  };
  return {
    async claimWorkspace(companyId) {
      if (prepared.size === 0) await prepareTables([]);
      await pool.query(
        `INSERT INTO ${location.state} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
        [WORKSPACE_STATE, String(companyId)],
      );
      const stored = await readState(WORKSPACE_STATE);
      if (stored !== String(companyId)) throw otherWorkspace(String(stored), companyId);
    },
    async readCursor(feed) {
      if (!prepared.has(feed)) await prepareTables([feed]);
      await markReadStart(feed);
      return readState(cursorState(feed));
    },
    async savePage(save, handle) {
      const { feed } = save;
      const since = missingSince(knownAt.get(feed) ?? null);
      await inTransaction(pool, async (client) => {
        await lockForErasing(client, feed);
        await moveCursor(client, location, save);
        const page = clearPage(feed, save.page, await erasuresSince(client, feed, since));
        await upsert(client, location, feedTable(checked, feed), page.data, 'always');
        if (feed === 'erasures') await erase(client, page.data as FeedRecords['erasures'][]);
        await handle?.(client, page);
      });
      await markReadStart(feed);
    },
    async saveEvent(eventId, object, handle) {
      const needed = object === null ? [] : [object.feed];
      if (prepared.size === 0 || needed.some((feed) => !prepared.has(feed))) await prepareTables(needed);
      return inTransaction(pool, async (client) => {
        if (object !== null) await lockForErasing(client, object.feed);
        // A concurrent delivery of the same event waits here.
        const { rowCount } = await client.query(
          `INSERT INTO ${location.events} (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`,
          [eventId],
        );
        if (rowCount !== 1) return 'repeated';
        await client.query(
          `DELETE FROM ${location.events} WHERE stored_at < now() - $1 * interval '1 millisecond'`,
          [EVENTS_KEPT_MS],
        );
        const written = object === null ? null : await saveObject(client, object);
        if (object?.feed === 'erasures') {
          await erase(client, [object.record as FeedRecords['erasures']]);
        }
        await handle?.(client);
        return written === null ? 'ignored' : written > 0 ? 'written' : 'kept';
      });
    },
    close: () => pool.end(),
  };
}

async function inTransaction<Result>(
  pool: Pool,
  run: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | boolean = true;
  // A connection that breaks between two statements would otherwise end the process. The next statement reports the error.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    failure = false;
    return result;
  } finally {
    if (!failure) client.off('error', ignore);
    // A discarded connection rolls back uncommitted changes.
    client.release(failure);
  }
}

async function resolveLocation(
  pool: Pool,
  schema: string | undefined,
  prefix: string,
): Promise<TableLocation> {
  const { rows } = await pool.query('SELECT current_schema() AS schema');
  const chosen = schema ?? (rows[0] as { schema: string | null }).schema;
  if (chosen === null) throw new Error('no schema of the search_path exists: choose one with --schema');
  const nameOf = (table: string): string => `${quoted(chosen)}.${quoted(prefix + table)}`;
  return { schema: chosen, prefix, state: nameOf(STATE_TABLE), events: nameOf(EVENTS_TABLE) };
}

async function connect(url: string): Promise<Pool> {
  let module: { default: { Pool: new (options: object) => Pool } };
  try {
    module = await import('pg');
  } catch (error) {
    throw new Error(`PostgreSQL needs the package pg: ${installHint('pg')}`, { cause: error });
  }
  const pool = new module.default.Pool({ connectionString: url, application_name: 'deal-signals' });
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on('error', ignore);
  return pool;
}

function ignore(): void {}

/** Returns how views name tables and read JSON in PostgreSQL. */
function createDialect({ schema }: TableLocation): Dialect {
  return {
    table: (name) => `${quoted(schema)}.${quoted(name)}`,
    items: (list) => `jsonb_array_elements(${list}) AS item (value)`,
    afterWrite(name, table, condition, statement) {
      const procedure = `${quoted(schema)}.${quoted(name)}`;
      return [
        `CREATE OR REPLACE FUNCTION ${procedure}() RETURNS trigger LANGUAGE plpgsql AS $after$
BEGIN IF ${condition} THEN ${statement}; END IF; RETURN NULL; END $after$`,
        `DROP TRIGGER IF EXISTS ${quoted(name)} ON ${table}`,
        `CREATE TRIGGER ${quoted(name)} AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE PROCEDURE ${procedure}()`,
      ];
    },
  };
}

/** Creates tables and views, or adds the parts of a newer version. Writes nothing if one of them is foreign. */
async function prepare(
  client: PostgresClient,
  location: TableLocation,
  tables: readonly Table[],
  views: readonly View[],
): Promise<void> {
  // Two programs that start at the same time would otherwise create the same tables.
  await client.query("SELECT pg_advisory_xact_lock(hashtext('deal-signals'))");
  // Relations of all kinds, because a table cannot have the name of any of them.
  const existing = await queryNames(
    client,
    'SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1)',
    [quoted(location.schema)],
  );
  const own = existing.has(location.prefix + STATE_TABLE)
    ? await ownNames(client, location)
    : new Set<string>();
  const wanted = [...tables, ...views].map(({ name }) => name);
  rejectForeign(wanted, existing, own);
  if (!existing.has(location.prefix + STATE_TABLE)) {
    // Most users may not create schemas, even with `IF NOT EXISTS`.
    const { rows } = await client.query('SELECT to_regnamespace($1) IS NULL AS missing', [
      quoted(location.schema),
    ]);
    if (rows[0]?.['missing'] === true) await client.query(`CREATE SCHEMA ${quoted(location.schema)}`);
    await client.query(`CREATE TABLE ${location.state} (name text PRIMARY KEY, value text NOT NULL)`);
    await client.query(
      `CREATE TABLE ${location.events} (id text PRIMARY KEY, stored_at timestamptz NOT NULL DEFAULT now())`,
    );
  }
  for (const table of tables) await makeTable(client, location, table, existing);
  const note = (name: string, value: string) =>
    client.query(
      `INSERT INTO ${location.state} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
      [tableState(name), value],
    );
  for (const { name } of tables) if (!own.has(name)) await note(name, 'ours');
  for (const view of views) {
    // Replacing a view waits for every session that reads it.
    if (existing.has(view.name) && (await isCurrent(client, location, view))) continue;
    for (const statement of view.setup ?? []) await client.query(statement);
    // Dropping the view would also drop what analysts have built on it, or fail because of that.
    await client.query(
      `CREATE OR REPLACE VIEW ${quoted(location.schema)}.${quoted(view.name)} AS ${view.query}`,
    );
    await note(view.name, viewDefinition(view));
  }
}

/** Returns the names of the tables and views that the store has created. */
function ownNames(client: PostgresClient, { state }: TableLocation): Promise<Set<string>> {
  return queryNames(client, `SELECT substr(name, 7) AS name FROM ${state} WHERE name LIKE 'table %'`);
}

/** Whether a view already has the given query. */
async function isCurrent(client: PostgresClient, { state }: TableLocation, view: View): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM ${state} WHERE name = $1 AND value = $2`, [
    tableState(view.name),
    viewDefinition(view),
  ]);
  return rowCount === 1;
}

async function queryNames(client: PostgresClient, sql: string, values: unknown[] = []): Promise<Set<string>> {
  const { rows } = await client.query(sql, values);
  return new Set(rows.map((row) => (row as { name: string }).name));
}

/**
 * Creates a table with its indexes, or adds only the missing parts, because changes wait for every session that uses the table.
 */
async function makeTable(
  client: PostgresClient,
  { schema }: TableLocation,
  { name, columns, indexes }: Table,
  existing: ReadonlySet<string>,
): Promise<void> {
  const table = `${quoted(schema)}.${quoted(name)}`;
  if (existing.has(name)) {
    const present = await queryNames(
      client,
      'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
      [table],
    );
    const missing = columns.filter((column) => !present.has(column.name));
    if (missing.length > 0) {
      const additions = missing.map((column) => `ADD COLUMN ${definition(column)}`);
      await client.query(`ALTER TABLE ${table} ${additions.join(', ')}`);
    }
  } else {
    const [id, ...others] = columns.map(definition);
    await client.query(`CREATE TABLE ${table} (${[`${id} PRIMARY KEY`, ...others].join(', ')})`);
  }
  for (const index of indexes) {
    if (existing.has(index.name)) continue;
    await client.query(`CREATE INDEX ${quoted(index.name)} ON ${table} (${quoted(index.column)})`);
  }
}

function definition({ name, type }: Column): string {
  return `${quoted(name)} ${POSTGRES_TYPES[type]}`;
}

/**
 * Stores the cursor after a page, if the stored cursor is still the one before the page. This comes first, because it locks the
 * row: another program that follows the same feed waits here, and then finds that the cursor has moved.
 */
async function moveCursor(
  client: PostgresClient,
  { state }: TableLocation,
  { feed, page, previousCursor }: PageToSave,
): Promise<void> {
  const name = cursorState(feed);
  const { rowCount } =
    previousCursor === null
      ? await client.query(
          `INSERT INTO ${state} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
          [name, page.nextCursor],
        )
      : await client.query(`UPDATE ${state} SET value = $2 WHERE name = $1 AND value = $3`, [
          name,
          page.nextCursor,
          previousCursor,
        ]);
  if (rowCount !== 1) throw movedCursor(feed);
}

/** Inserts rows, or replaces rows with the same id: always, or only if these are newer. Returns the number of rows written. */
async function upsert(
  client: PostgresClient,
  { schema }: TableLocation,
  { name: table, columns, version }: Table,
  records: readonly { id: string }[],
  replaces: 'always' | 'if newer',
): Promise<number> {
  const names = columns.map(({ name }) => quoted(name));
  const rows = lastById(records).map((record) =>
    Object.fromEntries(
      columns.map(({ field, name }) => [name, (record as Record<string, unknown>)[field] ?? null]),
    ),
  );
  const condition =
    replaces === 'always' ? 'true' : version === null ? 'false' : `EXCLUDED.${version} > stored.${version}`;
  // One parameter for the whole page. PostgreSQL converts each value to the type of its column.
  const { rowCount } = await client.query(
    `INSERT INTO ${quoted(schema)}.${quoted(table)} AS stored (${names.join(', ')})
     SELECT ${names.join(', ')} FROM json_to_recordset($1::json) AS record (${columns.map(definition).join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}
     WHERE ${condition}`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

/** An erasure in the format of the API, with the fields that determine what to erase. */
const ERASURE_COLUMNS = `json_build_object(
  'buyerSpaceId', buyer_space_id, 'personIds', person_ids, 'distributionIds', distribution_ids,
  'engagementEventIds', engagement_event_ids, 'engagementViewIds', engagement_view_ids,
  'engagementBefore', engagement_before::text,
  'erasedAt', to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS erasure`;

/** Overwrites the fields of the rows that an erasure applies to. */
async function clear(
  client: PostgresClient,
  { schema }: TableLocation,
  { name: table, columns }: Table,
  { field, values, set, until, before }: Clearing,
): Promise<void> {
  const columnOf = (name: string): Column => columns.find((column) => column.field === name)!;
  const written = Object.fromEntries(
    Object.entries(set).map(([name, value]) => [columnOf(name).name, value]),
  );
  const names = Object.keys(written).map(quoted);
  const parameters: unknown[] = [JSON.stringify(written), JSON.stringify([...values])];
  const conditions = [
    `stored.${quoted(columnOf(field).name)}::text IN (SELECT json_array_elements_text($2::json))`,
  ];
  if (until !== undefined) conditions.push(`stored.updated_at <= $${parameters.push(until)}::timestamptz`);
  if (before !== undefined) conditions.push(`stored.id::bigint < $${parameters.push(before)}::bigint`);
  await client.query(
    `UPDATE ${quoted(schema)}.${quoted(table)} AS stored SET ${names.map((one) => `${one} = record.${one}`).join(', ')}
     FROM json_to_record($1::json) AS record (${Object.keys(set)
       .map((one) => definition(columnOf(one)))
       .join(', ')})
     WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
}
