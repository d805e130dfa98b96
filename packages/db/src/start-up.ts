import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, messageOfDatabase, UnusableDatabaseError } from './database-errors.ts';
import { assertSession, type Database } from './database.ts';
import { readMigrationNames } from './migrations/migration-files.ts';

export interface StartUpOptions {
  /** What else this app needs to be right. It throws UnusableDatabaseError when that is wrong. */
  check: (db: Database) => Promise<void>;
  /** Called with the reason each time the database is unavailable, before the next try. */
  onWaiting: (reason: unknown) => void;
  /** Ends the wait at once, whatever it is waiting for. */
  signal: AbortSignal;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** The pause before the next try. It grows, so that a long outage does not flood the log. */
export function nextPauseMs(pauseMs: number | undefined): number {
  return pauseMs === undefined ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
}

/**
 * Waits for a database that is unavailable, and checks it as soon as it responds: its session settings, its migrations,
 * and what the app checks itself.
 *
 * @throws UnusableDatabaseError when the database responds and a check fails; the reason of `signal` when that comes
 *   first.
 */
export async function untilDatabaseIsUsable(
  db: Database,
  { check, onWaiting, signal }: StartUpOptions,
): Promise<void> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const checkAll = async () => {
    await assertSession(db);
    await assertMigrated(db);
    await check(db);
  };
  for (let pauseMs: number | undefined; ;) {
    try {
      return await Promise.race([aborted, checkAll()]);
    } catch (error) {
      signal.throwIfAborted();
      if (!isDatabaseUnavailable(error)) throw asUnusable(error);
      onWaiting(error);
    }
    pauseMs = nextPauseMs(pauseMs);
    await sleep(pauseMs, undefined, { signal });
  }
}

/** A check that PostgreSQL refuses, for example for a missing privilege, needs somebody to mend the database as well. */
function asUnusable(error: unknown): unknown {
  const message = messageOfDatabase(error);
  return message === undefined
    ? error
    : new UnusableDatabaseError(`DATABASE_URL: the database cannot be checked: ${message}`, { cause: error });
}

/**
 * Checks that every migration this code comes with has been applied completely. Further ones are fine: while a new
 * version is rolled out, the old one runs on a schema that was already expanded.
 *
 * @throws UnusableDatabaseError that names the missing migrations; database errors pass through.
 */
async function assertMigrated(db: Database): Promise<void> {
  const known = await readMigrationNames();
  const applied = new Set(await readApplied(db));
  const missing = known.filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  throw new UnusableDatabaseError(
    `DATABASE_URL: the database is not migrated, it lacks ${missing.join(', ')}: ` +
      'run "pnpm migrate", or the migrate image of this version',
  );
}

async function readApplied(db: Database): Promise<string[]> {
  const [history] = await db.$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`;
  if (!history?.exists) return [];
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  return rows.map(({ name }) => name);
}
