import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AlreadyRunningError, isAbandoned, lockInstance } from '../../src/processes/instance-lock.ts';
import { findProcess } from '../../src/processes/process-identity.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('lockInstance', () => {
  test('rejects a second start and names the process of the first', async () => {
    const folder = await temporaryFolder();
    const lock = await lockInstance(folder);
    const second = lockInstance(folder);
    await expect(second).rejects.toBeInstanceOf(AlreadyRunningError);
    await expect(second).rejects.toThrow(`is already running (process ${process.pid})`);

    await lock.release();
    const third = await lockInstance(folder);
    await third.release();
    expect(await readdir(folder)).toEqual([]);
    expect(await isAbandoned(folder)).toBe(false);
    // Another run removed the folder after it was listed.
    expect(await isAbandoned(path.join(folder, 'removed'))).toBe(false);
  });

  test('takes over the lock of a process that was killed', async () => {
    const folder = await temporaryFolder();
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(holder, 'spawn');
    const pid = holder.pid!;
    const { startedAt } = findProcess(pid)!;
    await writeFile(path.join(folder, 'lock-1.json'), JSON.stringify({ pid, startedAt }));
    await expect(lockInstance(folder)).rejects.toThrow(`(process ${pid})`);

    expect(await isAbandoned(folder)).toBe(false);

    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await isAbandoned(folder)).toBe(true);
    const lock = await lockInstance(folder);
    await lock.release();
  });

  test('takes over a lock whose pid now belongs to another process', async () => {
    const folder = await temporaryFolder();
    const stranger = { pid: process.pid, startedAt: 'long ago' };
    await writeFile(path.join(folder, 'lock-1.json'), JSON.stringify(stranger));
    const lock = await lockInstance(folder);
    expect(JSON.parse(await readFile(path.join(folder, 'lock-2.json'), 'utf8'))).toEqual({
      pid: process.pid,
      startedAt: findProcess(process.pid)?.startedAt,
    });
    await lock.release();
  });

  test('lets exactly one of many callers take over a stale lock', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'lock-1.json'), '{ half a li');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockInstance(folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock-2.json']);
  });
});
