import type { Feed, FeedRecords } from '../feeds/feeds.ts';
import {
  type Column,
  type ColumnType,
  cursorState,
  EVENTS_KEPT_MS,
  EVENTS_TABLE,
  lastOfEach,
  quoted,
  STATE_TABLE,
  WORKSPACE_STATE,
} from './columns.ts';
import {
  type Clearing,
  clearingsOf,
  clearPage,
  ERASED_FEEDS,
  type Erasure,
  missingSince,
} from './erasing.ts';
import { howToInstall } from './install.ts';
import { movedCursor, otherWorkspace, type PageToSave, type RowStore, type SavedObject } from './store.ts';
import {
  atOnce,
  checkedPrefix,
  feedTable,
  refuseForeign,
  type Table,
  type TableOptions,
  tableState,
} from './tables.ts';
import { definitionOf, type Dialect, type View, viewsOf } from './views.ts';

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

/** Which tables a store in PostgreSQL uses. */
export interface PostgresTableOptions extends TableOptions {
  /** The schema of the tables, which is created if it does not exist. Default: the first one of the `search_path`. */
  schema?: string | undefined;
}

/** Where the tables are. */
interface Place {
  schema: string;
  prefix: string;
  /** The table of the state and that of the events, as SQL names them. */
  state: string;
  events: string;
}

/**
 * Opens a store in a PostgreSQL database, with one table for each feed. Needs the package `pg`.
 *
 * @param url a connection URL, `postgres://…`.
 * @throws Error if the package is not installed, or the database is not reachable.
 * @throws StoreConflict if one of the tables exists and was not made by a store. Nothing is written then.
 */
