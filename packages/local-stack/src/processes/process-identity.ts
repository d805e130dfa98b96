import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What is known of a running process. */
export interface ProcessEntry {
  parentPid: number;
  /** When it started, in whatever unit this system counts; only good for comparing. */
  startedAt: string;
  /** Its command line, blank-separated. */
  commandLine: string;
}

/**
 * Looks a process up. A pid alone says little, since pids are used again: pid and start time together name a process.
 *
 * @returns undefined when there is none; a zombie counts as none.
 */
export function findProcess(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux' ? readProcFolder(pid) : askPs(pid);
}

/** Slim container images come without `ps`, so Linux is asked directly. */
function readProcFolder(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold blanks and parentheses; the numbered fields begin behind its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parentPid] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { parentPid: Number(parentPid), startedAt: fields[19] ?? '', commandLine };
  } catch {
    return undefined;
  }
}

function askPs(pid: number): ProcessEntry | undefined {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'stat=,ppid=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // `lstart` is always five words: Mon Jan 2 15:04:05 2026.
    const [state = '', parentPid, ...words] = line.trim().split(/\s+/);
    if (state.startsWith('Z')) return undefined;
    return {
      parentPid: Number(parentPid),
      startedAt: words.slice(0, 5).join(' '),
      commandLine: words.slice(5).join(' '),
    };
  } catch {
    return undefined;
  }
}

/** Whether the process that had this pid and start time still runs. */
export function stillRuns(pid: number, startedAt: string): boolean {
  return findProcess(pid)?.startedAt === startedAt;
}
