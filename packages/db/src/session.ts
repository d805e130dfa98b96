import type { PoolConfig } from 'pg';
import { UnusableDatabaseError } from './database-errors.ts';
import { leadsToPooler } from './database-url.ts';

/**
 * The session settings that the results of statements depend on. A role or a database may have others (`ALTER DATABASE … SET`).
 * - UTC, because the driver adapter reads a `timestamptz` as if its offset were zero, so any other time zone would silently shift
 *   every timestamp.
 * - The formats in which the drivers read and write times, bytes, numbers and lists, and in which PostgreSQL reads the texts of
 *   the statements.
 * - The schema, because Prisma qualifies its names and the statements of this repository do not.
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
 * The settings that a connection requests when it begins. Without `jit=off`, a server with LLVM compiles each statement that the
 * planner considers expensive, at each execution: 700 ms for a page with `since` of a million events, which then takes 2 ms to
 * read. The planner cannot know that the scan stops after a page.
 */
export const SESSION_OPTIONS = Object.entries({ ...SESSION, jit: 'off' })
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/**
 * Removes what a pooler rejects: session settings that are sent when a connection begins. The role of the connection needs them
 * instead, and `assertSession` checks that.
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

/** PgBouncer's error for a connection that sends session settings. */
const REFUSED_PARAMETER = /unsupported startup parameter/;

/** Returns the message for the operator if a pooler rejects our connections; undefined for every other error. */
export function explainPoolerRefusal(thrown: unknown): UnusableDatabaseError | undefined {
  // The message of Prisma contains that of the driver.
  if (!(thrown instanceof Error) || !REFUSED_PARAMETER.test(thrown.message)) return undefined;
  return new UnusableDatabaseError(
    'DATABASE_URL: it leads to PgBouncer, which rejects the settings of our sessions: add pgbouncer=true to its ' +
      'parameters, and see "Connection poolers" in docs/operators/operations.md',
    { cause: thrown },
  );
}
