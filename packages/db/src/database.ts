import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { type CustomTypesConfig, type Pool, types as driverTypes } from 'pg';
import { type AdapterTransaction, runAdapterTransaction } from './adapter-transaction.ts';
import { databaseFailure, READ_ONLY, STALE_STATEMENTS } from './database-errors.ts';
import { leadsToPooler } from './database-url.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { createPool } from './pool.ts';
import { SESSION_OPTIONS, withoutSessionSettings } from './session.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

/** The client inside an interactive transaction. Its `query` runs in the transaction. */
export type Transaction = Prisma.TransactionClient & Pick<Database, 'query'>;

/** Options of a transaction. */
export interface TransactionOptions {
  isolationLevel?: Prisma.TransactionIsolationLevel;
  /** Time limit of the whole transaction, in milliseconds. */
  timeout?: number;
}

export interface DatabaseOptions {
  /**
   * PostgreSQL connection URL. With `pgbouncer=true`, no statement is prepared, for poolers in transaction mode that cannot carry
   * prepared statements.
   */
  url: string;
  /** Maximum number of connections of this process. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** The server cancels a statement that runs longer. */
  statementTimeoutMs: number;
  /** Maximum wait for a connection, so that waiting statements do not pile up; 5 seconds by default. A longer wait is an error. */
  acquireTimeoutMs?: number;
  /** Maximum wait for a row lock; 10 seconds by default. A longer wait is a fault, not contention. */
  lockTimeoutMs?: number;
  /**
   * Whether each statement keeps the generic plan from when it was prepared. Otherwise PostgreSQL plans most statements again for
   * each execution, which can take longer than the execution. Set it only for a process whose statements all find rows by whole
   * keys, regardless of the parameters.
   */
  keepPlans?: boolean;
  /** Called when an idle connection breaks. The pool replaces it automatically. */
  onIdleError?: (error: Error) => void;
  /** Called when a statement fails or no connection is available for it. The caller of the statement also gets the error. */
  onFailure?: (error: unknown) => void;
}

/** The used and idle connections of a process, and the number of statements waiting for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

const ACQUIRE_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 10_000;
/** Time limit of a whole transaction. Each of its statements has a limit of its own. */
const TRANSACTION_TIMEOUT_MS = 60_000;
/**
 * Time that a client waits for a statement beyond the server's own limit. A working server cancels the statement first; the
 * client's limit covers a server that hangs and a network that drops all packets.
 */
const RESPONSE_GRACE_MS = 3_000;
/** Probes usually give up after a few seconds, and the next one follows soon. */
const PROBE_TIMEOUT_MS = 2_000;
/** Longer than the interval of usual probes, so the connection stays open between two of them. */
const PROBE_IDLE_MS = 60_000;
/** TCP probes detect an idle connection whose other end has silently disappeared. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/** A process that hangs inside a transaction must not keep the feed clock locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
/** The same as `keep_plans` (prisma/sql/feed-clock.sql): docs/decisions/22-plans-that-are-kept.md. */
const KEEP_PLANS = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

type Parse = (text: string) => unknown;

const { INT8, TIMESTAMPTZ, DATE } = driverTypes.builtins;

/**
 * Parsers for values that the driver would read differently from Prisma. Every session is in UTC, so every text ends with `+00`.
 */
