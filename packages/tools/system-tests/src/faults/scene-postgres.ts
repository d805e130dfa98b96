import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Database } from '@deal-signals/db/database';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { runCommand } from '@deal-signals/local-stack/processes/run-command';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import {
  createDatabaseIfMissing,
  type PostgresServer,
  startPostgres,
} from '@deal-signals/local-stack/servers/postgres';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { type SceneDatabase, serverFolder } from './scene.ts';

/** A PostgreSQL server for one test, which may restart it and kill it. */
export interface ScenePostgres extends SceneDatabase {
  /** Restarts the server as an operator would: every session ends at once. */
  restart(): Promise<void>;
  /** Kills the server and starts it again, so that it recovers from its WAL. */
  crash(): Promise<void>;
  /** Copies the data directory, as a disk snapshot does. Every session ends. */
  backUp(): Promise<void>;
  /** Replaces the data with the copy, and starts the server again. */
  restore(): Promise<void>;
}

const DATABASE = 'deal_signals';
const POOL_SIZE = 5;

/**
 * Starts a PostgreSQL with a migrated database. Unlike the run's own server, it flushes commits to the disk, because they must
 * survive.
 */
export async function startScenePostgres(): Promise<ScenePostgres> {
  const dataDir = path.join(await serverFolder(), 'postgres');
  const clusterDir = path.join(dataDir, 'data');
  const backup = path.join(dataDir, 'backup');
  const serve = (port: number) => startPostgres({ dataDir, port });
  let server: PostgresServer = await onFreePort(0, serve);
  const { port } = server;
  const url = server.url(DATABASE);
  await createDatabaseIfMissing(server.url('postgres'), DATABASE);
  await migrate(url);
  const db = new Database({
    url,
    poolSize: POOL_SIZE,
    applicationName: 'test',
    ...TEST_LIMITS,
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
      // The server cannot start while sessions of the killed one still use the shared memory.
      server = await until('PostgreSQL to start after the crash', () => serve(port));
    },
    async backUp() {
      // After a clean shutdown, its files are as consistent as a snapshot.
      await server.stop();
      await copy(clusterDir, backup);
      server = await serve(port);
    },
    async restore() {
      await server.stop();
      await rm(clusterDir, { recursive: true });
      await copy(backup, clusterDir);
      server = await serve(port);
    },
    async drop() {
      await db.close();
      await server.stop();
    },
  };
}

/** Copies a folder and keeps the owners of its files. */
async function copy(from: string, to: string): Promise<void> {
  const { exitCode, output } = await runCommand('cp', ['-a', from, to]);
  if (exitCode !== 0) throw new Error(`${from} could not be copied: ${output}`);
}
