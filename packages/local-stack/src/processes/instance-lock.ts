import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { findProcess, stillRuns } from './process-identity.ts';

export interface InstanceLock {
  release(): Promise<void>;
}

/** Another start of this checkout is running. */
export class AlreadyRunningError extends Error {
  readonly pid: number;

  constructor(pid: number) {
    super(
      `The stack of this checkout runs already (process ${pid}). Stop it first, with Ctrl-C in its terminal.`,
    );
    this.pid = pid;
  }
}

const holderSchema = z.object({ pid: z.int(), startedAt: z.string() });
const LOCK_NAME = /^lock-(\d+)\.json$/;

/**
 * Takes the folder for this process. A lock whose holder no longer runs is taken over.
 *
 * The lock is the file with the highest number. To take over a stale one means to create the next number, which only one
 * can do; a stale file is never removed before that, because two who want to remove the same one could remove each
 * other's instead.
 *
 * @throws AlreadyRunningError when its holder runs.
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
      // A hard link appears with its content, and fails when the name is taken.
      if (!(await tryLink(draft, lockFile(folder, mine)))) continue;
      // Whoever looked before an even higher number was created, and the files below it removed, was too late.
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

/** Whether a process had locked the folder and ended without releasing it. A folder that was never locked is not. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const numbers = await lockNumbers(folder);
  return numbers.length > 0 && (await runningHolder(folder, Math.max(...numbers))) === undefined;
}

/** The process that holds the lock of this number, unless it has ended. */
async function runningHolder(folder: string, number: number): Promise<number | undefined> {
  const text = await readFile(lockFile(folder, number), 'utf8').catch(() => undefined);
  const holder = parseHolder(text);
  return holder !== undefined && stillRuns(holder.pid, holder.startedAt) ? holder.pid : undefined;
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const number = LOCK_NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
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

function parseHolder(text: string | undefined): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}
