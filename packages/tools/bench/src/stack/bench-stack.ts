import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import {
  type AppName,
  appUrl,
  startApp as startAppProcess,
  untilReady,
} from '@deal-signals/local-stack/processes/app-process';
import { createClosers } from '@deal-signals/local-stack/processes/closers';
import { runCommand } from '@deal-signals/local-stack/processes/run-command';
import { issueCertificate, openCertificateAuthority } from '@deal-signals/local-stack/servers/certificates';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { createDatabaseIfMissing, startPostgres } from '@deal-signals/local-stack/servers/postgres';
import { startRedis } from '@deal-signals/local-stack/servers/redis';
import type { BenchOptions } from '../options.ts';
import { type Child, type Serve, startChild } from './child.ts';

/** The servers of one run, and functions that start processes next to them. */
export type BenchStack = Awaited<ReturnType<typeof startBenchStack>>;

/** The servers, the options and the progress output of a measurement. */
export interface BenchContext {
  stack: BenchStack;
  options: BenchOptions;
  /** Shows the user a line of progress. */
  say: (line: string) => void;
}

/** A running API or worker, with its base URL. */
export interface BenchApp {
  readonly pid: number;
  readonly url: string;
  stop: () => Promise<unknown>;
}

/**
 * For runs that build large tables. With these settings, rows of a table that was emptied in the same transaction are not
 * written to the WAL. Everything else is logged as usual.
 */
export const LARGE_TABLE_SETTINGS = { wal_level: 'minimal', max_wal_senders: '0' };

/** Secrets of the run. Its data is deleted at the end. */
const SECRETS = {
  SESSION_JWT_SECRET: 'bench-session-secret-of-a-decent-length',
  SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
};

/**
 * Leaves room for the WAL of the whole run, because a checkpoint at a random moment would slow down one contestant and not
 * the other. Durability is as in production: every commit waits for the disk.
 */
const POSTGRES_SETTINGS = {
  max_connections: '300',
  shared_buffers: '256MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
};

/**
 * Builds the product, and starts PostgreSQL and Redis in a temporary folder.
 *
 * @param say shows the user one line of progress, for example that Redis is being installed.
 * @param postgresSettings additional settings of PostgreSQL.
 */
export async function startBenchStack(
  say: (line: string) => void,
  postgresSettings: Record<string, string> = {},
) {
  const closers = createClosers();
  let closing: Promise<void> | undefined;
  /** Stops everything and removes the data. Both a signal and the end of the run may call it. */
  const close = () =>
    (closing ??= closers.closeAll((what, error) =>
      say(`failed to close ${what}: ${(error as Error).message}`),
    ));
  try {
    say('building');
    await build();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-bench-'));
    closers.add('the folder', () => rm(folder, { recursive: true, force: true }));
    await mkdir(path.join(folder, 'apps'));
    const settings = { ...POSTGRES_SETTINGS, ...postgresSettings };
    const postgres = await onFreePort(0, (port) =>
      startPostgres({ dataDir: path.join(folder, 'postgres'), port, settings }),
    );
    closers.add('PostgreSQL', () => postgres.stop());
    const redis = await onFreePort(0, (port) =>
      startRedis({ dataDir: path.join(folder, 'redis'), port, say }),
    );
    closers.add('Redis', () => redis.stop());
    const authority = await openCertificateAuthority(folder);
    const certificate = await issueCertificate(authority, ['127.0.0.1']);
    let started = 0;

    return {
      /** The process ids of the servers. */
      servers: { PostgreSQL: postgres.process.pid, Redis: redis.process.pid },
      /** The folder that contains PostgreSQL's own files and that PostgreSQL can write to. */
      dataFolder: path.join(folder, 'postgres', 'data'),
      /** The connection URLs of a database that always exists and of Redis. */
      serverUrl: postgres.url('postgres'),
      redisUrl: redis.url,
      /** The certificate of the receivers (PEM), and the file of the authority that issued it. */
      certificate,
      caFile: authority.certificateFile,
      secretsKey: SECRETS.SECRETS_KEY,
      /** Creates and migrates a database. Returns its connection URL. */
      async createDatabase(name: string): Promise<string> {
        await createDatabaseIfMissing(postgres.url('postgres'), name);
        await migrate(postgres.url(name));
        return postgres.url(name);
      },
      /**
       * Starts the built API or worker on a database, as the images do, and waits until it is ready.
       *
       * @param checkout the folder of the build, usually this checkout.
       */
      async startApp(
        app: AppName,
        databaseUrl: string,
        appSettings: Record<string, string>,
        checkout: string = REPOSITORY_ROOT,
      ): Promise<BenchApp> {
        const id = path.join(folder, 'apps', `${app}-${(started += 1)}`);
        const { NODE_OPTIONS: _, ...inherited } = process.env;
        const environment = {
          ...inherited,
          ...SECRETS,
          NODE_ENV: 'production',
          DATABASE_URL: databaseUrl,
          REDIS_URL: redis.url,
          REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
          PORT: '0',
          WORKER_PORT: '0',
          SHUTDOWN_DELAY_MS: '0',
          WEBHOOK_CA_FILE: authority.certificateFile,
          WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
          ...appSettings,
        };
        const program = await programOf(app, checkout);
        const files = { logFile: `${id}.log`, recordFile: `${id}.json` };
        const service = await startAppProcess(app, { environment, ...files, program });
        closers.add(id, () => service.stop());
        return { pid: service.pid, url: appUrl(await untilReady(service)), stop: () => service.stop() };
      },
      /** Starts a process of the bench itself. */
      async startChild<S extends Serve>(
        module: string,
        options: Parameters<S>[0] & object,
      ): Promise<Child<S>> {
        const child = await startChild<S>(module, options);
        closers.add(module, () => child.stop());
        return child;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Builds the product. Running its TypeScript source would distort the measurement, because tsx names each function again
 * whenever it is created.
 */
async function build(): Promise<void> {
  const manifest = await readFile(path.join(REPOSITORY_ROOT, 'package.json'), 'utf8');
  const { packageManager } = JSON.parse(manifest) as { packageManager: string };
  const filters = ['--filter=@deal-signals/api', '--filter=@deal-signals/worker'];
  const { exitCode, output } = await runCommand(
    'npx',
    ['--yes', packageManager, 'exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only'],
    { directory: REPOSITORY_ROOT },
  );
  if (exitCode !== 0) throw new Error(`the build failed:\n${output}`);
}

/** Returns the Node.js arguments with which the image of an app starts it, for the app that is built in a checkout. */
async function programOf(app: AppName, checkout: string): Promise<string[]> {
  const dockerfile = await readFile(path.join(checkout, 'docker/Dockerfile'), 'utf8');
  const command = dockerfile
    .split('\n')
    .filter((line) => line.startsWith('CMD '))
    .map((line) => JSON.parse(line.slice('CMD '.length)) as string[])
    .find((words) => words.at(-1) === `apps/${app}/dist/main.js`);
  if (command === undefined) throw new Error(`docker/Dockerfile has no CMD for the ${app}`);
  return [...command.slice(1, -1), path.resolve(checkout, command.at(-1)!)];
}
