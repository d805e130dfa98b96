import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A running process. */
export interface ProcessEntry {
  parentPid: number;
  /** Start time in a format that depends on the system. Use it only for comparisons. */
  startedAt: string;
  /** Command line, separated by spaces. */
  commandLine: string;
}

/**
 * Looks up a process. Pids are reused, so a process is identified by its pid and its start time together.
 *
 * @returns undefined if the process does not exist or is a zombie.
 */
export function findProcess(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux' ? readProcFolder(pid) : askPs(pid);
}

/** Reads `/proc`, because slim container images have no `ps`. */
function readProcFolder(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and parentheses. The other fields begin after its closing parenthesis.
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

/** Returns whether the process with this pid and start time is still running. */
export function stillRuns(pid: number, startedAt: string): boolean {
  return findProcess(pid)?.startedAt === startedAt;
}
