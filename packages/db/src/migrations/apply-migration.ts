import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { explainFailure, explainReason } from './failures.ts';
import { type PendingMigration, recordEnd, recordEndInTransaction, recordStart } from './history.ts';
import { isLockFailure, retryLocks, STATEMENT_LOCK_TIMEOUT_MS } from './lock-retries.ts';
import { setLockTimeout } from './session.ts';

export interface ApplyOptions {
  /** How long to retry until the required locks are available. */
  patienceMs: number;
  /** Called with a line for the operator. */
  say: (line: string) => void;
}

/** The first line of a migration whose single statement must not run in a transaction. */
export const OUTSIDE_A_TRANSACTION = /^-- outside a transaction\b/;
/** The index that such a statement builds. An interrupted build leaves it in place, but invalid. */
const CONCURRENT_INDEX =
  /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("?)(\w+)\1/i;
const CONCURRENTLY = /\bINDEX\s+CONCURRENTLY\b/i;

/**
 * Applies one migration and records it: in one transaction or, for one that begins with `-- outside a transaction`, so that
 * another run can continue it after an interruption.
 *
 * @throws Error with the migration, the reason and, if another run does not help, the remedy.
 */
export async function applyMigration(
  client: Client,
  migration: PendingMigration,
  { patienceMs, say }: ApplyOptions,
): Promise<void> {
  const { name, sql } = migration;
  const attempt = OUTSIDE_A_TRANSACTION.test(sql) ? runAlone : runInTransaction;
  try {
    await retryLocks(
      () => attempt(client, migration),
      patienceMs,
      (pauseMs) =>
        say(`${name}: another session holds a lock that it needs; trying again in ${pauseMs / 1_000} s`),
    );
  } catch (error) {
    throw new Error(explain(migration, error), { cause: error });
  }
}

async function runInTransaction(client: Client, migration: PendingMigration): Promise<void> {
  const id = randomUUID();
  try {
    await client.query('BEGIN');
    await recordStart(client, id, migration);
    await client.query(migration.sql);
    if (!(await recordEndInTransaction(client, id))) {
      throw new Error('it must not begin or end a transaction');
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Runs a statement that commits by itself. Its row is written first, and stays unfinished if the run is interrupted. */
async function runAlone(client: Client, migration: PendingMigration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  await recordStart(client, id, migration);
  await client.query('COMMIT');
  await dropInvalidIndex(client, migration.sql);
  // Building an index concurrently blocks no request, but waits for the transactions that were open when it began.
  await setLockTimeout(client, CONCURRENTLY.test(migration.sql) ? 0 : STATEMENT_LOCK_TIMEOUT_MS);
  try {
    await client.query(migration.sql);
  } finally {
    await setLockTimeout(client, STATEMENT_LOCK_TIMEOUT_MS);
  }
  await recordEnd(client, id);
}

/** Drops an invalid index. Otherwise `IF NOT EXISTS` would accept the remains of an interrupted build as the index. */
async function dropInvalidIndex(client: Client, sql: string): Promise<void> {
  const name = CONCURRENT_INDEX.exec(sql)?.[2];
  if (name === undefined) return;
  const quoted = client.escapeIdentifier(name);
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [quoted],
  );
  if (rowCount === 0) return;
  await setLockTimeout(client, 0);
  await client.query(`DROP INDEX CONCURRENTLY ${quoted}`);
}

function explain({ name, sql, unfinishedSince }: PendingMigration, error: unknown): string {
  if (unfinishedSince === undefined || isLockFailure(error)) {
    return explainFailure(`The migration ${name}`, sql, error);
  }
  return (
    `The migration ${name} began at ${unfinishedSince.toISOString()} and did not finish, and it cannot be applied again: ` +
    `${explainReason(sql, error)}. If all that it does is in the database, run "pnpm migrate --applied ${name}" ` +
    `(in the image: "migrate --applied ${name}"); if not, undo what it left behind and run this again`
  );
}
