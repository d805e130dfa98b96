import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with `migrations` and `sql`. The checkout, or the image, is four levels above the folder of this file, in `src` and
 * in `dist` alike.
 */
export const PRISMA_FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../../prisma');

/** A change of tables, indexes or constraints, as stored in its file. It is applied once. */
export interface Migration {
  /** The name of its folder, which begins with the time it was written. */
  name: string;
  sql: string;
}

/** A file that creates functions, views, triggers or rights. It is applied again whenever it has changed. */
export interface SchemaScript {
  /** The name of the file. */
  name: string;
  /** The text with Unix line endings, which Git may have changed in the file. */
  sql: string;
}

/** A line of a script with the scripts that must be applied before it: `-- after: people.sql, roll-ups.sql`. */
const AFTER = /^-- after: (.+)$/m;

/**
 * Reads all migrations, oldest first.
 *
 * @param folder contains `migrations`, with a folder for each and in it `migration.sql`.
 * @throws Error when there are none, because code without its migrations cannot check a database.
 */
export async function readMigrations(folder: string = PRISMA_FOLDER): Promise<Migration[]> {
  const parent = path.join(folder, 'migrations');
  const entries = await readdir(parent, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length === 0) throw new Error(`No migrations in ${parent}`);
  return Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      sql: await readFile(path.join(parent, name, 'migration.sql'), 'utf8'),
    })),
  );
}

/**
 * Reads all scripts in the order in which they can be applied.
 *
 * @param folder contains `sql`, with a file for each.
 * @throws Error when a script names one that does not exist, or when scripts depend on each other in a cycle.
 */
export async function readScripts(folder: string = PRISMA_FOLDER): Promise<SchemaScript[]> {
  const parent = path.join(folder, 'sql');
  const files = (await readdir(parent)).filter((file) => file.endsWith('.sql')).toSorted();
  const scripts = await Promise.all(
    files.map(async (name) => ({
      name,
      sql: (await readFile(path.join(parent, name), 'utf8')).replaceAll('\r\n', '\n'),
    })),
  );
  return inOrder(scripts);
}

/** Sorts scripts so that each comes after its dependencies, and otherwise by name. */
function inOrder(scripts: readonly SchemaScript[]): SchemaScript[] {
  const byName = new Map(scripts.map((script) => [script.name, script]));
  const sorted = new Set<SchemaScript>();
  const add = (script: SchemaScript, above: readonly string[]): void => {
    if (above.includes(script.name)) {
      throw new Error(`Scripts come after each other: ${[...above, script.name].join(', ')}`);
    }
    for (const name of AFTER.exec(script.sql)?.[1]?.split(/, */) ?? []) {
      const earlier = byName.get(name);
      if (earlier === undefined) throw new Error(`${script.name} comes after ${name}, which does not exist`);
      add(earlier, [...above, script.name]);
    }
    sorted.add(script);
  };
  for (const script of scripts) add(script, []);
  return [...sorted];
}
