import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AppName,
  startApp as startAppProcess,
  untilApiReady,
  untilWorkerReady,
} from '@deal-signals/local-stack/processes/app-process';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import type { ServiceExit, ServiceProcess } from '@deal-signals/local-stack/processes/service-process';
import { afterAll } from '@jest/globals';
import { currentTestRun } from './test-run.ts';
import { until } from './until.ts';

export interface RunningApp {
  readonly pid: number;
  /** The environment it was started with. */
  readonly env: NodeJS.ProcessEnv;
  /** Base URL of the API, `/api/v1` included; empty for the worker. */
  readonly baseUrl: string;
  readonly exited: Promise<ServiceExit>;
  /** Everything it has written so far, standard output and standard error. */
  output(): string;
  /** Waits for text in its output. */
  waitForOutput(pattern: RegExp | string, options?: { timeoutMs?: number }): Promise<void>;
  /** Ends it in an orderly way; gives its exit code, or null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it at once, as a crash would. */
  kill9(): Promise<void>;
}

/** Secrets that the apps of a test share. */
export const TEST_SECRETS = {
  SESSION_JWT_SECRET: 'test-session-secret-of-a-decent-length',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

const running = new Set<ServiceProcess>();

// Runs before the hooks of the test file, which may drop the database that the apps still use.
afterAll(async () => {
  await Promise.all([...running].map((service) => service.stop('SIGKILL')));
});

/**
 * Starts the API or the worker as a real process and waits until it is ready. It is ended with the test file at the
 * latest.
 *
 * @param env at least `DATABASE_URL`, and `REDIS_URL` from `createTestRedis`; an undefined value unsets a variable.
 *   Secrets, the receivers' certificate authority and a free `PORT` are filled in.
 * @param options.waitUntilReady false for an app that is not meant to come up.
 * @throws Error with its output when it does not become ready.
 */
export function startApp(
  app: AppName,
  env: Record<string, string | undefined>,
  { waitUntilReady = true }: { waitUntilReady?: boolean } = {},
): Promise<RunningApp> {
  const { folder, caFile } = currentTestRun();
  return onFreePort(0, async (freePort) => {
    const id = path.join(folder, 'apps', `${app}-${randomUUID()}`);
    const logFile = `${id}.log`;
    const environment = {
      ...inheritedEnvironment(),
      ...TEST_SECRETS,
      PORT: String(freePort),
      WORKER_PORT: '0',
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      ...env,
    };
    const service = await startAppProcess(app, { environment, logFile, recordFile: `${id}.json` });
    running.add(service);
    void service.exited.then(() => running.delete(service));
    const port = Number(environment.PORT);
    try {
      if (waitUntilReady) {
        await (app === 'api' ? untilApiReady(service, port) : untilWorkerReady(service, logFile));
      }
    } catch (error) {
      await service.stop('SIGKILL');
      throw error;
    }
    return asRunningApp(
      service,
      environment,
      logFile,
      app === 'api' ? `http://127.0.0.1:${port}/api/v1` : '',
    );
  });
}

function asRunningApp(
  service: ServiceProcess,
  env: NodeJS.ProcessEnv,
  logFile: string,
  baseUrl: string,
): RunningApp {
  const output = () => readFileSync(logFile, 'utf8');
  return {
    pid: service.pid,
    env,
    baseUrl,
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

/** Without what is meant for the test process alone. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _jestFlags, DATABASE_URL: _database, REDIS_URL: _redis, ...rest } = process.env;
  return rest;
}
