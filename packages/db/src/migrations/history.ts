import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { Migration } from './schema-files.ts';

/** A row of `_prisma_migrations` that was not marked as rolled back. */
interface HistoryRow {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
}

/** A migration that has to be applied. */
export interface PendingMigration extends Migration {
  /** When an earlier run began it without finishing it. */
  unfinishedSince: Date | undefined;
}

/** The same table as Prisma's schema engine creates, column for column. */
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

const RECORD_END =
  'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1';

/** @throws Error when the database has tables but no history, so it belongs to another application. */
export async function createHistory(client: Client): Promise<void> {
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

/**
 * Returns the migrations that the history does not list as finished, oldest first, including those that are older than applied
 * ones, like Prisma.
 *
 * @throws Error when the file of an applied migration was changed.
 */
export async function findPending(
  client: Client,
  migrations: readonly Migration[],
): Promise<PendingMigration[]> {
  const rows = new Map((await readHistory(client)).map((row) => [row.name, row]));
  const pending: PendingMigration[] = [];
  for (const migration of migrations) {
    const row = rows.get(migration.name);
    if (row?.isFinished !== true) {
      pending.push({ ...migration, unfinishedSince: row?.startedAt });
    } else if (!isChecksumOf(row.checksum, migration.sql)) {
      throw new Error(
        `The migration ${migration.name} was changed after it had been applied: restore its file and write a new ` +
          'migration instead',
      );
    }
  }
  return pending;
}

async function readHistory(client: Client): Promise<HistoryRow[]> {
  const { rows } = await client.query<HistoryRow>(`
    SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS "isFinished"
    FROM _prisma_migrations
    WHERE rolled_back_at IS NULL
    ORDER BY started_at`);
  return rows;
}

/** Adds the row of a migration that begins, and marks its unfinished rows of earlier runs as rolled back. */
export async function recordStart(client: Client, id: string, { name, sql }: Migration): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = clock_timestamp()
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [id, checksumOf(sql), name],
  );
}

/**
 * Marks a migration as finished in the transaction that began it.
 *
 * @returns false if its row is from another transaction, because the script has ended this one. The row then stays unfinished.
 */
export async function recordEndInTransaction(client: Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(`${RECORD_END} AND xmin = pg_current_xact_id()::xid`, [id]);
  return rowCount === 1;
}

/** Marks a migration as finished that ran outside a transaction. */
export async function recordEnd(client: Client, id: string): Promise<void> {
  await client.query(RECORD_END, [id]);
}

/**
 * Marks an unfinished migration as finished, after an operator has verified that its changes are in the database.
 *
 * @throws Error when the history has no unfinished migration of this name.
 */
export async function recordAsApplied(client: Client, { name, sql }: Migration): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1, checksum = $2
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name, checksumOf(sql)],
  );
  if (rowCount === 0) throw new Error(`The migration ${name} is not one that began and did not finish`);
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Git may change line endings, so both forms are accepted, as by Prisma. */
function isChecksumOf(checksum: string, sql: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}
