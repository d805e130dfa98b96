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

/** What the drivers have further: `node:sqlite` the first two, from Node.js 22.16 on, and libsql the others. */
interface DriverStatement extends SqliteStatement {
  setReadBigInts?(enabled: boolean): unknown;
  setReturnArrays?(enabled: boolean): unknown;
  safeIntegers?(enabled: boolean): unknown;
  raw?(enabled: boolean): unknown;
  columns?(): { name: string }[];
}

/**
 * Reads all rows of a statement exactly: integers as bigint, and columns with the same name one by one, except on Node.js before
 * 22.16, where the last of them counts.
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
 * Prepares a statement that writes. `node:sqlite` reports the id of the last inserted row with each, and from Node.js 26 on it throws if
 * that does not fit into a number: the ids of events can have 18 digits.
 */
export function prepareWrite(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement: DriverStatement = database.prepare(sql);
  statement.setReadBigInts?.(true);
  return statement;
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
  // Node 22 to 25 warn about `node:sqlite` when it is first loaded. For the user of a command, that is noise.
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
