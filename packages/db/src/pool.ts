import type { Duplex } from 'node:stream';
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { ConnectionError } from './database-errors.ts';

/** A pool that can replace all its connections. */
export interface ReplaceablePool {
  pool: Pool;
  /**
   * Closes the connections that are open now: idle ones immediately, the others when they are returned. Further calls within a
   * second do nothing, so that a server that stays read-only is not flooded with new connections.
   */
  replaceAll: () => void;
}

/** Listeners for failures. */
export interface PoolListeners {
  /** An idle connection has broken. The pool replaces it automatically. */
  onIdleError?: ((error: Error) => void) | undefined;
  /** A statement has failed, or no connection was available for it. The caller of the statement also gets the error. */
  onFailure?: ((error: unknown) => void) | undefined;
}

const REPLACE_PAUSE_MS = 1_000;

type Callback = (error: Error | undefined, ...results: unknown[]) => void;

/**
 * Distinguishes an error response of PostgreSQL from the other errors of the driver, most of which have no code: no connection, a
 * time limit of its own, a failure of TLS or of the login. A TypeError is a parameter that it cannot send.
 */
function named(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof TypeError || error instanceof ConnectionError) {
    return error;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`no answer from the database: ${reason}`, { cause: error });
}

/**
 * Makes a method of the driver report its failures. It returns a promise or, if its last argument is a function, calls that one.
 *
 * @param method the name of the method.
 */
function watch<Name extends string>(
  target: Record<Name, unknown>,
  method: Name,
  onFailure: (error: unknown) => void,
): void {
  const prototype = Object.getPrototypeOf(target) as Record<Name, (...parameters: unknown[]) => unknown>;
  const call = (...parameters: unknown[]) => prototype[method].apply(target, parameters);
  target[method] = (...parameters: unknown[]) => {
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      const told: Callback = (error, ...results) => {
        const failure = error && named(error);
        if (failure) onFailure(failure);
        (callback as Callback)(failure as Error | undefined, ...results);
      };
      return call(...parameters.slice(0, -1), told);
    }
    const result = call(...parameters);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      const failure = named(error);
      onFailure(failure);
      throw failure;
    });
  };
}

/** The result of the driver for a statement without rows. */
const NO_ROWS: QueryResult = { command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Combines the statements of a transaction that are sent in one turn of the event loop into one message. BEGIN is sent with the
 * first of them, without waiting for its response. If BEGIN fails, the connection is closed, and the statement after it fails
 * too. A statement outside a transaction is sent immediately.
 */
function sendTogether(client: PoolClient): void {
  // The driver's types omit it.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  let isInTransaction = false;
  (client as { query: unknown }).query = (...parameters: unknown[]) => {
    const [statement] = parameters as [string | { text?: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    isInTransaction ||= text === 'BEGIN';
    if (!isInTransaction) return query(...parameters);
    isInTransaction = text !== 'COMMIT' && text !== 'ROLLBACK';
    stream.cork();
    process.nextTick(() => stream.uncork());
    const sent = query(...parameters);
    if (text !== 'BEGIN') return sent;
    (sent as Promise<unknown>).catch(() => client.end());
    return Promise.resolve(NO_ROWS);
  };
}

/**
 * Creates a pool of connections to the database of a URL.
 *
 * Every query, by Prisma's adapter or by this package, takes a connection of the pool and runs on it. So all failures are
 * observed there, regardless of who catches them. Prisma's own events omit transactions that could not begin.
 */
export function createPool(
  url: string,
  config: PoolConfig,
  { onIdleError, onFailure = () => {} }: PoolListeners,
): ReplaceablePool {
  const open = new Set<PoolClient>();
  const outdated = new WeakSet<PoolClient>();
  const pool = new Pool({ ...config, connectionString: url, pipeline: true });
  watch(pool, 'connect', onFailure);
  // It would report the error of the broken connection instead of the error of the statement, which `onFailure` reports.
  watch(pool, 'query', () => {});
  let replacedAtMs = Number.NEGATIVE_INFINITY;
  // Without a listener, a restart of PostgreSQL would cause an uncaught exception.
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    open.add(client);
    let isBroken = false;
    watch(client, 'query', (failure) => {
      // When a connection breaks, BEGIN, the next statement and ROLLBACK all fail. That counts as one failure.
      const isSame = isBroken && failure instanceof ConnectionError;
      isBroken = failure instanceof ConnectionError;
      if (!isSame) onFailure(failure);
    });
    sendTogether(client);
    // A checked-out client has no error listener of the pool, and its user adds one a moment later. Without this listener, a
    // server that disconnects in between would end the process. The running statement, or the next one, fails in any case.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => open.delete(client));
  // After a rollback, the user returns the connection without an error. The pool discards a connection that is closing.
  pool.on('release', (_error, client) => {
    if (outdated.has(client)) void client.end();
  });

  function replaceAll(): void {
    const nowMs = performance.now();
    if (nowMs - replacedAtMs < REPLACE_PAUSE_MS) return;
    replacedAtMs = nowMs;
    for (const client of open) outdated.add(client);
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      // The pool hands out idle connections first. If waiting statements get them, they are closed afterwards.
      pool.connect().then(
        (client) => client.release(),
        () => {},
      );
    }
  }

  return { pool, replaceAll };
}
