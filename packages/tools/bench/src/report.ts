import type { CpuTimes } from './measure/cpu.ts';

/** The middle of several measurements, and the quartiles between which half of them lie. */
export interface Spread {
  median: number;
  q1: number;
  q3: number;
}

/** What a row must reach: a bound of the ratio, the value, or the CPU time of all processes together. */
export type Target = readonly [of: 'ratio' | 'value' | 'cpu', sign: '≥' | '<' | '≤', bound: number];

/** One line of the report: one contestant on one path. */
export interface Row {
  /** The option of `--only` that runs it. */
  group: string;
  path: string;
  contestant: string;
  unit: string;
  value: Spread;
  /** The value is a time: a ratio says how many times more it is, not how many times faster. */
  isCost?: true;
  /** CPU milliseconds for each unit of work, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
  /** Compared with another contestant of the same path, round by round. */
  ratio?: Spread & { to: string };
  targets: Target[];
  /** What a reader has to know about this measurement. */
  notes: string[];
}

/** What `--json` writes. */
export interface Measurements {
  /** Lines that say what was run, and on what. */
  machine: string[];
  rows: Row[];
}

type Measured = Pick<Row, 'group' | 'path' | 'contestant' | 'unit' | 'isCost'> &
  Partial<Pick<Row, 'targets' | 'notes'>> & {
    /** The values of the rounds, and what else was measured in them. */
    values: readonly number[];
    cpuTimes?: readonly CpuTimes[];
    ratios?: { to: string; values: readonly number[] };
  };

/** Sums up what was measured in each round. */
export function rowOf({ values, cpuTimes = [], ratios, targets = [], notes = [], ...row }: Measured): Row {
  const processes = new Set(cpuTimes.flatMap((times) => Object.keys(times)));
  const medianOf = (process: string) =>
    quantile(
      cpuTimes.map((times) => times[process] ?? 0),
      0.5,
    );
  return {
    ...row,
    value: spreadOf(values),
    cpuMs: Object.fromEntries(Array.from(processes, (process) => [process, medianOf(process)])),
    ...(ratios && { ratio: { ...spreadOf(ratios.values), to: ratios.to } }),
    targets,
    notes,
  };
}

/** Summarises measurements; there must be at least one. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), q1: quantile(values, 0.25), q3: quantile(values, 0.75) };
}

/** The value below which a share of the measurements lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Processes that stand for the customer: their time is shown, but not added. */
const OF_THE_CUSTOMER = new Set(['loader', 'receiver']);

/** The CPU time of all processes that serve the customer; null where it cannot be read. */
function totalCpu({ cpuMs }: Row): number | null {
  const times = Object.entries(cpuMs).filter(([name]) => !OF_THE_CUSTOMER.has(name));
  return times.length === 0 ? null : times.reduce((total, [, ms]) => total + ms, 0);
}

/** Whether a row has reached a target; null if it was not measured. */
export function hasReached(row: Row, [of, sign, bound]: Target): boolean | null {
  const measured = { ratio: row.ratio?.median, value: row.value.median, cpu: totalCpu(row) }[of];
  if (measured === undefined || measured === null) return null;
  return sign === '≥' ? measured >= bound : sign === '<' ? measured < bound : measured <= bound;
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

const HEAD = ['Path', 'Contestant', 'Median (quartiles)', 'Unit', 'CPU ms a unit', 'Ratio', 'Target'];

/** Writes the rows as a Markdown table whose columns are aligned, with the notes below it. */
export function formatTable(rows: readonly Row[]): string {
  const notes = [...new Set(rows.flatMap((row) => row.notes))];
  const cells = rows.map((row, n) => [
    row.path === rows[n - 1]?.path ? '' : row.path,
    row.contestant + row.notes.map((note) => ` [${notes.indexOf(note) + 1}]`).join(''),
    formatSpread(row.value),
    row.unit,
    formatCpu(row),
    formatRatio(row, rows),
    row.targets.map((target) => formatTarget(row, target)).join('; '),
  ]);
  const widths = HEAD.map((title, n) => Math.max(title.length, ...cells.map((line) => line[n]!.length)));
  const line = (texts: string[]) => `| ${texts.map((text, n) => text.padEnd(widths[n]!)).join(' | ')} |`;
  return [
    line(HEAD),
    line(widths.map((width) => '-'.repeat(width))),
    ...cells.map(line),
    ...(notes.length > 0 ? ['', ...notes.map((note, n) => `[${n + 1}] ${note}`)] : []),
  ].join('\n');
}

function formatSpread({ median, q1, q3 }: Spread): string {
  return q1 === q3
    ? formatNumber(median)
    : `${formatNumber(median)} (${formatNumber(q1)}–${formatNumber(q3)})`;
}

/** Three digits that matter. */
function formatNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function formatCpu(row: Row): string {
  const total = totalCpu(row);
  if (total === null) return '';
  const parts = Object.entries(row.cpuMs).filter(([, ms]) => ms >= 0.005);
  return `${formatNumber(total)}: ${parts.map(([name, ms]) => `${name} ${formatNumber(ms)}`).join(', ')}`;
}

function formatRatio(row: Row, rows: readonly Row[]): string {
  if (row.ratio === undefined) return '';
  const byCpu = cpuRatio(row, rows);
  const cpu = byCpu === null ? '' : `; by CPU ${formatNumber(byCpu)}`;
  return `${formatSpread(row.ratio)} of ${row.ratio.to}${cpu}`;
}

function formatTarget(row: Row, target: Target): string {
  const [of, sign, bound] = target;
  const reached = hasReached(row, target);
  const what = { ratio: 'ratio', value: row.unit, cpu: 'CPU ms' }[of];
  const verdict = reached === null ? 'not measured' : reached ? 'reached' : 'missed';
  return `${what} ${sign} ${bound.toLocaleString('en', { maximumFractionDigits: 2 })}: ${verdict}`;
}
