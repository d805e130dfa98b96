import { howToInstall } from './install.ts';

/** A value that every driver can bind. */
export type SqliteValue = string | number | null;

/** A prepared statement, as far as all drivers agree. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** An open database, as far as all drivers agree. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

type Open = new (file: string) => SqliteDatabase;

/**
 * Where SQLite comes from: Node has it since version 22.13 (earlier ones of 22 behind a flag). Before that, the package libsql
 * has the same functions, and its binaries come from the package registry. better-sqlite3 has the same functions too, but its
 * versions for Node 20 are compiled when they are installed, or downloaded from elsewhere.
 */
const DRIVERS: { name: string; constructorIn: (module: Record<string, unknown>) => unknown }[] = [
  { name: 'node:sqlite', constructorIn: ({ DatabaseSync }) => DatabaseSync },
  { name: 'libsql', constructorIn: (module) => module['default'] },
];

/**
 * Opens a SQLite file, which is created if it does not exist.
 *
 * @throws Error if this machine has no SQLite for Node, or the file cannot be opened.
 */
export async function openSqlite(file: string): Promise<SqliteDatabase> {
  for (const { name, constructorIn } of DRIVERS) {
    const module = await importIfThere(name);
    if (module !== null) return new (constructorIn(module) as Open)(file);
  }
  throw new Error(
    `Node.js ${process.versions.node} has no SQLite, as 22.13 and newer have: ${howToInstall('libsql')}`,
  );
}

/** Imports a module, or returns null if it is not there, or not built for this Node. */
async function importIfThere(name: string): Promise<Record<string, unknown> | null> {
  // Node 22 to 25 warn about `node:sqlite` when it is first loaded. For somebody who runs a command, that is noise.
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) warn(warning, ...rest);
  };
  try {
    return (await import(name)) as Record<string, unknown>;
  } catch {
    return null;
  } finally {
    process.emitWarning = warn;
  }
}
