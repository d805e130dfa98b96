import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@deal-signals/db/database';
import type { Redis } from 'ioredis';

/** What the health endpoints look at. */
export interface HealthContext {
  db: Database;
  redis: Redis;
  /** Whether jobs are taken: false while starting and while draining. */
  isRunning: () => boolean;
}

/** The server of the health endpoints. */
export interface HealthServer {
  /** The port it listens on. */
  port: number;
  close(): void;
}

/** A probe that waits longer has given up. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Serves `/healthz`, which says that the process is alive, and `/readyz`, which says that it can work: it takes jobs, and
 * both PostgreSQL and Redis answer.
 *
 * @param port 0 for any free one.
 * @throws Error when the port is taken.
 */
export async function serveHealth(port: number, context: HealthContext): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const answer = (status: number) => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ok: status === 200 }));
    };
    if (request.url === '/healthz') answer(200);
    else if (request.url === '/readyz') void isReady(context).then((ready) => answer(ready ? 200 : 503));
    else answer(404);
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function isReady({ db, redis, isRunning }: HealthContext): Promise<boolean> {
  if (!isRunning()) return false;
  const late = new Promise<false>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref());
  const both = Promise.all([db.$queryRaw`SELECT 1 AS one`, redis.ping()]).then(
    () => true,
    () => false,
  );
  return Promise.race([both, late]);
}
