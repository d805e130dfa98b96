import { randomBytes } from 'node:crypto';
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { buildConsole, buildGuides } from '@deal-signals/local-stack/processes/build-sites';
import { isAbandoned, lockInstance } from '@deal-signals/local-stack/processes/instance-lock';
import { stopRecordedService } from '@deal-signals/local-stack/processes/service-process';
import { issueCertificate, openCertificateAuthority } from '@deal-signals/local-stack/servers/certificates';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { startPostgres } from '@deal-signals/local-stack/servers/postgres';
import { startRedis } from '@deal-signals/local-stack/servers/redis';
import { Client } from 'pg';
import { buildApps } from './built-apps.ts';
import { grantToRoles, urlFor } from './databases/database-roles.ts';
import { type TestRun, publishTestRun } from './test-run.ts';

type Closer = () => Promise<unknown>;

const RUN_FOLDER_PREFIX = 'deal-signals-run-';
/** Data of a test run need not survive a crash, so nothing waits for the disk. */
const POSTGRES_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Tests that need statistics collect them. Autovacuum would change plans and take locks at times that no test controls.
  autovacuum: 'off',
  // Only the database of the test that creates the extension is read.
  shared_preload_libraries: 'pg_stat_statements',
};
/** Each test uses a database of its own. */
const REDIS_SETTINGS = { databases: '1024', appendonly: 'no' };

/**
 * Starts one PostgreSQL and one Redis for the whole run, unless `DATABASE_URL` and `REDIS_URL` name others, migrates the
 * template database, builds the apps and issues the certificates. The test processes find everything through their
 * environment.
 *
 * @returns a function that stops and removes everything.
 */
export async function setUp(): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = await mkdtemp(path.join(os.tmpdir(), RUN_FOLDER_PREFIX));
  const closers: Closer[] = [() => rm(folder, { recursive: true, force: true })];
  const tearDown = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  stopOnSignals(tearDown);
  try {
    await lockInstance(folder);
    await mkdir(path.join(folder, 'apps'));
    closers.push(() => stopRecordedServices(path.join(folder, 'apps')));
    closers.push(() => stopServersOfTests(folder));
    const templateDatabase = `template_${randomBytes(6).toString('hex')}`;
    const builtFolder = path.join(folder, 'built');
    // These are independent and leave a core idle each. If one fails, the others end before everything is torn down.
    const [redisUrl, postgresUrl, certificates] = await allEnded([
      openRedis(folder, closers),
      openPostgres(folder, closers).then(async (url) => {
        closers.push(() => dropTemplate(url, templateDatabase));
        await createTemplate(url, templateDatabase);
        return url;
      }),
      writeCertificates(folder),
      buildApps(builtFolder),
      buildConsole(),
      buildGuides(),
    ]);
    publishTestRun({ folder, builtFolder, postgresUrl, redisUrl, templateDatabase, ...certificates });
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/**
 * Waits until all promises have ended.
 *
 * @throws the first error among them.
 */
async function allEnded<T extends readonly Promise<unknown>[]>(
  work: readonly [...T],
): Promise<{ -readonly [N in keyof T]: Awaited<T[N]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function openPostgres(folder: string, closers: Closer[]): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const server = await onFreePort(0, (port) =>
    startPostgres({ dataDir: path.join(folder, 'postgres'), port, settings: POSTGRES_SETTINGS }),
  );
  closers.push(() => server.stop());
  return server.url('postgres');
}

async function openRedis(folder: string, closers: Closer[]): Promise<string> {
  const given = process.env['REDIS_URL'];
  if (given) return given;
  const server = await onFreePort(0, (port) =>
    startRedis({ dataDir: path.join(folder, 'redis'), port, settings: REDIS_SETTINGS, say: console.log }),
  );
  closers.push(() => server.stop());
  return server.url;
}

/**
 * Creates the database that test databases are cloned from. PostgreSQL clones only a database without connections, so it
 * accepts none.
 */
async function createTemplate(postgresUrl: string, name: string): Promise<void> {
  await onServer(postgresUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  await onServer(url.href, grantToRoles);
  await migrate(urlFor('signals_owner', url.href));
  await onServer(postgresUrl, (client) =>
    client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`),
  );
}

async function dropTemplate(postgresUrl: string, name: string): Promise<void> {
  await onServer(postgresUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function writeCertificates(
  folder: string,
): Promise<Pick<TestRun, 'caFile' | 'certificateFile' | 'certificateKeyFile'>> {
  const authority = await openCertificateAuthority(folder);
  const issued = await issueCertificate(authority, ['127.0.0.1', 'localhost', '::1']);
  const certificateFile = path.join(folder, 'receiver.pem');
  const certificateKeyFile = path.join(folder, 'receiver-key.pem');
  await writeFile(certificateFile, issued.cert);
  await writeFile(certificateKeyFile, issued.key, { mode: 0o600 });
  return { caFile: authority.certificateFile, certificateFile, certificateKeyFile };
}

/** Cleans up after runs that were killed. The folder of a run names its process and the processes that it started. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    if (!name.startsWith(RUN_FOLDER_PREFIX)) continue;
    const folder = path.join(os.tmpdir(), name);
    if (!(await isAbandoned(folder))) continue;
    for (const services of ['apps', 'redis', 'postgres']) {
      await stopRecordedServices(path.join(folder, services));
    }
    await stopServersOfTests(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stops the servers of single tests. A test that takes a server down starts its own, in a folder below `servers`. */
async function stopServersOfTests(folder: string): Promise<void> {
  const servers = path.join(folder, 'servers');
  for (const name of await readdir(servers).catch(() => [])) {
    for (const service of ['redis', 'postgres']) {
      await stopRecordedServices(path.join(servers, name, service));
    }
  }
}

/** Stops the processes that the record files in a folder name. */
async function stopRecordedServices(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => stopRecordedService(path.join(folder, name))),
  );
}

/** Jest skips the teardown when a signal ends it. */
function stopOnSignals(tearDown: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void tearDown().finally(() => process.kill(process.pid, signal));
    });
  }
}
