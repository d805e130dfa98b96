import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { connectorOf } from './client-class.ts';

/** A pool whose connections can all be replaced. */
export interface ReplaceablePool {
  pool: Pool;
  /**
   * Closes the connections that are open now: the idle ones at once, the others when their users return them. Further
   * calls within a second do nothing, so that a server that stays read-only is not flooded with new connections.
   */
  replaceAll: () => void;
}

const REPLACE_PAUSE_MS = 1_000;

/**
 * Creates a pool of connections to what a URL names.
 *
 * @param onIdleError called when an idle connection breaks; the pool replaces it by itself.
 */
export function createPool(
  url: string,
  config: PoolConfig,
  onIdleError: ((error: Error) => void) | undefined,
): ReplaceablePool {
  const open = new Set<PoolClient>();
  const outdated = new WeakSet<PoolClient>();
  const pool = new Pool({ ...config, ...connectorOf(url) });
  let replacedAtMs = Number.NEGATIVE_INFINITY;
  // A pool without a listener turns a restarted PostgreSQL into an uncaught exception.
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    open.add(client);
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
