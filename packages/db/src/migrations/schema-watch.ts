import { databaseFailure } from '../database-errors.ts';
import type { Database } from '../database.ts';
import { checksumOf } from './apply-scripts.ts';
import { readMigrations, readScripts } from './schema-files.ts';

/** SQLSTATEs of a table, column, function or type that does not exist. */
const MISSING = new Set<string | undefined>(['42P01', '42703', '42883', '42704']);

/** Tracks whether the database has the schema that the code needs. */
export interface SchemaWatch {
  /** Returns the migrations and scripts that the database lacked at the last check. */
  missing: () => readonly string[];
  /** Checks the database. @returns the migrations and scripts that it lacks. */
  ask: (db: Database) => Promise<readonly string[]>;
  /** Records a failure of a statement. Call it with each one. */
  notice: (error: unknown) => void;
  /**
   * Checks again if something was missing at the last check, or if a statement failed since because a schema object is missing:
   * the database may have been restored to an earlier state. Otherwise it costs nothing. If the database does not respond, the
   * last result stays.
   */
  askIfInDoubt: (db: Database) => Promise<readonly string[]>;
}

/**
 * Creates a watch that checks whether every migration and script of this code has been applied completely. Additional migrations
 * and later versions of a script are fine: while a new version is rolled out, the old one runs on a schema that was already
 * expanded.
 */
export function createSchemaWatch(): SchemaWatch {
  let missing: readonly string[] = [];
  let isInDoubt = false;
  async function ask(db: Database): Promise<readonly string[]> {
    // Before the query, so that a failure during the query causes another check.
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
