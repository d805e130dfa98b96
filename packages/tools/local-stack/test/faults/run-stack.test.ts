import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readStartOptions } from '../../src/commands/start-options.ts';
import { readStackFile } from '../../src/files/stack-file.ts';
import { createClosers } from '../../src/processes/closers.ts';
import { AlreadyRunningError } from '../../src/processes/instance-lock.ts';
import { findProcess } from '../../src/processes/process-identity.ts';
import { type RunningStack, type StackRun, runStack } from '../../src/run-stack.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Started extends StackRun {
  said: string[];
  up: Promise<RunningStack>;
  close(): Promise<void>;
}

const runs: Started[] = [];

// A test that fails halfway must not leave a stack running.
afterEach(async () => {
  for (const run of runs.splice(0)) {
    await run.up.catch(() => {});
    await run.close();
  }
});

/** Starts an empty stack in a folder and returns before it is up. Ignores the environment's PostgreSQL and Redis. */
function start(folder: string, settings: NodeJS.ProcessEnv = {}): Started {
  const { NODE_OPTIONS: _jestFlags, DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const environment = { ...inherited, PORT: '0', ...settings };
  const stopping = new AbortController();
  const closers = createClosers();
  const said: string[] = [];
  const run: StackRun = {
    folder,
    environment,
    closers,
    signal: stopping.signal,
    fail: (error) => stopping.abort(error),
    hurry: new AbortController().signal,
    say: (line) => said.push(line),
    onDelivery: () => {},
  };
  const started: Started = {
    ...run,
    said,
    up: runStack(readStartOptions(['--no-demo'], environment), run),
    async close() {
      stopping.abort(new Error('stopped by the test'));
      await closers.closeAll((what, error) => {
        throw new Error(`${what} did not end`, { cause: error });
      });
    },
  };
  runs.push(started);
  return started;
}

/** The pids in the record files of a stack. */
async function recordedPids(folder: string): Promise<number[]> {
  const files = ['api.process.json', 'worker.process.json', 'postgres/process.json', 'redis/process.json'];
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(folder, file), 'utf8').catch(() => '')),
  );
  return texts.filter((text) => text !== '').map((text) => (JSON.parse(text) as { pid: number }).pid);
}

describe('runStack', () => {
  test('starts everything, rejects a second start, and leaves nothing running', async () => {
    const folder = await temporaryFolder();
    const first = start(folder, { LOG_LEVEL: 'error' });
    const { stack } = await first.up;
    expect(await readStackFile(folder)).toEqual(stack);
    expect(stack).toMatchObject({ companies: [], caFile: path.join(folder, 'ca.pem') });
    // The developer's own receiver can use this certificate.
    const [receiver, authority] = await Promise.all(
      ['localhost.crt', 'ca.pem'].map(
        async (file) => new X509Certificate(await readFile(path.join(folder, file))),
      ),
    );
    expect([receiver!.checkHost('localhost'), receiver!.checkIP('127.0.0.1')]).toEqual([
      'localhost',
      '127.0.0.1',
    ]);
    expect(receiver!.checkIssued(authority!)).toBe(true);
    const response = await fetch(`${stack.apiUrl}/status`);
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'API_KEY_INVALID' }),
    ]);

    const ready = await fetch(`${stack.workerUrl}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
    const logs = ['api.log', 'worker.log'].map((name) => readFile(path.join(folder, name), 'utf8'));
    expect(await Promise.all(logs)).toEqual(['', '']);

    await expect(start(folder).up).rejects.toBeInstanceOf(AlreadyRunningError);

    const pids = await recordedPids(folder);
    expect(pids).toHaveLength(4);
    expect(pids.map(findProcess)).not.toContain(undefined);
    await first.close();
    expect(pids.map(findProcess)).toEqual([undefined, undefined, undefined, undefined]);
    expect((await readdir(folder)).filter((name) => /^(stack|lock)/.test(name))).toEqual([]);
  });

  test('names the variable whose value an app rejects, and leaves nothing running', async () => {
    const folder = await temporaryFolder();
    const broken = start(folder, { DISPATCH_BATCH: 'many' });
    await expect(broken.up).rejects.toThrow(/The worker ended \(exit code 1\)[\s\S]*DISPATCH_BATCH/);
    await broken.close();
    expect(await recordedPids(folder)).toEqual([]);
    expect(await readStackFile(folder)).toBeUndefined();
  });
});
