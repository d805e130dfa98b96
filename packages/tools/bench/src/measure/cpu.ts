import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of a contestant, by the names that the report shows. */
export type Processes = Readonly<Record<string, number>>;

/** CPU time of each process, in milliseconds. */
export type CpuTimes = Record<string, number>;

/** Linux reports CPU time to user space in hundredths of a second, whatever the tick rate of the kernel. */
const MS_PER_TICK = 10;
/** Positions in `/proc/<pid>/stat`, after the name of the process. */
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const ENDED_CHILDREN_USER = 13;
const ENDED_CHILDREN_SYSTEM = 14;

/** Whether the CPU time of other processes can be read on this machine. */
export const canReadCpu = readStat(process.pid) !== null;

/**
 * Returns the CPU time that each process and its direct children have used since they started. The children of PostgreSQL
 * are its connections, including those that ended. Empty on a machine without `/proc`.
 */
export function readCpu(processes: Processes): CpuTimes {
  if (!canReadCpu) return {};
  const children = childrenOf(new Set(Object.values(processes)));
  return Object.fromEntries(
    Object.entries(processes).map(([name, pid]) => {
      const own = readStat(pid);
      const ticks =
        (own === null ? 0 : sum(own, [USER, SYSTEM, ENDED_CHILDREN_USER, ENDED_CHILDREN_SYSTEM])) +
        (children.get(pid) ?? []).reduce((total, stat) => total + sum(stat, [USER, SYSTEM]), 0);
      return [name, ticks * MS_PER_TICK];
    }),
  );
}

/** Returns the CPU time that each process used between two readings, per unit of work. */
export function cpuPerUnit(before: CpuTimes, after: CpuTimes, units: number): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / units]),
  );
}

function childrenOf(parents: ReadonlySet<number>): Map<number, string[][]> {
  const found = new Map<number, string[][]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    const parent = Number(stat?.[PARENT]);
    if (stat === null || !parents.has(parent)) continue;
    const list = found.get(parent) ?? [];
    list.push(stat);
    found.set(parent, list);
  }
  return found;
}

/** Returns the fields after the process name, which is in parentheses and may contain spaces. Null for a process that ended. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function sum(stat: readonly string[], fields: readonly number[]): number {
  return fields.reduce((total, field) => total + Number(stat[field] ?? 0), 0);
}
