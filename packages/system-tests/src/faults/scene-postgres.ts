import path from 'node:path';
import { openDatabase } from '@deal-signals/db/database';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import {
  createDatabaseIfMissing,
  type PostgresServer,
  startPostgres,
} from '@deal-signals/local-stack/servers/postgres';
import { until } from '@deal-signals/test-kit/until';
import { type SceneDatabase, serverFolder } from './scene.ts';

/** A PostgreSQL server of one test's own, that may be restarted and killed. */
export interface ScenePostgres extends SceneDatabase {
  /** Ends every session at once, as an operator's restart does, and starts it again. */
  restart(): Promise<void>;
  /** Kills it and starts it again: it recovers from its log. */
  crash(): Promise<void>;
}

const DATABASE = 'deal_signals';
const POOL_SIZE = 5;
const STATEMENT_TIMEOUT_MS = 30_000;

/** Starts a PostgreSQL with a migrated database. It writes through to the disk: what is confirmed must survive. */
export async function startScenePostgres(): Promise<ScenePostgres> {
  const dataDir = path.join(await serverFolder(), 'postgres');
  const serve = (port: number) => startPostgres({ dataDir, port });
  let server: PostgresServer = await onFreePort(0, serve);
  const { port } = server;
  const url = server.url(DATABASE);
  await createDatabaseIfMissing(server.url('postgres'), DATABASE);
  await migrate(url);
  const db = openDatabase({
    url,
    poolSize: POOL_SIZE,
    applicationName: 'test',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  return {
    url,
    db,
    async restart() {
      await server.stop();
      server = await serve(port);
    },
    async crash() {
      await server.process.stop('SIGKILL');
      // Sessions notice the death of their server by themselves; until then the memory they share is in use.
      server = await until('PostgreSQL to start after the crash', () => serve(port));
    },
    async drop() {
      await db.$disconnect();
      await server.stop();
    },
  };
}
