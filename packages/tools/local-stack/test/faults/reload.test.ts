import { utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, expect, test } from '@jest/globals';
import { readStartOptions } from '../../src/commands/start-options.ts';
import { REPOSITORY_ROOT } from '../../src/files/local-folder.ts';
import type { AppName } from '../../src/processes/app-process.ts';
import { createClosers } from '../../src/processes/closers.ts';
import { findProcess } from '../../src/processes/process-identity.ts';
import { runStack } from '../../src/run-stack.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const closers = createClosers();
const stopping = new AbortController();

afterEach(async () => {
  stopping.abort(new Error('stopped by the test'));
  await closers.closeAll((what, error) => {
    throw new Error(`${what} did not end`, { cause: error });
  });
});

/** Changes the modification time of a source file, but not its content. */
function touch(file: string): void {
  utimesSync(path.join(REPOSITORY_ROOT, file), new Date(), new Date());
}

test('pnpm start --reload restarts the apps whose sources change, and survives an app that ends', async () => {
  const folder = await temporaryFolder();
  const { NODE_OPTIONS: _jestFlags, DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const environment = { ...inherited, PORT: '0' };
  const said: string[] = [];
  const { stack } = await runStack(readStartOptions(['--no-demo', '--reload'], environment), {
    folder,
    environment,
    closers,
    signal: stopping.signal,
    fail: (error) => stopping.abort(error),
    hurry: new AbortController().signal,
    say: (line) => said.push(line),
    onDelivery: () => {},
  });
  const pidOf = async (app: AppName) => {
    const record = await readFile(path.join(folder, `${app}.process.json`), 'utf8');
    return (JSON.parse(record) as { pid: number }).pid;
  };
  /** Waits until an app has another process and its restart is reported. */
  const untilReplaced = (app: AppName, pid: number) =>
    until(
      `another process of the ${app}`,
      async () => (await pidOf(app)) !== pid && said.at(-1)?.includes('has restarted'),
    );
  const [api, worker] = [await pidOf('api'), await pidOf('worker')];

  touch('apps/api/src/config.ts');
  await untilReplaced('api', api);
  expect(said.slice(-2)).toEqual([
    'apps/api/src/config.ts has changed: restarting the API …',
    expect.stringMatching(/^The API has restarted \(\d+\.\d s\)\.$/),
  ]);
  expect([(await fetch(`${stack.apiUrl}/status`)).status, findProcess(api)]).toEqual([401, undefined]);
  expect(await pidOf('worker')).toBe(worker);

  process.kill(await pidOf('api'), 'SIGKILL');
  await until('the end to be reported', () => said.at(-1)?.startsWith('The API ended (signal SIGKILL)'));
  expect(stopping.signal.aborted).toBe(false);

  touch('packages/db/src/database.ts');
  await untilReplaced('worker', worker);
  await until('the API to be back', async () => (await fetch(`${stack.apiUrl}/status`)).status === 401);
  await until('the worker to be ready', async () => (await fetch(`${stack.workerUrl}/readyz`)).ok);
  expect(said.join('\n')).toContain(
    'packages/db/src/database.ts has changed: restarting the API and the worker …',
  );
});
