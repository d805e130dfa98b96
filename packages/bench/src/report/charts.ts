import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Spread } from '../measure/spread.ts';
import { hasReached, type Row, type Target } from './row.ts';

/** Width of the bars, in pixels. */
const BARS = 560;
const BAR_HEIGHT = 24;
const FONT_SIZE = 11;
/** The widest usual font of this size, so that no name is cut off. */
const CHARACTER_WIDTH = 6.6;
/** Room for the axis and its label. */
const BELOW = 50;
const ABOVE = 20;
const LEGEND_WIDTH = 100;
const LEGEND_LINE = 16;
const COLOURS = { reached: '#4269d0', missed: '#e8963a', mark: '#d62728', grid: '#888' };
/** The processes have the same colour on all charts. */
const PROCESS_COLOURS: Record<string, string> = {
  API: '#4269d0',
  worker: '#4269d0',
  'worker 2': '#6f8fdd',
  'worker 3': '#9db3ea',
  publisher: '#3ca951',
  PostgreSQL: '#e8963a',
  Redis: '#d62728',
  floor: '#5b6770',
  loop: '#5b6770',
  copier: '#5b6770',
  naive: '#a463f2',
  loader: '#a9b1b8',
  receiver: '#a9b1b8',
};
const OTHER_PROCESS = '#9c6b4e';

/** A chart, with what it shows. */
export interface Chart {
  file: string;
  title: string;
  svg: string;
}

/**
 * Draws the rows: the ratios with their targets, the CPU times of each part, the latencies, and what large sizes cost. Charts
 * without rows are left out.
 */
export function chartsOf(rows: readonly Row[]): Chart[] {
  const compared = rows.filter(({ isCost }) => isCost !== true);
  const groups = [...new Set(compared.map(({ group }) => group))];
  const charts = [
    { file: 'ratios.svg', title: 'Ratios', svg: drawRatios(compared) },
    ...groups.map((group) => ({
      file: `cpu-${group}.svg`,
      title: `CPU time: ${group}`,
      svg: drawCpu(compared.filter((row) => row.group === group)),
    })),
    { file: 'latency.svg', title: 'Time from commit to receiver', svg: drawLatencies(compared) },
    { file: 'growth.svg', title: 'Growth', svg: drawGrowth(rows.filter(({ isCost }) => isCost === true)) },
  ];
  return charts.flatMap(({ svg, ...chart }) => (svg === null ? [] : { ...chart, svg: `${svg}\n` }));
}

/** Writes the charts of the rows into a folder. */
export async function drawCharts(rows: readonly Row[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { file, svg } of chartsOf(rows)) await writeFile(path.join(folder, file), svg);
}

/** A value with its quartiles, and what it must reach. */
interface Bar {
  name: string;
  median: number;
  q1: number;
  q3: number;
  target: number | undefined;
  isMissed: boolean;
}

function barOf(row: Row, { median, q1, q3 }: Spread, name: string, target: Target | undefined): Bar {
  return {
    name,
    median,
    q1,
    q3,
    target: target?.atLeast ?? target?.atMost ?? target?.below,
    isMissed: target !== undefined && hasReached(row, target) === false,
  };
}

const nameOf = ({ path: name, contestant }: Row): string =>
  contestant === 'product' ? name : `${name}: ${contestant}`;

/** Ratios that must be high, with what they must reach. */
function drawRatios(rows: readonly Row[]): string | null {
  const bars = rows.flatMap((row) => {
    const target = row.targets.find((one) => one.of === 'ratio');
    // The naive builds must be slow.
    if (row.ratio === undefined || target?.atMost !== undefined) return [];
    const { to } = row.ratio;
    return barOf(row, row.ratio, to === 'floor' ? nameOf(row) : `${nameOf(row)}, to ${to}`, target);
  });
  return drawBars(bars, 'Ratio to the floor, or to what the name says; red: the target; orange: missed');
}

/** How many times as much large sizes cost as small ones, and how many times they may. */
function drawGrowth(rows: readonly Row[]): string | null {
  const bars = rows.flatMap((row) =>
    row.ratio === undefined
      ? []
      : barOf(row, row.ratio, `${row.path}: ${row.contestant}, to ${row.ratio.to}`, row.targets[0]),
  );
  return drawBars(bars, 'Cost at the large size ÷ cost at the small size; red: the limit; orange: missed');
}

/** Times from commit to receiver. */
function drawLatencies(rows: readonly Row[]): string | null {
  const bars = rows
    .filter(({ group }) => group === 'latency')
    .map((row) => barOf(row, row.value, nameOf(row), row.targets[0]));
  return drawBars(bars, 'Milliseconds from commit to receiver; red: the limit; orange: missed');
}

function drawBars(bars: readonly Bar[], label: string): string | null {
  const marked = bars.filter(({ target }) => target !== undefined);
  return draw(
    bars.map(({ name }) => name),
    label,
    [
      Plot.barX(bars, {
        y: 'name',
        x: 'median',
        fill: ({ isMissed }: Bar) => (isMissed ? COLOURS.missed : COLOURS.reached),
      }),
      Plot.ruleY(bars, { y: 'name', x1: 'q1', x2: 'q3', strokeWidth: 2 }),
      Plot.tickX(marked, { y: 'name', x: 'target', stroke: COLOURS.mark, strokeWidth: 3 }),
    ],
  );
}

/** CPU time of each process for each unit of work. */
function drawCpu(rows: readonly Row[]): string | null {
  const parts = rows.flatMap((row) =>
    Object.entries(row.cpuMs).map(([process, ms]) => ({
      name: `${row.path}: ${row.contestant}`,
      process,
      ms,
    })),
  );
  const names = [...new Set(parts.map(({ name }) => name))];
  const processes = [...new Set(parts.map(({ process }) => process))];
  const colourOf = ({ process }: { process: string }): string => PROCESS_COLOURS[process] ?? OTHER_PROCESS;
  return draw(
    names,
    'CPU milliseconds for each response, delivery or event',
    [
      Plot.barX(parts, { y: 'name', x: 'ms', fill: colourOf }),
      // Plot's own legend would be HTML and not part of the drawing.
      ...processes.map((process, n) =>
        Plot.text([{ process }], {
          text: 'process',
          fill: colourOf,
          frameAnchor: 'top-right',
          textAnchor: 'start',
          dx: 10,
          dy: n * LEGEND_LINE,
          fontSize: 13,
          fontWeight: 'bold',
        }),
      ),
    ],
    { lines: processes.length },
  );
}

/** Draws horizontal bars in the order of the rows; null without any. */
function draw(
  names: readonly string[],
  label: string,
  marks: Plot.Markish[],
  legend: { lines: number } | null = null,
): string | null {
  if (names.length === 0) return null;
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const marginLeft = 20 + CHARACTER_WIDTH * Math.max(...names.map((name) => name.length));
  const marginRight = legend === null ? 20 : LEGEND_WIDTH;
  const plot = Plot.plot({
    document,
    width: marginLeft + BARS + marginRight,
    height: ABOVE + BELOW + Math.max(names.length * BAR_HEIGHT, (legend?.lines ?? 0) * LEGEND_LINE),
    marginLeft,
    marginRight,
    marginTop: ABOVE,
    marginBottom: BELOW,
    x: { label, labelAnchor: 'center', labelOffset: 40, labelArrow: 'none', grid: true, zero: true },
    y: { domain: [...names], label: null },
    style: { background: 'white', fontSize: `${FONT_SIZE}px` },
    marks: [...marks, Plot.ruleX([0], { stroke: COLOURS.grid })],
  });
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return plot.outerHTML;
}
