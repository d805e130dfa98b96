import { type Client, DatabaseError } from 'pg';
import { applyMigration } from './apply-migration.ts';
import { applyScripts, createScriptHistory } from './apply-scripts.ts';
import { createHistory, findPending, recordAsApplied } from './history.ts';
import { STATEMENT_LOCK_TIMEOUT_MS } from './lock-retries.ts';
import { PRISMA_FOLDER, readMigrations, readScripts } from './schema-files.ts';
import { connect, setLockTimeout, setUpSession, takeLock } from './session.ts';

export interface MigrateOptions {
  /** The folder with `migrations` and `sql`. */
  folder?: string;
  /** How long to wait for another migration of the same database to end. */
  lockTimeoutMs?: number;
  /** How long to retry each migration, and the scripts, until the required locks are available. */
  patienceMs?: number;
  /** Called with a line for the operator when something was applied or has to wait. */
  say?: (line: string) => void;
}

const LOCK_TIMEOUT_MS = 60_000;
/** Longer than reports and backups of a few minutes. After that, an operator should find the session that holds the lock. */
const PATIENCE_MS = 600_000;

/**
 * Applies every pending migration, each in one transaction together with its row in `_prisma_migrations`, so a run that fails or
 * is killed leaves no half-applied migration behind. A migration that cannot run in a transaction begins with `-- outside a
 * transaction`; the next run continues it. Then applies the scripts that have changed. Several runs at once are safe. The table
 * is the one of `prisma migrate`, so Prisma's own commands can take over the migrations at any time. They do not apply the
 * scripts.
 *
 * No statement waits longer than a second for a lock, because requests would queue up behind it. The migration is retried after a
 * pause instead.
 *
 * @returns the names of the migrations and scripts it applied, in this order.
 * @throws Error with one sentence about why the database cannot be reached or migrated.
 */
export async function migrate(
  databaseUrl: string,
  { folder = PRISMA_FOLDER, lockTimeoutMs = LOCK_TIMEOUT_MS, patienceMs, say }: MigrateOptions = {},
): Promise<string[]> {
  const [migrations, scripts] = await Promise.all([readMigrations(folder), readScripts(folder)]);
  const options = { patienceMs: patienceMs ?? PATIENCE_MS, say: say ?? (() => {}) };
  return alone(databaseUrl, lockTimeoutMs, async (client) => {
    await createHistory(client);
    await createScriptHistory(client);
    const pending = await findPending(client, migrations);
    for (const migration of pending) {
      await applyMigration(client, migration, options);
      options.say(`applied ${migration.name}`);
    }
    const changed = await applyScripts(client, scripts, options);
    for (const name of changed) options.say(`applied ${name}`);
    return [...pending.map(({ name }) => name), ...changed];
  });
}

/**
 * Marks an unfinished migration as applied. Only an operator can verify that its changes are in the database; `migrate` detects
 * all other cases itself.
 *
 * @throws Error when there is no such migration, or as `migrate` does.
 */
export async function markAsApplied(
  databaseUrl: string,
  name: string,
  { folder = PRISMA_FOLDER, lockTimeoutMs = LOCK_TIMEOUT_MS }: MigrateOptions = {},
): Promise<void> {
  const migration = (await readMigrations(folder)).find((one) => one.name === name);
  if (migration === undefined) throw new Error(`There is no migration ${name}`);
  await alone(databaseUrl, lockTimeoutMs, (client) => recordAsApplied(client, migration));
}

/** Runs work in a session that holds the lock of migrations. */
async function alone<T>(
  databaseUrl: string,
  lockTimeoutMs: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(databaseUrl);
  try {
    await setUpSession(client);
    await takeLock(client, lockTimeoutMs);
    await setLockTimeout(client, STATEMENT_LOCK_TIMEOUT_MS);
    return await work(client);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new Error(`The database cannot be migrated: ${error.message}`, { cause: error });
  } finally {
    await client.end();
  }
}
