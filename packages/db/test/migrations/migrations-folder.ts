import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** Writes a folder of migrations, by name and SQL. It is removed at the end of the test run. */
export async function migrationsFolder(migrations: Record<string, string>): Promise<string> {
  const folder = path.join(currentTestRun().folder, `migrations-${randomUUID()}`);
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, 'migration.sql'), sql);
  }
  return folder;
}
