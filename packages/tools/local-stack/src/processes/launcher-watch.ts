import path from 'node:path';
import { findProcess, stillRuns } from './process-identity.ts';

const POLL_MS = 1_000;
/** How many ancestors to check: the wrapper shell of pnpm, pnpm, the wrapper shell of npm, npx, and a few to spare. */
const MAX_ANCESTORS = 6;

/**
 * Detects that the pnpm or npx that started this process has ended. Neither forwards every signal: `kill` on npx ends only
 * npx, and this process would keep running unnoticed.
 *
 * @param onGone called once.
 * @returns a function that ends the watch.
 */
export function watchLaunchers(onGone: () => void): () => void {
  const launchers = findLaunchers();
  const timer = setInterval(() => {
    if (launchers.every(({ pid, startedAt }) => stillRuns(pid, startedAt))) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Finds the pnpm that runs this process and the npx that runs that pnpm, and skips the shells between them. */
function findLaunchers(): { pid: number; startedAt: string }[] {
  const launchers: { pid: number; startedAt: string }[] = [];
  let pid = process.ppid;
  for (let level = 0; level < MAX_ANCESTORS && pid > 1; level += 1) {
    const entry = findProcess(pid);
    if (entry === undefined) break;
    const name = launcherName(entry.commandLine);
    if (name !== undefined) launchers.push({ pid, startedAt: entry.startedAt });
    else if (!isWrapperShell(entry.commandLine)) break;
    // The parent of npx is the caller's shell, which may end while the stack keeps running.
    if (name === 'npm' || name === 'npx') break;
    pid = entry.parentPid;
  }
  return launchers;
}

/** Returns the launcher's name, or undefined. npm sets its title to `npm exec …`. The others are Node scripts or binaries. */
function launcherName(commandLine: string): string | undefined {
  const [program = '', script = ''] = commandLine.split(' ');
  const words = path.basename(program) === 'node' ? script : program;
  return /^(npm|npx|pnpm|pnpx)(-cli)?(\.[cm]?js)?$/.exec(path.basename(words))?.[1];
}

/** Returns whether this is a shell that runs a single command, which is how npm and pnpm run a script. */
function isWrapperShell(commandLine: string): boolean {
  return /^(\S*\/)?(sh|dash|bash|zsh) -c /.test(commandLine);
}
