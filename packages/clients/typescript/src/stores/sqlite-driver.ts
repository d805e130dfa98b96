import { installHint } from './install.ts';

/** A value that every driver can bind. */
export type SqliteValue = string | number | null;

/** The methods of a prepared statement that all drivers share. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** The methods of an open database that all drivers share. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** Methods that only some drivers have: the first two are from `node:sqlite` since Node.js 22.16, the others from libsql. */
interface DriverStatement extends SqliteStatement {
  setReadBigInts?(enabled: boolean): unknown;
  setReturnArrays?(enabled: boolean): unknown;
  safeIntegers?(enabled: boolean): unknown;
  raw?(enabled: boolean): unknown;
  columns?(): { name: string }[];
}

/**
 * Reads all rows of a statement exactly: integers as bigint, and columns with the same name separately. Before Node.js 22.16,
 * only the last column of a name is returned.
 */
export function readExactly(statement: SqliteStatement): { columns: string[]; rows: unknown[][] } {
  const driver: DriverStatement = statement;
  driver.setReadBigInts?.(true);
  driver.safeIntegers?.(true);
  driver.setReturnArrays?.(true);
  driver.raw?.(true);
  const rows = driver.all() as object[];
  if (driver.columns !== undefined && rows.every(Array.isArray)) {
    return { columns: driver.columns().map(({ name }) => name), rows };
  }
  return { columns: Object.keys(rows[0] ?? {}), rows: rows.map((row) => Object.values(row)) };
}

/**
 * Prepares a statement that writes. `node:sqlite` reports the id of the last inserted row after each run. From Node.js 26 on it
 * throws if that id does not fit into a number, and ids of events can have 18 digits.
 */
export function prepareWrite(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement: DriverStatement = database.prepare(sql);
  statement.setReadBigInts?.(true);
  return statement;
}

type Open = new (file: string) => SqliteDatabase;

/**
 * The drivers, in order of preference. Node.js includes SQLite since version 22.13 (behind a flag in earlier versions of 22).
 * For older versions, the package libsql has the same API, and its binaries come from the package registry. better-sqlite3 has
 * the same API too, but for Node.js 20 it is compiled during installation, or downloaded from elsewhere.
 */
const DRIVERS: { name: string; constructorIn: (module: Record<string, unknown>) => unknown }[] = [
  { name: 'node:sqlite', constructorIn: ({ DatabaseSync }) => DatabaseSync },
  { name: 'libsql', constructorIn: (module) => module['default'] },
];

/**
 * Opens a SQLite file, which is created if it does not exist.
 *
 * @throws Error if no SQLite driver is available, or the file cannot be opened.
 */
export async function openSqlite(file: string): Promise<SqliteDatabase> {
  for (const { name, constructorIn } of DRIVERS) {
    const module = await importIfThere(name);
    if (module !== null) return new (constructorIn(module) as Open)(file);
  }
  throw new Error(
    `Node.js ${process.versions.node} has no SQLite, as 22.13 and newer have: ${installHint('libsql')}`,
  );
}

/** Imports a module, or returns null if it is missing, or not built for this version of Node.js. */
async function importIfThere(name: string): Promise<Record<string, unknown> | null> {
  // Node.js 22 to 25 warn when `node:sqlite` is first loaded. Users of the command do not need that warning.
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
