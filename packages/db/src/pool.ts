import type { Duplex } from 'node:stream';
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { ConnectionError } from './database-errors.ts';

/** A pool whose connections can all be replaced. */
export interface ReplaceablePool {
  pool: Pool;
  /**
   * Closes the connections that are open now: the idle ones at once, the others when their users return them. Further
   * calls within a second do nothing, so that a server that stays read-only is not flooded with new connections.
   */
  replaceAll: () => void;
}

/** Who hears of failures. */
export interface PoolListeners {
  /** An idle connection has broken; the pool replaces it by itself. */
  onIdleError?: ((error: Error) => void) | undefined;
  /** A statement has failed, or no connection was available for it. The caller of the statement gets the error, too. */
  onFailure?: ((error: unknown) => void) | undefined;
}

const REPLACE_PAUSE_MS = 1_000;

type Callback = (error: Error | undefined, ...results: unknown[]) => void;

/**
 * Tells an answer of PostgreSQL from everything else that the driver throws, most of which has no code: no connection, a time
 * limit of its own, a failure of TLS or of the login. A TypeError is a parameter that it cannot send.
 */
function named(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof TypeError || error instanceof ConnectionError) {
    return error;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`no answer from the database: ${reason}`, { cause: error });
}

/**
 * Lets a method of the driver report what fails, by name. It returns a promise or, if its last parameter is a function, calls that
 * one.
 *
 * @param method its name.
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

/** What the driver returns for a statement without rows. */
const NO_ROWS: QueryResult = { command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Lets the statements of a transaction that are sent before the event loop turns share a message, and BEGIN travel with the first of
 * them: nobody waits for its response. If it fails, the connection is closed, and the statement behind it fails too. A statement
 * outside of transactions has nothing to share a message with, and is sent at once.
 */
function sendTogether(client: PoolClient): void {
  // The driver's types leave it out.
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
 * Creates a pool of connections to what a URL names.
 *
 * Whatever is asked of PostgreSQL, by Prisma's adapter or by ourselves, takes a connection of the pool and sends a query over it.
 * So failures are seen there, whoever catches them. Prisma's own events leave out transactions that could not begin.
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
  // It passes on what a broken connection says, in place of the error of the statement that `onFailure` hears of.
  watch(pool, 'query', () => {});
  let replacedAtMs = Number.NEGATIVE_INFINITY;
  // A pool without a listener turns a restarted PostgreSQL into an uncaught exception.
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    open.add(client);
    let isBroken = false;
    watch(client, 'query', (failure) => {
      // BEGIN, the statement behind it and ROLLBACK all fail on one connection that breaks. That is one failure.
      const isSame = isBroken && failure instanceof ConnectionError;
      isBroken = failure instanceof ConnectionError;
      if (!isSame) onFailure(failure);
    });
    sendTogether(client);
    // A checked-out client has no pool error listener, and its user adds one a moment later. Without this listener, a server
    // that goes away in between would end the process. The running statement, or the next one, fails in any case.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => open.delete(client));
  // Its user returns a connection without an error after a rollback. The pool keeps no connection that is being closed.
  pool.on('release', (_error, client) => {
    if (outdated.has(client)) void client.end();
  });

  function replaceAll(): void {
    const nowMs = performance.now();
    if (nowMs - replacedAtMs < REPLACE_PAUSE_MS) return;
    replacedAtMs = nowMs;
    for (const client of open) outdated.add(client);
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      // The pool gives its idle connections first. If a waiting statement gets them, they are closed after it.
      pool.connect().then(
        (client) => client.release(),
        () => {},
      );
    }
  }

  return { pool, replaceAll };
}
