import path from 'node:path';
import { findProcess, stillRuns } from './process-identity.ts';

const POLL_MS = 1_000;
/** How far up to look: our wrapper shell, pnpm, npm's wrapper shell, npx, and some to spare. */
const MOST_ANCESTORS = 6;

/**
 * Notices when the pnpm or npx that started this process is gone. Neither passes every signal on: `kill` on npx ends npx
 * alone, and what it started would run on unseen.
 *
 * @param onGone called once.
 * @returns what ends the watch.
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

/** The pnpm that runs this process, and the npx that runs that pnpm; the shells between them do not count. */
function findLaunchers(): { pid: number; startedAt: string }[] {
  const launchers: { pid: number; startedAt: string }[] = [];
  let pid = process.ppid;
  for (let level = 0; level < MOST_ANCESTORS && pid > 1; level += 1) {
    const entry = findProcess(pid);
    if (entry === undefined) break;
    const name = launcherName(entry.commandLine);
    if (name !== undefined) launchers.push({ pid, startedAt: entry.startedAt });
    else if (!isWrapperShell(entry.commandLine)) break;
    // Beyond npx is whoever asked for it, who may leave.
    if (name === 'npm' || name === 'npx') break;
    pid = entry.parentPid;
  }
  return launchers;
}

/** npm calls itself `npm exec …`; others are a script that Node runs, or a program of their own. */
function launcherName(commandLine: string): string | undefined {
  const [program = '', script = ''] = commandLine.split(' ');
  const words = path.basename(program) === 'node' ? script : program;
  return /^(npm|npx|pnpm|pnpx)(-cli)?(\.[cm]?js)?$/.exec(path.basename(words))?.[1];
}

/** A shell that runs one given command, as npm and pnpm put between themselves and a script. */
function isWrapperShell(commandLine: string): boolean {
  return /^(\S*\/)?(sh|dash|bash|zsh) -c /.test(commandLine);
}
