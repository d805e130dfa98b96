import type { PoolConfig } from 'pg';
import { parseDatabaseUrl } from './connections/database-url.ts';
import { UnusableDatabaseError } from './database-errors.ts';

/**
 * Whether a connection URL says `pgbouncer=true`: it leads to a pooler in transaction mode, which gives each transaction
 * another session of PostgreSQL. So nothing can be prepared, unless the pooler knows how, and nothing of a session lasts.
 */
export function leadsToPooler(url: string): boolean {
  return parseDatabaseUrl(url)?.isPooled === true;
}

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
      'parameters, and see "Connection poolers" in docs/operations.md',
    { cause: thrown },
  );
}

/**
 * What a role behind a pooler should have. A pooler serves all processes with the same sessions, so the limit of statements is
 * the longest of them; each process stops waiting at its own.
 */
const TIMEOUTS = {
  statement_timeout: '60s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
};

/**
 * Checks that the time-outs of the session are there. A pooler that ignores them when a connection begins leaves them at 0,
 * which means that a statement may run, and a lock may be waited for, without end.
 *
 * @param session the settings of the session by name, and its role.
 * @throws UnusableDatabaseError with the statements that set them for the role.
 */
export function assertTimeouts(session: Record<keyof typeof TIMEOUTS | 'role', string>): void {
  const names = Object.keys(TIMEOUTS) as (keyof typeof TIMEOUTS)[];
  const missing = names.filter((name) => session[name] === '0');
  if (missing.length === 0) return;
  const statements = missing.map((name) => `ALTER ROLE ${session.role} SET ${name} = '${TIMEOUTS[name]}'`);
  throw new UnusableDatabaseError(
    `DATABASE_URL: the session has no ${missing.join(', ')}, because a pooler drops what we ask for: ` +
      `run ${statements.join('; ')}; and let the pooler connect again`,
  );
}
