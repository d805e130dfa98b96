import { rm, writeFile } from 'node:fs/promises';
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
import { grantToRoles, urlFor } from '@deal-signals/test-kit/databases/database-roles';
import { startTcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { TEST_LIMITS } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { Client } from 'pg';
import { type SceneDatabase, serverFolder } from './scene.ts';

/** A primary and its standby, with PostgreSQL's streaming replication between them. */
export interface ScenePair extends SceneDatabase {
  /** The URL of the address that is forwarded to the primary, with the role of the apps. */
  readonly url: string;
  /** A connection of the test to the same address. */
  readonly db: Database;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Kills the primary like a lost machine, including everything that it has not sent. */
  losePrimary(): Promise<void>;
  /** Stops the standby, which then receives nothing more. */
  stopStandby(): Promise<void>;
  /** Starts the standby again. */
  startStandby(): Promise<void>;
  /** Runs a statement on the standby. Returns its number of rows. */
  onStandby(statement: string): Promise<number>;
  /** Promotes the standby, waits until it accepts writes, and forwards the address to it. */
  promote(): Promise<void>;
}

const DATABASE = 'deal_signals';
const POOL_SIZE = 10;
/** A killed process loses nothing that it has written. Only a machine without power does. */
const SETTINGS = { fsync: 'off' };

/**
 * Starts a primary with a migrated database, and a standby of it.
 *
 * @param options.isSynchronous whether a commit is confirmed only once the standby has it as well.
 */
export async function startScenePair({ isSynchronous }: { isSynchronous: boolean }): Promise<ScenePair> {
  const folder = await serverFolder();
  const primaryFolder = path.join(folder, 'postgres');
  // The end of the run stops the processes in a folder of this name.
  const standbyFolder = path.join(await serverFolder(), 'postgres');
  const first = await onFreePort(0, (port) =>
    startPostgres({ dataDir: primaryFolder, port, settings: SETTINGS }),
  );
  await createDatabaseIfMissing(first.url('postgres'), DATABASE);
  const superuser = new Client({ connectionString: first.url(DATABASE) });
  await superuser.connect();
  await grantToRoles(superuser);
  await superuser.end();
  await migrate(urlFor('signals_owner', first.url(DATABASE)));
  // The files of a server that was shut down cleanly are a base backup. `cp` keeps their owner.
  await first.stop();
  const { exitCode, output } = await runCommand('cp', ['-a', primaryFolder, standbyFolder]);
  if (exitCode !== 0) throw new Error(`the standby could not be copied: ${output}`);
  await rm(path.join(standbyFolder, 'process.json'), { force: true });
  await writeFile(path.join(standbyFolder, 'data', 'standby.signal'), '');

  const settings = { ...SETTINGS, ...(isSynchronous && { synchronous_standby_names: '*' }) };
  const primary = await startPostgres({ dataDir: primaryFolder, port: first.port, settings });
  const { username, password, port: primaryPort } = new URL(primary.url(DATABASE));
  const serveStandby = (port: number): Promise<PostgresServer> =>
    startPostgres({
      dataDir: standbyFolder,
      port,
      settings: {
        ...SETTINGS,
        primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}`,
      },
    });
  let standby = await onFreePort(0, serveStandby);
  const { port } = standby;
  const primaryUrl = primary.url(DATABASE);
  const standbyUrl = standby.url(DATABASE);
  await until('the standby to follow', () =>
    onServer(primaryUrl, 'SELECT FROM pg_stat_replication WHERE state = $$streaming$$'),
  );
  const address = await startTcpProxy(primaryUrl);
  const db = new Database({
    url: address.url,
    poolSize: POOL_SIZE,
    applicationName: 'test',
    ...TEST_LIMITS,
  });
  return {
    url: urlFor('signals_app', address.url),
    db,
    primaryUrl,
    standbyUrl,
    async losePrimary() {
      await primary.process.stop('SIGKILL');
    },
    async stopStandby() {
      await standby.stop();
    },
    async startStandby() {
      standby = await serveStandby(port);
    },
    onStandby: (statement) => onServer(standbyUrl, statement),
    async promote() {
      await onServer(standbyUrl, 'SELECT pg_promote()');
      await until('the standby to accept writes', () =>
        onServer(standbyUrl, 'SELECT WHERE NOT pg_is_in_recovery()'),
      );
      address.leadTo(standbyUrl);
    },
    async drop() {
      await db.close();
      await Promise.all([primary.stop(), standby.stop(), address.cut()]);
    },
  };
}

/** Runs a statement. Returns its number of rows. */
async function onServer(url: string, statement: string): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
