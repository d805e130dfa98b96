import path from 'node:path';
import { Client } from 'pg';
import { REPOSITORY_ROOT } from './files/local-folder.ts';
import { runCommand } from './processes/run-command.ts';

const COMMAND = path.join(REPOSITORY_ROOT, 'packages/db/src/migrations/migrate-command.ts');
const CONNECT_TIMEOUT_MS = 10_000;
const APPLIED = /^applied (.+)$/gm;

/**
 * Applies the migrations that a database lacks, in a process of its own: the migration engine keeps timers,
 * connections and its memory until the process ends.
 *
 * @returns the names of the migrations it applied, oldest first.
 * @throws Error that says why the database cannot be reached, or with what the engine said.
 */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  await assertReachable(databaseUrl);
  const { NODE_OPTIONS: _ours, ...inherited } = process.env;
  const { exitCode, output } = await runCommand(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', COMMAND],
    { directory: REPOSITORY_ROOT, environment: { ...inherited, DATABASE_URL: databaseUrl } },
  );
  if (exitCode !== 0) throw new Error(`The database cannot be migrated:\n${output.trim()}`);
  return Array.from(output.matchAll(APPLIED), ([, name]) => name ?? '');
}

/** The engine reports a database that is away at great length and in its own terms. */
async function assertReachable(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database cannot be reached: ${(error as Error).message}`, { cause: error });
  } finally {
    await client.end();
  }
}
