import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, or the image, is four levels above the folder of this file, in `src` and in `dist` alike. */
export const MIGRATIONS_FOLDER = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../../../prisma/migrations',
);

/** One migration as it is on disk. */
export interface Migration {
  /** The name of its folder, which begins with the time it was written. */
  name: string;
  sql: string;
}

/**
 * The names of all migrations, oldest first.
 *
 * @throws Error when there are none: code without its migrations cannot tell whether a database fits.
 */
export async function readMigrationNames(folder: string = MIGRATIONS_FOLDER): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length === 0) throw new Error(`No migrations in ${folder}`);
  return names.toSorted();
}

/** All migrations, oldest first. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = await readMigrationNames(folder);
  return Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(path.join(folder, name, 'migration.sql'), 'utf8'),
    })),
  );
}
