import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AppName,
  appUrl,
  startApp as startAppProcess,
  untilListening,
  untilReady,
} from '@deal-signals/local-stack/processes/app-process';
import type { ServiceExit, ServiceProcess } from '@deal-signals/local-stack/processes/service-process';
import { afterAll } from '@jest/globals';
import { urlFor } from './databases/database-roles.ts';
import { currentTestRun } from './test-run.ts';
import { until } from './until.ts';

export interface RunningApp {
  readonly pid: number;
  /** The environment that the app was started with. */
  readonly env: NodeJS.ProcessEnv;
  /** Base URL of the health endpoints and metrics. Empty if the app ended before it listened. */
  readonly url: string;
  /** Base URL of the API, including `/api/v1`. Empty for the worker. */
  readonly baseUrl: string;
  readonly exited: Promise<ServiceExit>;
  /** Returns everything that the app has written so far to standard output and standard error. */
  output(): string;
  /** Waits until the output contains a text or matches an expression. */
  waitForOutput(pattern: RegExp | string, options?: { timeoutMs?: number }): Promise<void>;
  /** Asks the app to end and waits. Returns its exit code, or null if a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Kills the app, as a crash would. */
  kill9(): Promise<void>;
}

export interface StartAppOptions {
  /** False for an app that is not meant to become ready: waits until it listens or has ended. */
  waitUntilReady?: boolean;
  /** The folder of `buildApps` that contains the app, if it is not that of this test run. */
  builtFolder?: string;
}

/** Secrets that the apps of a test share. */
export const TEST_SECRETS = {
  SESSION_JWT_SECRET: 'test-session-secret-of-a-decent-length',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

const running = new Set<ServiceProcess>();

// Runs before the hooks of the test file, which may drop a database that the apps still use.
afterAll(async () => {
  await Promise.all([...running].map((service) => service.stop('SIGKILL')));
});

/**
 * Starts the API or the worker, as built at the start of the run, as a real process and waits until it is ready. The app ends
 * with the test file at the latest.
 *
 * @param env at least `DATABASE_URL`, and `REDIS_URL` from `createTestRedis`. An undefined value unsets a variable. Secrets,
 * the receivers' certificate authority and free ports are filled in. On the server of the run, the role of the apps replaces
 * the superuser.
 * @throws Error with its output if it does not become ready.
 */
export async function startApp(
  app: AppName,
  env: Record<string, string | undefined>,
  { waitUntilReady = true, builtFolder = currentTestRun().builtFolder }: StartAppOptions = {},
): Promise<RunningApp> {
  const { folder, caFile } = currentTestRun();
  const id = path.join(folder, 'apps', `${app}-${randomUUID()}`);
  const logFile = `${id}.log`;
  const environment = {
    ...inheritedEnvironment(),
    ...TEST_SECRETS,
    PORT: '0',
    WORKER_PORT: '0',
    // Tests have no load balancer that must notice the end of a process.
    SHUTDOWN_DELAY_MS: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Without a limit, because the rows of the tests are from the first seconds of 2026.
    RETENTION_DAYS: '0',
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    ...env,
    DATABASE_URL: asAppRole(env['DATABASE_URL']),
  };
  const program = ['--enable-source-maps', path.join(builtFolder, 'apps', app, 'dist/main.js')];
  const service = await startAppProcess(app, { environment, logFile, recordFile: `${id}.json`, program });
  running.add(service);
  void service.exited.then(() => running.delete(service));
  try {
    const port = await (waitUntilReady ? untilReady(service) : untilListening(service));
    const url = port === undefined ? '' : appUrl(port);
    const baseUrl = app === 'api' && url !== '' ? `${url}/api/v1` : '';
    return asRunningApp(service, environment, logFile, { url, baseUrl });
  } catch (error) {
    await service.stop('SIGKILL');
    throw error;
  }
}

/** Returns the URL of a test database for the role that the apps have in production. Only the server of the run has this role. */
function asAppRole(databaseUrl: string | undefined): string | undefined {
  // A list of hosts cannot be parsed.
  if (databaseUrl === undefined || !URL.canParse(databaseUrl)) return databaseUrl;
  const server = new URL(currentTestRun().postgresUrl);
  const { host, username } = new URL(databaseUrl);
  return host === server.host && username === server.username
    ? urlFor('signals_app', databaseUrl)
    : databaseUrl;
}

function asRunningApp(
  service: ServiceProcess,
  env: NodeJS.ProcessEnv,
  logFile: string,
  urls: Pick<RunningApp, 'url' | 'baseUrl'>,
): RunningApp {
  const output = () => readFileSync(logFile, 'utf8');
  return {
    pid: service.pid,
    env,
    ...urls,
    exited: service.exited,
    output,
    async waitForOutput(pattern, options) {
      await until(
        `output of ${service.name} to match ${pattern}`,
        () => (typeof pattern === 'string' ? output().includes(pattern) : pattern.test(output())),
        options,
      );
    },
    stop: async (signal) => (await service.stop(signal)).exitCode,
    async kill9() {
      await service.stop('SIGKILL');
    },
  };
}

/** Returns the environment without the variables that are meant for the test process alone. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _jestFlags, DATABASE_URL: _database, REDIS_URL: _redis, ...rest } = process.env;
  return rest;
}
