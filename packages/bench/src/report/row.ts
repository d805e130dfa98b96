import type { CpuTimes } from '../measure/cpu.ts';
import type { Spread } from '../measure/spread.ts';

/** What a row must reach. */
export interface Target {
  /** What is compared: the ratio, the value, or the CPU time of all processes together. */
  of: 'ratio' | 'value' | 'cpu';
  atLeast?: number;
  /** Not reached by an equal value. */
  below?: number;
  atMost?: number;
}

/** One line of the report: one contestant on one path. */
export interface Row {
  /** The option of `--only` that runs it. */
  group: string;
  path: string;
  contestant: string;
  unit: string;
  value: Spread;
  /** The value is a cost, such as a time or memory: a ratio says how many times more it is, not how many times faster. */
  isCost?: true;
  /** CPU milliseconds for each unit of work, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
  /** Compared with another contestant of the same path. */
  ratio?: Spread & { to: string };
  targets: Target[];
  /** What a reader has to know about this measurement. */
  notes: string[];
}

/** Processes that stand for the customer: their time is shown, but not added. */
const OF_THE_CUSTOMER = new Set(['loader', 'receiver']);

/** The CPU time of all processes that serve the customer; null where it cannot be read. */
export function totalCpu({ cpuMs }: Row): number | null {
  const times = Object.entries(cpuMs).filter(([name]) => !OF_THE_CUSTOMER.has(name));
  return times.length === 0 ? null : times.reduce((total, [, ms]) => total + ms, 0);
}

/** Whether a row has reached a target; null if it was not measured. */
export function hasReached(row: Row, { of, atLeast, below, atMost }: Target): boolean | null {
  const measured = { ratio: row.ratio?.median, value: row.value.median, cpu: totalCpu(row) }[of];
  if (measured === undefined || measured === null) return null;
  return (
    (atLeast === undefined || measured >= atLeast) &&
    (below === undefined || measured < below) &&
    (atMost === undefined || measured <= atMost)
  );
}

/**
 * The ratio of a row by CPU time instead of the clock: it says the same on a machine that others keep busy. Null where CPU
 * times cannot be read, or if there is nothing to compare with.
 */
export function cpuRatio(row: Row, rows: readonly Row[]): number | null {
  const base = rows.find(({ path, contestant }) => path === row.path && contestant === row.ratio?.to);
  const own = totalCpu(row);
  const other = base === undefined ? null : totalCpu(base);
  const [dividend, divisor] = row.isCost === true ? [own, other] : [other, own];
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}
