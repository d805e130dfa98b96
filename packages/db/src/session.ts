import type { PoolConfig } from 'pg';
import { UnusableDatabaseError } from './database-errors.ts';
import { leadsToPooler } from './database-url.ts';

/**
 * The settings of every session that the results of our statements depend on. A role or a database may have others
 * (`ALTER DATABASE … SET`).
 *
 * - UTC, because the driver adapter reads a `timestamptz` as if its offset were zero, so any other time zone would silently shift every
 *   timestamp.
 * - The forms in which the drivers read and write times, bytes, numbers and lists, and PostgreSQL the texts of our statements.
 * - The schema, because Prisma names it and our own statements do not.
 */
export const SESSION = {
  timezone: 'UTC',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  search_path: 'public',
};

/**
 * What a connection asks for when it begins. Without `jit=off`, a server with LLVM compiles a statement that the planner thinks
 * expensive, each time it is executed: 700 ms for a page with `since` of a million events, which is then read in 2. The planner cannot
 * tell that it stops after a page.
 */
export const SESSION_OPTIONS = Object.entries({ ...SESSION, jit: 'off' })
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/**
 * Leaves out what a pooler refuses: settings of the session that are sent when a connection begins. The role of the
 * connection has to have them instead, and `assertSession` checks that.
 */
export function withoutSessionSettings(url: string, config: PoolConfig): PoolConfig {
  if (!leadsToPooler(url)) return config;
  const {
    statement_timeout: _statement,
    lock_timeout: _lock,
    idle_in_transaction_session_timeout: _idle,
    options: _options,
    ...rest
  } = config;
  return rest;
}

/** How PgBouncer refuses a connection that sends settings of the session. */
const REFUSED_PARAMETER = /unsupported startup parameter/;

/** What to tell the operator if a pooler refuses our connections; undefined for every other error. */
export function explainPoolerRefusal(thrown: unknown): UnusableDatabaseError | undefined {
  // The message of Prisma contains that of the driver.
  if (!(thrown instanceof Error) || !REFUSED_PARAMETER.test(thrown.message)) return undefined;
  return new UnusableDatabaseError(
    'DATABASE_URL: it leads to PgBouncer, which refuses the settings of our sessions: add pgbouncer=true to its ' +
      'parameters, and see "Connection poolers" in docs/operators/operations.md',
    { cause: thrown },
  );
}