export async function openPostgresStore(
  url: string,
  { schema, ...options }: PostgresTableOptions = {},
): Promise<RowStore<PostgresClient>> {
  const checked = checkedPrefix(options.prefix);
  const pool = await connect(url);
  const prepared = new Set<Feed>();
  /** The latest `erasedAt` that the store knew when the next page of a feed could first be read. */
  const knownAt = new Map<Feed, string | null>();
  let place: Place;
  try {
    place = await placeOf(pool, schema, checked);
    const { feeds, views } = atOnce(options);
    if (feeds !== undefined) await prepareTables(feeds, views ? viewsOf(checked, dialectOf(place)) : []);
  } catch (error) {
    await pool.end();
    throw error;
  }

  async function prepareTables(wanted: readonly Feed[], views: readonly View[] = []): Promise<void> {
    const tables = wanted.map((feed) => feedTable(checked, feed));
    await inTransaction(pool, (client) => prepare(client, place, tables, views));
    for (const feed of wanted) prepared.add(feed);
  }

  /** Erases in the rows of our own what was erased. */
  async function erase(client: PostgresClient, erasures: readonly FeedRecords['erasures'][]): Promise<void> {
    const own = await ownNames(client, place);
    for (const clearing of erasures.flatMap(clearingsOf)) {
      const table = feedTable(checked, clearing.feed);
      if (own.has(table.name)) await clear(client, place, table, clearing);
    }
  }

  /** Stores the object of an event, unless the row is as new or newer. Returns how many rows it has written. */
  async function saveObject(
    client: PostgresClient,
    { feed, record, recordedAt }: SavedObject,
  ): Promise<number> {
    const page = { data: [record], nextCursor: '', hasMore: false };
    const { data } = clearPage(feed, page, await erasuresSince(client, feed, recordedAt));
    return upsert(client, place, feedTable(checked, feed), data, 'if newer');
  }

  const erasures = feedTable(checked, 'erasures').name;
  const hasErasures = async (client: PostgresClient): Promise<boolean> =>
    (await ownNames(client, place)).has(erasures);
  const erasuresTable = `${quoted(place.schema)}.${quoted(erasures)}`;

  /** Reads the stored erasures that rows of a feed may lack, from a time on; all of them without one. */
  async function erasuresSince(client: PostgresClient, feed: Feed, since: string | null): Promise<Erasure[]> {
    if (!ERASED_FEEDS.includes(feed) || !(await hasErasures(client))) return [];
    const { rows } = await client.query(
      `SELECT ${ERASURE_COLUMNS} FROM ${erasuresTable}
       WHERE erased_at >= coalesce($1::timestamptz, '-infinity') ORDER BY erased_at`,
      [since],
    );
    return rows.map((row) => row['erasure'] as Erasure);
  }

  /** Notes which erasures are known when the next page of a feed is read. */
  async function noteReading(feed: Feed): Promise<void> {
    if (!ERASED_FEEDS.includes(feed)) return;
    const { rows } = (await hasErasures(pool))
      ? await pool.query(`SELECT max(erased_at) AS latest FROM ${erasuresTable}`)
      : { rows: [] };
    const latest = (rows[0]?.['latest'] ?? null) as Date | null;
    knownAt.set(feed, latest && latest.toISOString());
  }

  /**
   * Makes erasures wait for pages that are being stored, and pages for erasures: otherwise neither would see the rows of the
   * other. The lock is held until the transaction ends.
   */
  async function lockForErasing(client: PostgresClient, feed: Feed): Promise<void> {
    if (feed !== 'erasures' && !ERASED_FEEDS.includes(feed)) return;
    const lock = feed === 'erasures' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    await client.query(`SELECT ${lock}(hashtext($1))`, [`deal-signals ${erasuresTable}`]);
  }

  const readState = async (name: string): Promise<string | null> => {
    const { rows } = await pool.query(`SELECT value FROM ${place.state} WHERE name = $1`, [name]);
    return (rows[0] as { value: string } | undefined)?.value ?? null;
  };
  return {
    async claimWorkspace(companyId) {
      if (prepared.size === 0) await prepareTables([]);
      await pool.query(
        `INSERT INTO ${place.state} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
        [WORKSPACE_STATE, String(companyId)],
      );
      const stored = await readState(WORKSPACE_STATE);
      if (stored !== String(companyId)) throw otherWorkspace(String(stored), companyId);
    },
    async readCursor(feed) {
      if (!prepared.has(feed)) await prepareTables([feed]);
      await noteReading(feed);
      return readState(cursorState(feed));
    },
    async savePage(save, handle) {
      const { feed } = save;
      const since = missingSince(knownAt.get(feed) ?? null);
      await inTransaction(pool, async (client) => {
        await lockForErasing(client, feed);
        await moveCursor(client, place, save);
        const page = clearPage(feed, save.page, await erasuresSince(client, feed, since));
        await upsert(client, place, feedTable(checked, feed), page.data, 'always');
        if (feed === 'erasures') await erase(client, page.data as FeedRecords['erasures'][]);
        await handle?.(client, page);
      });
      await noteReading(feed);
    },
    async saveEvent(eventId, object, handle) {
      const needed = object === null ? [] : [object.feed];
      if (prepared.size === 0 || needed.some((feed) => !prepared.has(feed))) await prepareTables(needed);
      return inTransaction(pool, async (client) => {
        if (object !== null) await lockForErasing(client, object.feed);
        // A concurrent delivery of the same event waits here.
        const { rowCount } = await client.query(
          `INSERT INTO ${place.events} (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`,
          [eventId],
        );
        if (rowCount !== 1) return 'repeated';
        await client.query(
          `DELETE FROM ${place.events} WHERE stored_at < now() - $1 * interval '1 millisecond'`,
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
  // A connection that breaks between two statements would end the process. The next statement reports it.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    failure = false;
    return result;
  } finally {
    if (!failure) client.off('error', ignore);
    // A connection that is thrown away rolls back what it did not commit.
    client.release(failure);
  }
}

async function placeOf(pool: Pool, schema: string | undefined, prefix: string): Promise<Place> {
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
    throw new Error(`PostgreSQL needs the package pg: ${howToInstall('pg')}`, { cause: error });
  }
  const pool = new module.default.Pool({ connectionString: url, application_name: 'deal-signals' });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', ignore);
  return pool;
}

function ignore(): void {}

/** How the views name the tables, and read JSON. */
function dialectOf({ schema }: Place): Dialect {
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

/** Makes tables and views, or adds what a newer version has. Writes nothing if one of them is not our own. */
async function prepare(
  client: PostgresClient,
  place: Place,
  tables: readonly Table[],
  views: readonly View[],
): Promise<void> {
  // Two programs that start at the same moment would create the same tables.
  await client.query("SELECT pg_advisory_xact_lock(hashtext('deal-signals'))");
  // Relations of all kinds, since a table can have the name of none.
  const existing = await namesIn(
    client,
    'SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1)',
    [quoted(place.schema)],
  );
  const own = existing.has(place.prefix + STATE_TABLE) ? await ownNames(client, place) : new Set<string>();
  const wanted = [...tables, ...views].map(({ name }) => name);
  refuseForeign(wanted, existing, own);
  if (!existing.has(place.prefix + STATE_TABLE)) {
    // Most may not create a schema, also not one that exists.
    const { rows } = await client.query('SELECT to_regnamespace($1) IS NULL AS missing', [
      quoted(place.schema),
    ]);
    if (rows[0]?.['missing'] === true) await client.query(`CREATE SCHEMA ${quoted(place.schema)}`);
    await client.query(`CREATE TABLE ${place.state} (name text PRIMARY KEY, value text NOT NULL)`);
    await client.query(
      `CREATE TABLE ${place.events} (id text PRIMARY KEY, stored_at timestamptz NOT NULL DEFAULT now())`,
    );
  }
  for (const table of tables) await makeTable(client, place, table, existing);
  const note = (name: string, value: string) =>
    client.query(
      `INSERT INTO ${place.state} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
      [tableState(name), value],
    );
  for (const { name } of tables) if (!own.has(name)) await note(name, 'ours');
  for (const view of views) {
    // To replace it waits for everybody who reads it.
    if (existing.has(view.name) && (await isCurrent(client, place, view))) continue;
    for (const statement of view.setup ?? []) await client.query(statement);
    // Dropping it would take along what an analyst has built on it, or fail because of that.
    await client.query(
      `CREATE OR REPLACE VIEW ${quoted(place.schema)}.${quoted(view.name)} AS ${view.query}`,
    );
    await note(view.name, definitionOf(view));
  }
}

/** The tables and views that the store has made. */
function ownNames(client: PostgresClient, { state }: Place): Promise<Set<string>> {
  return namesIn(client, `SELECT substr(name, 7) AS name FROM ${state} WHERE name LIKE 'table %'`);
}

/** Whether a view was made of the query that it is to have. */
async function isCurrent(client: PostgresClient, { state }: Place, view: View): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM ${state} WHERE name = $1 AND value = $2`, [
    tableState(view.name),
    definitionOf(view),
  ]);
  return rowCount === 1;
}

async function namesIn(client: PostgresClient, sql: string, values: unknown[] = []): Promise<Set<string>> {
  const { rows } = await client.query(sql, values);
  return new Set(rows.map((row) => (row as { name: string }).name));
}

/** Creates a table with its indexes, or adds what is missing: only that, because it waits for everybody who uses the table. */
async function makeTable(
  client: PostgresClient,
  { schema }: Place,
  { name, columns, indexes }: Table,
  existing: ReadonlySet<string>,
): Promise<void> {
  const table = `${quoted(schema)}.${quoted(name)}`;
  if (existing.has(name)) {
    const present = await namesIn(
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
 * Stores the cursor after a page, if the stored one is still that before the page. It comes first, because it locks the row:
 * another program that follows the same feed waits here, and then finds that the cursor has moved.
 */
async function moveCursor(
  client: PostgresClient,
  { state }: Place,
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

/** Inserts rows, or replaces those with the same id: always, or if these are newer. Returns how many it has written. */
async function upsert(
  client: PostgresClient,
  { schema }: Place,
  { name: table, columns, version }: Table,
  records: readonly { id: string }[],
  replaces: 'always' | 'if newer',
): Promise<number> {
  const names = columns.map(({ name }) => quoted(name));
  const rows = lastOfEach(records).map((record) =>
    Object.fromEntries(
      columns.map(({ field, name }) => [name, (record as Record<string, unknown>)[field] ?? null]),
    ),
  );
  const condition =
    replaces === 'always' ? 'true' : version === null ? 'false' : `EXCLUDED.${version} > stored.${version}`;
  // One parameter for the whole page: PostgreSQL converts each value to the type of its column.
  const { rowCount } = await client.query(
    `INSERT INTO ${quoted(schema)}.${quoted(table)} AS stored (${names.join(', ')})
     SELECT ${names.join(', ')} FROM json_to_recordset($1::json) AS record (${columns.map(definition).join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}
     WHERE ${condition}`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

/** An erasure as the API shows it, as far as it tells what to erase. */
const ERASURE_COLUMNS = `json_build_object(
  'buyerSpaceId', buyer_space_id, 'personIds', person_ids, 'distributionIds', distribution_ids,
  'engagementEventIds', engagement_event_ids, 'engagementViewIds', engagement_view_ids,
  'engagementBefore', engagement_before::text,
  'erasedAt', to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS erasure`;

/** Writes what an erasure leaves of rows. */
async function clear(
  client: PostgresClient,
  { schema }: Place,
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
