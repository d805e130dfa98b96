import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure, UnmigratedDatabaseError, UnusableDatabaseError } from './database-errors.ts';
import type { Database } from './database.ts';
import type { SchemaWatch } from './migrations/schema-watch.ts';
import { explainPoolerRefusal, SESSION } from './session.ts';

export interface StartUpOptions {
  /** Checks the further requirements of this app. Throws UnusableDatabaseError if one is not met. */
  check: (db: Database) => Promise<void>;
  /** Reports which migrations are missing. */
  schema: SchemaWatch;
  /** Called with the reason each time the database is unavailable or lacks migrations, before the next attempt. */
  onWaiting: (reason: unknown) => void;
  /** Ends the wait immediately in every state. */
  signal: AbortSignal;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Returns the pause before the next attempt. It grows, so that a long outage does not flood the log. */
export function nextPauseMs(pauseMs: number | undefined): number {
  return pauseMs === undefined ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
}

/**
 * Waits for a database that is unavailable or not migrated yet, and checks it as soon as it responds: its session settings, its
 * migrations, the required extensions, and the requirements of the app.
 *
 * @throws UnusableDatabaseError when the database responds and a check fails; the reason of `signal` when that is aborted first.
 */
export async function untilDatabaseIsUsable(
  db: Database,
  { check, schema, onWaiting, signal }: StartUpOptions,
): Promise<void> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const checkAll = async () => {
    await assertSession(db);
    await assertMigrated(db, schema);
    await assertExtensions(db);
    await check(db);
  };
  for (let pauseMs: number | undefined; ;) {
    try {
      return await Promise.race([aborted, checkAll()]);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = explainPoolerRefusal(error);
      if (refusal !== undefined) throw refusal;
      const isWorthWaiting =
        error instanceof UnmigratedDatabaseError || databaseFailure(error)?.isTemporary === true;
      if (!isWorthWaiting) throw asUnusable(error);
      onWaiting(error);
    }
    pauseMs = nextPauseMs(pauseMs);
    await sleep(pauseMs, undefined, { signal });
  }
}

/** A check that PostgreSQL rejects, for example for a missing privilege, also requires a change of the database by an operator. */
function asUnusable(error: unknown): unknown {
  const failure = databaseFailure(error);
  return failure === undefined
    ? error
    : new UnusableDatabaseError(`DATABASE_URL: the database cannot be checked: ${failure.message}`, {
        cause: error,
      });
}

/** @throws UnmigratedDatabaseError with the missing migrations; database errors pass through. */
async function assertMigrated(db: Database, schema: SchemaWatch): Promise<void> {
  const missing = await schema.ask(db);
  if (missing.length === 0) return;
  throw new UnmigratedDatabaseError(
    `the database is not migrated, it lacks ${missing.join(', ')}: ` +
      'run "pnpm migrate", or the migrate image of this version',
  );
}

/**
 * The extensions that the search by name needs. The first migration creates them, but a restore or an upgrade may have omitted
 * them.
 */
const EXTENSIONS = ['btree_gin', 'pg_trgm'];

/** @throws UnusableDatabaseError with the missing extensions; database errors pass through. */
async function assertExtensions(db: Database): Promise<void> {
  const [row] = await db.$queryRaw<{ missing: string[] | null }[]>`
    SELECT array_agg(quote_ident(name)) AS missing FROM unnest(${EXTENSIONS}::text[]) AS n (name)
    WHERE name NOT IN (SELECT extname FROM pg_extension)`;
  const missing = row?.missing ?? [];
  if (missing.length === 0) return;
  const statements = missing.map((name) => `CREATE EXTENSION ${name}`);
  throw new UnusableDatabaseError(
    `DATABASE_URL: the database has no extension ${missing.join(', ')}, which the search needs: ` +
      `run ${statements.join('; ')} as a role that may create something in the database`,
  );
}

/**
 * The timeouts that a role behind a pooler should have. A pooler serves all processes with the same sessions, so the statement
 * timeout is the longest of theirs; each process stops waiting at its own.
 */
const TIMEOUTS = {
  statement_timeout: '60s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
};

/**
 * Checks that the session has timeouts. A pooler that ignores them when a connection begins leaves them at 0, which lets a
 * statement run, or wait for a lock, without limit.
 *
 * @param session the settings of the session by name, and its role.
 * @throws UnusableDatabaseError with the statements that set them for the role.
 */
function assertTimeouts(session: Record<keyof typeof TIMEOUTS | 'role', string>): void {
  const names = Object.keys(TIMEOUTS) as (keyof typeof TIMEOUTS)[];
  const missing = names.filter((name) => session[name] === '0');
  if (missing.length === 0) return;
  const statements = missing.map((name) => `ALTER ROLE ${session.role} SET ${name} = '${TIMEOUTS[name]}'`);
  throw new UnusableDatabaseError(
    `DATABASE_URL: the session has no ${missing.join(', ')}, because a pooler drops what we ask for: ` +
      `run ${statements.join('; ')}; and let the pooler connect again`,
  );
}

/** Settings that only a superuser may change, so connections do not request them. Without `origin`, no trigger fires. */
const PRIVILEGED = { session_replication_role: 'origin' };

const REQUIRED = { ...SESSION, ...PRIVILEGED };

/** The titles of settings in messages, where they differ from the names. */
const TITLES: Partial<Record<string, string>> = {
  timezone: 'the session time zone',
  default_transaction_isolation: 'the isolation level',
};

/** Values that are equivalent to the required one. All other values must be equal to it. */
const EQUIVALENT: Partial<Record<string, (value: string) => boolean>> = {
  // The second part is the order of day and month in input, which no statement depends on.
  datestyle: (value) => value.startsWith('ISO,'),
  extra_float_digits: (value) => Number(value) >= 1,
  synchronous_commit: (value) => value !== 'off',
};

/**
 * Checks the session settings that correctness depends on.
 *
 * @throws UnusableDatabaseError with the wrong setting; database errors pass through.
 */
export async function assertSession(db: Database): Promise<void> {
  const names = [...Object.keys(REQUIRED), ...Object.keys(TIMEOUTS)];
  const rows = await db.$queryRaw<{ name: string; value: string; schema: string | null; role: string }[]>`
    SELECT name, current_setting(name) AS value, current_schema()::text AS schema, quote_ident(current_user) AS role
    FROM unnest(${names}::text[]) AS n (name)`;
  const session = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  const [{ schema, role } = { schema: null, role: '' }] = rows;
  for (const [name, required] of Object.entries(REQUIRED)) {
    const value = session[name] ?? '';
    // A schema that does not exist, such as one with the role's name, may come first.
    const isRight = name === 'search_path' ? schema === required : isAsRequired(name, value, required);
    if (isRight) continue;
    const problem = name === 'synchronous_commit' ? 'must not be off' : `must be ${required}, not ${value}`;
    throw new UnusableDatabaseError(`DATABASE_URL: ${TITLES[name] ?? name} ${problem}`);
  }
  assertTimeouts({ ...session, role } as Parameters<typeof assertTimeouts>[0]);
}

function isAsRequired(name: string, value: string, required: string): boolean {
  return EQUIVALENT[name]?.(value) ?? value === required;
}
