import { databaseFailure } from '../database-errors.ts';
import type { Database } from '../database.ts';
import { checksumOf } from './apply-scripts.ts';
import { readMigrations, readScripts } from './schema-files.ts';

/** SQLSTATEs of a table, column, function or type that does not exist. */
const MISSING = new Set<string | undefined>(['42P01', '42703', '42883', '42704']);

/** What a process knows about the schema that its code needs. */
export interface SchemaWatch {
  /** The migrations and scripts that the database lacked when it was last asked. */
  missing: () => readonly string[];
  /** Asks the database. @returns the migrations and scripts that it lacks. */
  ask: (db: Database) => Promise<readonly string[]>;
  /** Call this with each failure of a statement. */
  notice: (error: unknown) => void;
  /**
   * Asks again if the last answer was that something is missing, or if a statement failed since because of something that the
   * schema lacks: the database may have been restored to an earlier state. Otherwise it costs nothing. A database that does
   * not respond changes nothing in what is known.
   */
  askIfInDoubt: (db: Database) => Promise<readonly string[]>;
}

/**
 * Watches whether every migration and script that this code comes with has been applied completely. Further migrations, and later
 * versions of a script, are fine: while a new version is rolled out, the old one runs on a schema that was already expanded.
 */
export function createSchemaWatch(): SchemaWatch {
  let missing: readonly string[] = [];
  let isInDoubt = false;
  async function ask(db: Database): Promise<readonly string[]> {
    // Before the query: a failure that is noticed meanwhile is a reason to ask again.
    isInDoubt = false;
    const [applied, migrations, scripts] = await Promise.all([
      readApplied(db),
      readMigrations(),
      readScripts(),
    ]);
    missing = [
      ...migrations.filter(({ name }) => !applied.has(name)),
      ...scripts.filter((script) => !applied.has(checksumOf(script))),
    ].map(({ name }) => name);
    return missing;
  }

  async function askIfInDoubt(db: Database): Promise<readonly string[]> {
    if (!isInDoubt && missing.length === 0) return missing;
    return ask(db).catch(() => {
      isInDoubt = true;
      return missing;
    });
  }
  return {
    missing: () => missing,
    ask,
    notice(error) {
      if (MISSING.has(databaseFailure(error)?.sqlState)) isInDoubt = true;
    },
    askIfInDoubt,
  };
}

/** Returns the names of the applied migrations, and the checksums of the applied scripts. */
async function readApplied(db: Database): Promise<Set<string>> {
  const [history] = await db.$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AND to_regclass('_applied_scripts') IS NOT NULL AS exists`;
  if (!history?.exists) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT migration_name AS id FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
    UNION ALL
    SELECT checksum FROM _applied_scripts`;
  return new Set(rows.map(({ id }) => id));
}
