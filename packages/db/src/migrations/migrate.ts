import { createHash, randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { type Migration, MIGRATIONS_FOLDER, readMigrations } from './migration-files.ts';

export interface MigrateOptions {
  /** Holds a folder for each migration, with its `migration.sql`. */
  folder?: string;
  /** How long to wait for another migration of the same database to end. */
  lockTimeoutMs?: number;
}

/** A row of `_prisma_migrations` that was not marked as rolled back. */
interface HistoryRow {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
}

/** The advisory lock that Prisma's schema engine takes, so that its commands and ours exclude each other. */
const LOCK_ID = 72_707_369;
const LOCK_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Statements that need a locked table queue up behind a migration that waits for it, so the migration gives up before
 * requests time out. It can simply be run again.
 */
const STATEMENT_LOCK_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_DELAY_MS = 10_000;
/** SQLSTATE of a wait that `lock_timeout` ended. */
const LOCK_NOT_AVAILABLE = '55P03';

/** What Prisma's schema engine creates, column for column. */
const CREATE_HISTORY = `
  CREATE TABLE _prisma_migrations (
    id                  varchar(36) PRIMARY KEY,
    checksum            varchar(64) NOT NULL,
    finished_at         timestamptz,
    migration_name      varchar(255) NOT NULL,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

/**
 * Applies every migration that the database lacks, each in one transaction together with its row in
 * `_prisma_migrations`: a run that fails or is killed leaves no half-applied migration behind. Safe to run several times
 * at once. The table is the one of `prisma migrate`, so Prisma's own commands can take over at any time.
 *
 * Needs a session of its own on the server; a transaction pooler cannot carry the lock.
 *
 * @returns the names of the migrations it applied, oldest first.
 * @throws Error that says in one sentence why the database cannot be reached or migrated.
 */
export async function migrate(
  databaseUrl: string,
  { folder = MIGRATIONS_FOLDER, lockTimeoutMs = LOCK_TIMEOUT_MS }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await connect(databaseUrl);
  try {
    await setUpSession(client);
    await takeLock(client, lockTimeoutMs);
    await createHistory(client);
    const pending = pendingOf(migrations, await readHistory(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new Error(`The database cannot be migrated: ${error.message}`, { cause: error });
  } finally {
    // The lock belongs to the session and ends with it.
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'deal-signals-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  // A lost connection rejects the query that is running; without a listener it would end the process as well.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw new Error(`The database cannot be reached: ${connectionProblem(error)}`, { cause: error });
  }
}

/** What went wrong with a connection. A host name with several addresses fails with an error for each, and no message. */
export function connectionProblem(error: unknown): string {
  const { message, errors } = error as Partial<AggregateError>;
  return Array.isArray(errors) ? errors.map(connectionProblem).join('; ') : String(message);
}

/** Overrides what the URL, the role or the database may set. */
async function setUpSession(client: Client): Promise<void> {
  await client.query(`
    SET timezone = 'UTC';
    SET default_transaction_isolation = 'read committed';
    SET synchronous_commit = 'on';
    SET statement_timeout = 0`);
}

async function takeLock(client: Client, timeoutMs: number): Promise<void> {
  await setLockTimeout(client, timeoutMs);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_ID]);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      `Another migration of this database still runs after ${timeoutMs / 1_000} s: wait for it to end, then try again`,
      { cause: error },
    );
  }
  await setLockTimeout(client, STATEMENT_LOCK_TIMEOUT_MS);
}

async function setLockTimeout(client: Client, timeoutMs: number): Promise<void> {
  await client.query(`SELECT set_config('lock_timeout', $1, false)`, [String(timeoutMs)]);
}

/** @throws Error when the database has tables but no history: it belongs to something else. */
async function createHistory(client: Client): Promise<void> {
  const { rows } = await client.query<{ hasHistory: boolean; isEmpty: boolean }>(`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "hasHistory",
           NOT EXISTS (
             SELECT FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
               AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
           ) AS "isEmpty"`);
  if (rows[0]?.hasHistory) return;
  if (!rows[0]?.isEmpty) {
    throw new Error(
      'The database has tables but no migration history (_prisma_migrations): use an empty one',
    );
  }
  await client.query(CREATE_HISTORY);
}

async function readHistory(client: Client): Promise<HistoryRow[]> {
  const { rows } = await client.query<HistoryRow>(`
    SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS "isFinished"
    FROM _prisma_migrations
    WHERE rolled_back_at IS NULL
    ORDER BY started_at`);
  return rows;
}

/** The migrations without a row, oldest first, wherever they stand among the applied ones: as Prisma does it. */
function pendingOf(migrations: readonly Migration[], history: readonly HistoryRow[]): Migration[] {
  const failed = history.find(({ isFinished }) => !isFinished);
  if (failed !== undefined) {
    throw new Error(
      `The migration ${failed.name} began at ${failed.startedAt.toISOString()} and did not finish: undo what it left ` +
        `behind, then run "prisma migrate resolve --rolled-back ${failed.name}"`,
    );
  }
  const checksums = new Map(history.map(({ name, checksum }) => [name, checksum]));
  return migrations.filter(({ name, sql }) => {
    const applied = checksums.get(name);
    if (applied !== undefined && !isChecksumOf(applied, sql)) {
      throw new Error(
        `The migration ${name} was changed after it had been applied: restore its file and write a new migration instead`,
      );
    }
    return applied === undefined;
  });
}

async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
       VALUES ($1, $2, $3, clock_timestamp())`,
      [id, checksumOf(sql), name],
    );
    await client.query(sql);
    // The row is from another transaction if the script has ended ours. It stays unfinished then, so that the next run
    // refuses to continue.
    const { rowCount } = await client.query(
      `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
       WHERE id = $1 AND xmin = pg_current_xact_id()::xid`,
      [id],
    );
    if (rowCount !== 1) throw new Error('it must not begin or end a transaction');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new Error(`The migration ${name} failed: ${(error as Error).message}${lineOf(error, sql)}`, {
      cause: error,
    });
  }
}

/** Where in the script PostgreSQL saw an error, if it says so. */
function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError) || error.position === undefined) return '';
  const before = Array.from(sql).slice(0, Number(error.position) - 1);
  return ` (line ${before.filter((character) => character === '\n').length + 1})`;
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Git may change line endings, so Prisma takes either form, and so do we. */
function isChecksumOf(checksum: string, sql: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}
