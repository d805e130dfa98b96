import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/**
 * Writes a folder with migrations and scripts, by name and SQL. It is removed at the end of the test run.
 *
 * @returns the folder for `migrate`.
 */
export async function schemaFolder(
  migrations: Record<string, string>,
  scripts: Record<string, string> = {},
): Promise<string> {
  const folder = path.join(currentTestRun().folder, `schema-${randomUUID()}`);
  await mkdir(path.join(folder, 'sql'), { recursive: true });
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, 'migrations', name), { recursive: true });
    await writeFile(path.join(folder, 'migrations', name, 'migration.sql'), sql);
  }
  for (const [name, sql] of Object.entries(scripts)) await writeFile(path.join(folder, 'sql', name), sql);
  return folder;
}
