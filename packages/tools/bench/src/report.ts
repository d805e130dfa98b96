import type { CpuTimes } from './measure/cpu.ts';

/** The median of several measurements, and the quartiles around it. */
export interface Spread {
  median: number;
  q1: number;
  q3: number;
}

/** The target of a row: a bound on the ratio, the value, or the CPU time of all processes together. */
export type Target = readonly [of: 'ratio' | 'value' | 'cpu', sign: '≥' | '<' | '≤', bound: number];

/** One line of the report: the result of one contestant on one path. */
export interface Row {
  /** The option of `--only` that runs it. */
  group: string;
  path: string;
  contestant: string;
  unit: string;
  value: Spread;
  /** Set if the value is a cost, such as a duration. Its ratio is how many times larger it is, not how many times faster. */
  isCost?: true;
  /** CPU milliseconds per unit of work, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
  /** The ratio to another contestant of the same path, computed per round. */
  ratio?: Spread & { to: string };
  targets: Target[];
  /** Remarks that a reader of this measurement needs. */
  notes: string[];
}

/** The content of the file that `--json` writes. */
export interface Measurements {
  /** Lines that describe the run and the machine. */
  machine: string[];
  rows: Row[];
}

type Measured = Pick<Row, 'group' | 'path' | 'contestant' | 'unit' | 'isCost'> &
  Partial<Pick<Row, 'targets' | 'notes'>> & {
    /** The values of the rounds, and the other measurements taken in them. */
    values: readonly number[];
    cpuTimes?: readonly CpuTimes[];
    ratios?: { to: string; values: readonly number[] };
  };

/** Summarizes the measurements of all rounds in one row. */
export function summarizeRow({
  values,
  cpuTimes = [],
  ratios,
  targets = [],
  notes = [],
  ...row
}: Measured): Row {
  const processes = new Set(cpuTimes.flatMap((times) => Object.keys(times)));
  const medianOf = (process: string) =>
    quantile(
      cpuTimes.map((times) => times[process] ?? 0),
      0.5,
    );
  return {
    ...row,
    value: summarize(values),
    cpuMs: Object.fromEntries(Array.from(processes, (process) => [process, medianOf(process)])),
    ...(ratios && { ratio: { ...summarize(ratios.values), to: ratios.to } }),
    targets,
    notes,
  };
}

/** Returns the median and the quartiles of at least one measurement. */
export function summarize(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), q1: quantile(values, 0.25), q3: quantile(values, 0.75) };
}

/** Returns the value below which a share of the measurements lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Processes that play the customer. Their time is shown but not added up. */
const CUSTOMER_PROCESSES = new Set(['loader', 'receiver']);

/** Returns the CPU time of all processes on the product's side. Null where it cannot be read. */
function totalCpu({ cpuMs }: Row): number | null {
  const times = Object.entries(cpuMs).filter(([name]) => !CUSTOMER_PROCESSES.has(name));
  return times.length === 0 ? null : times.reduce((total, [, ms]) => total + ms, 0);
}

/** Returns whether a row reached a target. Null if it was not measured. */
export function hasReached(row: Row, [of, sign, bound]: Target): boolean | null {
  const measured = { ratio: row.ratio?.median, value: row.value.median, cpu: totalCpu(row) }[of];
  if (measured === undefined || measured === null) return null;
  return sign === '≥' ? measured >= bound : sign === '<' ? measured < bound : measured <= bound;
}

/**
 * Returns the ratio of a row by CPU time instead of the clock, which other load on the machine hardly affects. Null where
 * CPU times cannot be read, or if there is nothing to compare with.
 */
export function cpuRatio(row: Row, rows: readonly Row[]): number | null {
  const base = rows.find(({ path, contestant }) => path === row.path && contestant === row.ratio?.to);
  const own = totalCpu(row);
  const other = base === undefined ? null : totalCpu(base);
  const [dividend, divisor] = row.isCost === true ? [own, other] : [other, own];
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}

const HEAD = ['Path', 'Contestant', 'Median (quartiles)', 'Unit', 'CPU ms a unit', 'Ratio', 'Target'];

/** Formats the rows as a Markdown table with aligned columns, with the notes below it. */
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

/** Formats a number with three significant digits. */
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
  const result = reached === null ? 'not measured' : reached ? 'reached' : 'missed';
  return `${what} ${sign} ${bound.toLocaleString('en', { maximumFractionDigits: 2 })}: ${result}`;
}
