import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAnnouncedPort } from '../src/listening.ts';

const MODULE = JSON.stringify(new URL('../src/listening.ts', import.meta.url));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'listening-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a program that can call `announcePort`, with or without a channel to this process. */
function start(program: string, channel: 'ipc' | 'ignore'): ChildProcess {
  const { NODE_OPTIONS: _jestFlags, ...environment } = process.env;
  const source = `const { announcePort } = await import(${MODULE}); ${program}`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', channel],
  });
}

async function waitForExit(child: ChildProcess): Promise<{ exitCode: number | null; stderr: string }> {
  const [stderr, [exitCode]] = await Promise.all([
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { exitCode, stderr };
}

test('a port is announced to the parent, and the channel does not keep the process alive', async () => {
  const child = start('announcePort(4321);', 'ipc');
  const [[message], end] = await Promise.all([
    once(child, 'message') as Promise<[unknown]>,
    waitForExit(child),
  ]);
  expect(readAnnouncedPort(message)).toBe(4321);
  expect(end).toEqual({ exitCode: 0, stderr: '' });
});

test('a process without a channel announces nothing', async () => {
  expect(await waitForExit(start('announcePort(4321);', 'ignore'))).toEqual({ exitCode: 0, stderr: '' });
});

test('a process whose parent was killed survives', async () => {
  const file = (name: string) => path.join(folder, name);
  // It sleeps without returning to the event loop, so that it cannot notice the end of its parent before it announces its port.
  const orphan = `
    const { existsSync, writeFileSync } = await import('node:fs');
    writeFileSync('${file('up')}', '');
    while (!existsSync('${file('go')}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    announcePort(4321);
    setTimeout(() => { announcePort(4321); setTimeout(() => writeFileSync('${file('survived')}', 'yes'), 50); }, 50);`;
  const parent = start(
    `const { spawn } = await import('node:child_process');
     const source = ${JSON.stringify(`const { announcePort } = await import(${MODULE}); ${orphan}`)};
     spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source],
       { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });`,
    'ignore',
  );
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => undefined);
  await until('the child to be up', async () => (await read('up')) !== undefined);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await writeFile(file('go'), '');
  await until('the child to have survived', async () => (await read('survived')) === 'yes');
});
