import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { Prisma, PrismaClient } from './generated/client.ts';
import { watchFailures } from './watched-adapter.ts';

/** A Prisma client over one bounded pool. */
export type Database = PrismaClient;

/** The client inside an interactive transaction. */
export type Transaction = Prisma.TransactionClient;

/** Where a query may run: outside or inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  /** PostgreSQL connection URL. */
  url: string;
  /** Most connections this process may hold. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** A statement running longer is cancelled by the server. */
  statementTimeoutMs: number;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
  /** Told whenever a statement failed, or a connection for it was not to be had; the error itself goes to the caller. */
  onFailure?: () => void;
}

/** How many connections a process has, by what they do, and how many statements wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

const poolOf = new WeakMap<Database, Pool>();

/** Waiting longer for a connection is an error instead of a queue without end. */
const ACQUIRE_TIMEOUT_MS = 5_000;
/**
 * How much longer than the server a client waits before it gives a statement up: a server that works cuts it first, and
 * one that hangs, or a network that swallows everything, is found out all the same.
 */
const ANSWER_GRACE_MS = 3_000;
/** A row lock held this long by somebody else is a fault, not contention. */
const LOCK_TIMEOUT_MS = 10_000;
/** An idle connection whose other end has silently gone is found out by the system's probes. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/** A transaction whose process stopped talking must not keep the feed clock locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Opens the database. Nothing connects before the first query.
 *
 * Every session runs in UTC: the driver adapter reads a `timestamptz` as if its offset were zero, so another session
 * time zone would silently shift every timestamp. `assertSession` proves it at start.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + ANSWER_GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: '-c timezone=UTC -c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
  });
  // A pool without a listener turns a restarted PostgreSQL into an uncaught exception.
  pool.on('error', (error) => options.onIdleError?.(error));
  // Handed out, a connection has no listener of the pool's, and its user adds one a moment later. A server that goes away in
  // that moment would end the process; the statement under way, or the next one, is told in any case.
  pool.on('connect', (client) => client.on('error', () => {}));
  const adapter = watchFailures(new PrismaPg(pool, { disposeExternalPool: true }), () =>
    options.onFailure?.(),
  );
  const db = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: ACQUIRE_TIMEOUT_MS, timeout: 60_000 },
  });
  poolOf.set(db, pool);
  return db;
}

/** The use of the connections of a database that `openDatabase` opened. */
export function poolUse(db: Database): PoolUse {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = poolOf.get(db) ?? {};
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Checks the settings that correctness rests on.
 * @throws Error that says which setting is wrong; connection errors pass through.
 */
export async function assertSession(db: Database): Promise<void> {
  const [session] = await db.$queryRaw<{ timezone: string; isolation: string; commit: string }[]>`
    SELECT current_setting('timezone') AS timezone,
           current_setting('default_transaction_isolation') AS isolation,
           current_setting('synchronous_commit') AS commit`;
  if (session?.timezone !== 'UTC') {
    throw new Error(`DATABASE_URL: the session time zone must be UTC, not ${session?.timezone}`);
  }
  if (session.isolation !== 'read committed') {
    throw new Error(`DATABASE_URL: the isolation level must be read committed, not ${session.isolation}`);
  }
  if (session.commit === 'off') {
    throw new Error('DATABASE_URL: synchronous_commit must not be off');
  }
}
