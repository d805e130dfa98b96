import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@deal-signals/test-kit/until';
import { describe, expect, test } from '@jest/globals';
import { findProcess } from '../../src/processes/process-identity.ts';
import {
  type ServiceProcess,
  startService,
  stopRecordedService,
} from '../../src/processes/service-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const POLITE = "console.log('up'); setInterval(() => {}, 1000)";
const STUBBORN = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)";

async function start(folder: string, script: string, stopTimeoutMs = 5_000): Promise<ServiceProcess> {
  const service = await startService({
    name: 'Sample',
    command: process.execPath,
    args: ['-e', script],
    logFile: path.join(folder, 'sample.log'),
    logMode: 'append',
    recordFile: path.join(folder, 'sample.json'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
  });
  await until('the sample to be up', async () => (await service.lastLogLines(1)) === 'up');
  return service;
}

describe('startService', () => {
  test('ends a service with its stop signal', async () => {
    const service = await start(await temporaryFolder(), POLITE);
    expect(service.exit()).toBeUndefined();
    expect(await service.stop()).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(await service.stop()).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('kills a service that does not end in time', async () => {
    const service = await start(await temporaryFolder(), STUBBORN, 100);
    expect(await service.stop()).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test('runs a service in its own process group, which a Ctrl-C in the terminal does not reach', async () => {
    const service = await start(await temporaryFolder(), POLITE);
    // Signal 0 only checks whether the process group exists.
    expect(() => process.kill(-service.pid, 0)).not.toThrow();
    await service.stop();
  });

  test('receives the port that a service announces, and then closes the channel', async () => {
    const folder = await temporaryFolder();
    const service = await startService({
      name: 'Announcer',
      command: process.execPath,
      args: [
        '-e',
        `const { existsSync } = require('node:fs');
         const waiting = setInterval(() => {
           if (!existsSync('go')) return;
           clearInterval(waiting);
           process.send('hello');
           process.send({ listening: { port: 4321 } });
         }, 10);
         process.on('disconnect', () => console.log('disconnected'));
         setInterval(() => {}, 1000);`,
      ],
      directory: folder,
      logFile: path.join(folder, 'log'),
      logMode: 'truncate',
      recordFile: path.join(folder, 'record'),
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 5_000,
      hasChannel: true,
    });
    expect(service.port()).toBeUndefined();
    await writeFile(path.join(folder, 'go'), '');
    await until('the port', () => service.port() === 4321);
    await until('the end of the channel', async () => (await service.lastLogLines(1)) === 'disconnected');
    await service.stop();
  });

  test('reports a command that does not exist', async () => {
    const folder = await temporaryFolder();
    await expect(
      startService({
        name: 'Nothing',
        command: path.join(folder, 'missing'),
        args: [],
        logFile: path.join(folder, 'log'),
        logMode: 'append',
        recordFile: path.join(folder, 'record'),
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 1_000,
      }),
    ).rejects.toThrow(/Nothing cannot be started: .*ENOENT/);
  });
});

describe('stopRecordedService', () => {
  test.each([
    ['polite', POLITE, 5_000],
    ['stubborn', STUBBORN, 100],
  ])('ends a %s process that an earlier start left running', async (_kind, script, stopTimeoutMs) => {
    const folder = await temporaryFolder();
    const leftover = await start(folder, script, stopTimeoutMs);
    expect(await stopRecordedService(path.join(folder, 'sample.json'))).toBe(true);
    expect(findProcess(leftover.pid)).toBeUndefined();
    expect(await stopRecordedService(path.join(folder, 'sample.json'))).toBe(false);
  });

  test('does not end a process with the same pid but another start time', async () => {
    const folder = await temporaryFolder();
    const stranger = await start(folder, POLITE);
    const recordFile = path.join(folder, 'sample.json');
    const record = JSON.parse(await readFile(recordFile, 'utf8')) as object;
    await writeFile(recordFile, JSON.stringify({ ...record, startedAt: 'long ago' }));
    expect(await stopRecordedService(recordFile)).toBe(false);
    expect(findProcess(stranger.pid)).toBeDefined();
    await stranger.stop();
  });
});