const PARSERS = new Map<number, Parse>([
  [INT8, BigInt],
  [TIMESTAMPTZ, (text) => new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`)],
  [DATE, (text) => new Date(`${text}T00:00:00Z`)],
]);

/** The declared parameter type only has the ids of PostgreSQL's own types. */
const parserOf = driverTypes.getTypeParser as (type: number) => Parse;
/** Makes the driver read values as Prisma does. */
const AS_PRISMA: CustomTypesConfig = { getTypeParser: (type: number) => PARSERS.get(type) ?? parserOf(type) };

/**
 * The database of a process: one bounded pool, with Prisma's client on top. It connects at the first query.
 *
 * Prisma's client is for transactions, and for rows that are read or written by their key. Other single statements use `query`.
 * Captures and claims run in `queryTransaction`, over Prisma's adapter alone. After a failover, connections to a server that is
 * read-only are replaced.
 */
export class Database extends PrismaClient {
  readonly #pool: Pool;
  readonly #adapter: PrismaPg;
  #connection: Promise<SqlDriverAdapter> | undefined;
  readonly #probePool: Pool;
  /** Undefined if statements must not be prepared. */
  readonly #names: StatementNames | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    const { url, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
    const names = leadsToPooler(url) ? undefined : createStatementNames();
    const { pool, replaceAll } = createPool(
      url,
      withoutSessionSettings(url, {
        max: options.poolSize,
        application_name: options.applicationName,
        connectionTimeoutMillis: acquireTimeoutMs,
        statement_timeout: options.statementTimeoutMs,
        query_timeout: options.statementTimeoutMs + RESPONSE_GRACE_MS,
        types: AS_PRISMA,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
        lock_timeout: lockTimeoutMs,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        options: `${SESSION_OPTIONS}${options.keepPlans === true ? KEEP_PLANS : ''}`,
      }),
      {
        onIdleError: options.onIdleError,
        onFailure(error) {
          const sqlState = databaseFailure(error)?.sqlState ?? '';
          if (STALE_STATEMENTS.includes(sqlState)) names?.renew();
          // Connections to a server that was demoted survive. New ones lead to the server that accepts writes.
          if (sqlState === READ_ONLY) replaceAll();
          options.onFailure?.(error);
        },
      },
    );
    const adapter = new PrismaPg(pool, {
      ...(names && { statementNameGenerator: (statement) => names.nameOf(statement) }),
    });
    super({
      adapter,
      transactionOptions: { maxWait: acquireTimeoutMs, timeout: TRANSACTION_TIMEOUT_MS },
    });
    this.#pool = pool;
    this.#adapter = adapter;
    this.#names = names;
    this.#probePool = openProbePool(options);
  }

  /**
   * Runs one statement. Outside a transaction, the driver runs it, without the overhead of Prisma's client; as `query` of a
   * transaction, it runs in the transaction. Both return the same rows for text, numbers, times, dates, JSON and booleans. Bytes
   * are a `Buffer`, and sums and other `numeric` values have to be cast.
   *
   * @throws ConnectionError, the driver's errors or, in a transaction, Prisma's; `databaseFailure` interprets them.
   */
  async query<T>(sql: Prisma.Sql): Promise<T[]> {
    // Prisma's client of a transaction is also of this class, but its constructor did not run.
    if (!(#pool in this)) return (this as PrismaClient).$queryRaw<T[]>(sql);
    const { rows } = await this.#pool.query<T & object>(this.#prepared(sql));
    return rows;
  }

  /**
   * Runs `work` in a transaction over Prisma's adapter, without the overhead of Prisma's client, which exceeds that of a few
   * short statements. It is rolled back if `work` throws.
   *
   * @throws the errors of the adapter; `databaseFailure` interprets them.
   */
  async queryTransaction<T>(work: (tx: AdapterTransaction) => Promise<T>): Promise<T> {
    this.#connection ??= this.#adapter.connect();
    const connection = await this.#connection;
    return runAdapterTransaction(await connection.startTransaction(), work);
  }

  #prepared({ text, values }: Prisma.Sql) {
    const name = this.#names?.nameOf({ sql: text, args: values });
    return { name, text, values };
  }

  /**
   * Runs `work` in a transaction, which is rolled back if it throws.
   *
   * @param options READ COMMITTED and 60 seconds by default.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.$transaction((tx) => work(tx as Transaction), options);
  }

  /**
   * Runs a statement without parameters over a dedicated connection. Slow statements that occupy the whole pool are not an
   * outage, and must not make a load balancer remove the process. 64-bit integers are returned as text.
   *
   * @throws Error when PostgreSQL does not respond within two seconds; the driver's errors.
   */
  async askAlone<T extends object>(statement: string): Promise<T[]> {
    return (await this.#probePool.query<T>(statement)).rows;
  }

  /**
   * Checks that PostgreSQL responds, over the connection of `askAlone`.
   *
   * @throws Error when it does not respond within two seconds.
   */
  async probe(): Promise<void> {
    await this.askAlone('SELECT 1');
  }

  /** Returns the current use of the pool. */
  use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Closes all connections once they are idle. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.$disconnect();
    await Promise.all([this.#pool.end(), this.#probePool.end()]);
  }
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
      // An idle connection does not keep a process running that fails to close it.
      allowExitOnIdle: true,
    }),
    { onIdleError },
  ).pool;
}
