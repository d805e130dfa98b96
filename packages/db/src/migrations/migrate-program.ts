import { parseArgs } from 'node:util';
import { escapeForTerminal } from '../escape-for-terminal.ts';
import { markAsApplied, migrate } from './migrate.ts';

/**
 * Runs the command that migrates a database: applies pending migrations and scripts, or with `--applied NAME` marks an unfinished
 * migration as applied. Prints what it does, and an error as one line with exit code 1.
 *
 * @param findUrl returns the URL of the database.
 */
export async function runMigrateProgram(
  args: readonly string[],
  findUrl: () => string | Promise<string>,
): Promise<void> {
  try {
    const { values } = parseArgs({ args: [...args], options: { applied: { type: 'string' } } });
    const databaseUrl = await findUrl();
    if (values.applied !== undefined) {
      await markAsApplied(databaseUrl, values.applied);
      console.log(`marked ${values.applied} as applied`);
      return;
    }
    const applied = await migrate(databaseUrl, { say: (line) => console.log(line) });
    if (applied.length === 0) console.log('nothing to apply: the database is up to date');
  } catch (error) {
    console.error(escapeForTerminal((error as Error).message));
    process.exitCode = 1;
  }
}
