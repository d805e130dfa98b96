import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { createPool } from './connections/pool.ts';
import { isReadOnlyServer, isStalePreparedStatement, UnusableDatabaseError } from './database-errors.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { assertTimeouts, leadsToPooler, withoutSessionSettings } from './pooler.ts';
import { readBy } from './read-rows.ts';
import { createStatementNames } from './statement-names.ts';
import { watchFailures } from './watched-adapter.ts';

/** A Prisma client over one bounded pool. */
export type Database = PrismaClient;

/** The client inside an interactive transaction. */
export type Transaction = Prisma.TransactionClient;

/** Runs queries, outside or inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  /**
   * PostgreSQL connection URL. It may name several hosts, of which each new connection uses the one that accepts writes. With
   * `pgbouncer=true`, no statement is prepared, for poolers in transaction mode that cannot carry prepared statements.
   */
  url: string;
  /** Maximum number of connections of this process. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** The server cancels a statement that runs longer. */
  statementTimeoutMs: number;
  /** A longer wait for a connection is an error, so that waiting statements do not pile up; 5 seconds by default. */
  acquireTimeoutMs?: number;
  /** If another session holds a row lock for this long, that is a fault, not contention; 10 seconds by default. */
  lockTimeoutMs?: number;
  /**
   * Whether each statement keeps the plan that it gets when it is prepared, which is then one for any parameters. Otherwise
   * PostgreSQL plans most statements again for each execution, which can take longer than the execution. For a process whose
   * statements all find rows by whole keys, whatever the parameters are.
   */
  keepPlans?: boolean;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void;
  /** Called when a statement fails or no connection is available for it. The caller of the statement gets the error, too. */
  onFailure?: (error: unknown) => void;
}

/** The used and idle connections of a process, and the number of statements waiting for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

const poolOf = new WeakMap<Database, Pool>();
/** One connection a process, for `askAlone`. */
const probePoolOf = new WeakMap<Database, Pool>();

const ACQUIRE_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 10_000;
/**
 * How much longer than the server's own limit a client waits for a statement. A working server cancels the statement
 * first; the client's limit catches a server that hangs and a network that drops everything.
 */
const RESPONSE_GRACE_MS = 3_000;
/** Probes usually give up after a few seconds, and the next one follows soon. */
const PROBE_TIMEOUT_MS = 2_000;
/** Longer than the interval of usual probes, so the connection stays open between two of them. */
const PROBE_IDLE_MS = 60_000;
/** TCP probes detect an idle connection whose other end has silently disappeared. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/**
 * Without `jit=off`, a server with LLVM compiles a statement that the planner thinks expensive, each time it is executed: 700 ms for
 * a page with `since` of a million events, which is then read in 2. The planner cannot tell that it stops after a page.
 */
const SESSION_SETTINGS =
  '-c timezone=UTC -c synchronous_commit=on -c default_transaction_isolation=read\\ committed -c jit=off';
/**
 * A plan that is kept must not scan a table that it can reach by an index: one that was made while the table was small would
 * scan it until the next ANALYZE, however large it is by then.
 */
const PLANS_TO_KEEP = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
/** A process that hangs inside a transaction must not keep the feed clock locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens the database. Nothing connects before the first query.
 *
 * Every session runs in UTC: the driver adapter reads a `timestamptz` as if its offset were zero, so any other session
 * time zone would silently shift every timestamp. `assertSession` checks this when a process starts.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { acquireTimeoutMs = ACQUIRE_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const { pool, replaceAll } = createPool(
    options.url,
    withoutSessionSettings(options.url, {
      max: options.poolSize,
      application_name: options.applicationName,
      connectionTimeoutMillis: acquireTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + RESPONSE_GRACE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      options: `${SESSION_SETTINGS}${options.keepPlans === true ? PLANS_TO_KEEP : ''}`,
    }),
    options.onIdleError,
  );
  const names = leadsToPooler(options.url) ? undefined : createStatementNames();
  const onFailure = (error: unknown): void => {
    if (isStalePreparedStatement(error)) names?.renew();
    // The connections to a server that was demoted survive. New ones lead to the server that accepts writes.
    if (isReadOnlyServer(error)) replaceAll();
    options.onFailure?.(error);
  };
  const adapter = watchFailures(
    new PrismaPg(pool, {
      disposeExternalPool: true,
      ...(names && { statementNameGenerator: (statement) => names.nameOf(statement) }),
    }),
    onFailure,
  );
  const db = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: acquireTimeoutMs, timeout: 60_000 },
  });
  poolOf.set(db, pool);
  readBy(db, { pool, names, onFailure });
  probePoolOf.set(db, openProbePool(options));
  return db;
}

function openProbePool({ url, applicationName, onIdleError }: DatabaseOptions): Pool {
  return createPool(
    url,
    withoutSessionSettings(url, {
      max: 1,
      application_name: applicationName,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      statement_timeout: PROBE_TIMEOUT_MS,
      idleTimeoutMillis: PROBE_IDLE_MS,
      // Nobody closes this pool: an idle connection does not keep the process running.
      allowExitOnIdle: true,
    }),
    onIdleError,
  ).pool;
}

/**
 * Runs a statement without parameters over a connection that nothing else uses: slow statements that take the whole pool are
 * no outage, and a load balancer must not take the process for a broken one because of them. Integers of 64 bits are text.
 *
 * @throws Error when PostgreSQL does not respond within two seconds; the driver's errors.
 */
export async function askAlone<T extends object>(db: Database, statement: string): Promise<T[]> {
  const result = await probePoolOf.get(db)?.query<T>(statement);
  return result?.rows ?? [];
}

/**
 * Checks that PostgreSQL responds, over the connection of `askAlone`.
 *
 * @throws Error when it does not within two seconds.
 */
export async function probe(db: Database): Promise<void> {
  await askAlone(db, 'SELECT 1');
}

/** How a database opened by `openDatabase` uses its connections. */
export function poolUse(db: Database): PoolUse {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = poolOf.get(db) ?? {};
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Checks the session settings that correctness depends on.
 * @throws UnusableDatabaseError that says which setting is wrong; database errors pass through.
 */
export async function assertSession(db: Database): Promise<void> {
  const [session] = await db.$queryRaw<
    {
      timezone: string;
      isolation: string;
      commit: string;
      role: string;
      statement_timeout: string;
      lock_timeout: string;
      idle_in_transaction_session_timeout: string;
    }[]
  >`
    SELECT current_setting('timezone') AS timezone,
           current_setting('default_transaction_isolation') AS isolation,
           current_setting('synchronous_commit') AS commit,
           quote_ident(current_user) AS role,
           current_setting('statement_timeout') AS statement_timeout,
           current_setting('lock_timeout') AS lock_timeout,
           current_setting('idle_in_transaction_session_timeout') AS idle_in_transaction_session_timeout`;
  if (session?.timezone !== 'UTC') {
    throw new UnusableDatabaseError(
      `DATABASE_URL: the session time zone must be UTC, not ${session?.timezone}`,
    );
  }
  if (session.isolation !== 'read committed') {
    throw new UnusableDatabaseError(
      `DATABASE_URL: the isolation level must be read committed, not ${session.isolation}`,
    );
  }
  if (session.commit === 'off') {
    throw new UnusableDatabaseError('DATABASE_URL: synchronous_commit must not be off');
  }
  assertTimeouts(session);
}
