import type { Spread } from '../measure/spread.ts';
import { cpuRatio, hasReached, type Row, type Target, totalCpu } from './row.ts';

const HEAD = ['Path', 'Contestant', 'Median (quartiles)', 'Unit', 'CPU ms a unit', 'Ratio', 'Target'];

/** Writes the rows as a Markdown table whose columns are aligned, with the notes below it. */
export function formatTable(rows: readonly Row[]): string {
  const { table, notes } = tableOf(rows);
  return [table, ...(notes.length > 0 ? ['', ...notes.map((note, n) => `[${n + 1}] ${note}`)] : [])].join(
    '\n',
  );
}

/** The table, whose rows refer to the notes by their numbers from 1. */
export function tableOf(rows: readonly Row[]): { table: string; notes: string[] } {
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
  const widths = HEAD.map((title, n) =>
    Math.max(title.length, ...cells.map((line) => (line[n] ?? '').length)),
  );
  const line = (texts: string[]) => `| ${texts.map((text, n) => text.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  const table = [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
  return { table, notes };
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

function formatBound(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

function formatRatio(row: Row, rows: readonly Row[]): string {
  if (row.ratio === undefined) return '';
  const byCpu = cpuRatio(row, rows);
  const cpu = byCpu === null ? '' : `; by CPU ${formatNumber(byCpu)}`;
  return `${formatSpread(row.ratio)} of ${row.ratio.to}${cpu}`;
}

function formatTarget(row: Row, target: Target): string {
  const reached = hasReached(row, target);
  const what = { ratio: 'ratio', value: row.unit, cpu: 'CPU ms' }[target.of];
  const bounds = [
    ...(target.atLeast === undefined ? [] : [`≥ ${formatBound(target.atLeast)}`]),
    ...(target.below === undefined ? [] : [`< ${formatBound(target.below)}`]),
    ...(target.atMost === undefined ? [] : [`≤ ${formatBound(target.atMost)}`]),
  ];
  const verdict = reached === null ? 'not measured' : reached ? 'reached' : 'missed';
  return `${what} ${bounds.join(', ')}: ${verdict}`;
}
