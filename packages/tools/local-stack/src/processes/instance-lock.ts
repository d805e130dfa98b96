import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readJson } from '../files/private-file.ts';
import { findProcess, stillRuns } from './process-identity.ts';

export interface InstanceLock {
  release(): Promise<void>;
}

/** Thrown if another process is already running the stack of this checkout. */
export class AlreadyRunningError extends Error {
  readonly pid: number;

  constructor(pid: number) {
    super(
      `The stack of this checkout is already running (process ${pid}). Stop it first, with Ctrl-C in its terminal.`,
    );
    this.pid = pid;
  }
}

const holderSchema = z.object({ pid: z.int(), startedAt: z.string() });
const LOCK_NAME = /^lock-(\d+)\.json$/;

/**
 * Locks the folder for this process. A lock whose holder has ended is taken over.
 *
 * The lock is the file with the highest number. A process takes over a stale lock by creating the file with the next
 * number, which only one process can do, and deletes the stale file afterwards. If it deleted the stale file first, it
 * might delete the new lock of another process that was faster.
 *
 * @throws AlreadyRunningError if the holder is running.
 */
export async function lockInstance(folder: string): Promise<InstanceLock> {
  await mkdir(folder, { recursive: true });
  const startedAt = findProcess(process.pid)?.startedAt ?? '';
  const draft = path.join(folder, `lock-draft-${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ pid: process.pid, startedAt }), { mode: 0o600 });
  try {
    for (;;) {
      const numbers = await lockNumbers(folder);
      const highest = Math.max(0, ...numbers);
      const holder = await runningHolder(folder, highest);
      if (holder !== undefined) throw new AlreadyRunningError(holder);
      const mine = highest + 1;
      // A hard link appears complete with its content, and fails if the name exists.
      if (!(await tryLink(draft, lockFile(folder, mine)))) continue;
      // A faster process may have created a higher number and deleted the lower ones since we listed them.
      if (Math.max(...(await lockNumbers(folder))) === mine) {
        await Promise.all(numbers.map((number) => rm(lockFile(folder, number), { force: true })));
        return { release: () => rm(lockFile(folder, mine), { force: true }) };
      }
      await rm(lockFile(folder, mine), { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Returns whether a process locked the folder and ended without releasing it. False for a folder that was never locked, and
 * for one that cannot be read: its process has just removed it, or it belongs to another user.
 */
export async function isAbandoned(folder: string): Promise<boolean> {
  const numbers = await lockNumbers(folder).catch(() => []);
  return numbers.length > 0 && (await runningHolder(folder, Math.max(...numbers))) === undefined;
}

/** Returns the pid of the process that holds the lock with this number. Undefined if it has ended. */
async function runningHolder(folder: string, number: number): Promise<number | undefined> {
  const holder = await readJson(lockFile(folder, number), holderSchema, '').catch(() => undefined);
  return holder !== undefined && stillRuns(holder.pid, holder.startedAt) ? holder.pid : undefined;
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? []).map(Number);
}

function lockFile(folder: string, number: number): string {
  return path.join(folder, `lock-${number}.json`);
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
