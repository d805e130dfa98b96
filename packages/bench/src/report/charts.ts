import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Row, Target } from './row.ts';

const WIDTH = 960;
/** Room for the names of the paths. */
const MARGIN_LEFT = 390;
const BAR_HEIGHT = 24;
const LEGEND_LINE = 16;
const COLOURS = { bar: '#4269d0', mark: '#d62728', grid: '#888' };

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

const nameOf = ({ path: name, contestant }: Row): string =>
  contestant === 'product' ? name : `${name}: ${contestant}`;

/** Ratios, their quartiles, and what they must reach. */
function drawRatios(rows: readonly Row[]): string | null {
  const bars = rows.flatMap((row) => {
    const target = row.targets.find((one): one is Target => one.of === 'ratio');
    if (row.ratio === undefined || row.contestant === 'naive build') return [];
    return { name: nameOf(row), ...row.ratio, target: target?.atLeast };
  });
  return draw(
    bars.map(({ name }) => name),
    'Ratio to the floor, with quartiles; red: the target',
    [
      Plot.barX(bars, { y: 'name', x: 'median', fill: COLOURS.bar }),
      Plot.ruleY(bars, { y: 'name', x1: 'q1', x2: 'q3', strokeWidth: 2 }),
      Plot.tickX(
        bars.filter(({ target }) => target !== undefined),
        { y: 'name', x: 'target', stroke: COLOURS.mark, strokeWidth: 3 },
      ),
    ],
  );
}

/** How many times as much large sizes cost as small ones, and how many times they may. */
function drawGrowth(rows: readonly Row[]): string | null {
  const bars = rows.flatMap(({ path: name, contestant, ratio, targets }) =>
    ratio === undefined
      ? []
      : { name: `${name}: ${contestant} to ${ratio.to}`, ...ratio, target: targets[0]?.atMost },
  );
  return draw(
    bars.map(({ name }) => name),
    'Cost at the large size ÷ cost at the small size, with quartiles; red: the limit',
    [
      Plot.barX(bars, { y: 'name', x: 'median', fill: COLOURS.bar }),
      Plot.ruleY(bars, { y: 'name', x1: 'q1', x2: 'q3', strokeWidth: 2 }),
      Plot.tickX(bars, { y: 'name', x: 'target', stroke: COLOURS.mark, strokeWidth: 3 }),
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
  return draw(names, 'CPU milliseconds for each response, delivery or event', [
    Plot.barX(parts, { y: 'name', x: 'ms', fill: 'process' }),
    // Plot's own legend would be HTML and not part of the drawing.
    ...processes.map((process, n) =>
      Plot.text([{ process }], {
        text: 'process',
        fill: 'process',
        frameAnchor: 'top-right',
        dy: n * LEGEND_LINE,
        fontSize: 13,
        fontWeight: 'bold',
      }),
    ),
  ]);
}

/** Times from commit to receiver. */
function drawLatencies(rows: readonly Row[]): string | null {
  const bars = rows
    .filter(({ group }) => group === 'latency')
    .map((row) => ({ name: nameOf(row), ...row.value, target: row.targets[0]?.below }));
  return draw(
    bars.map(({ name }) => name),
    'Milliseconds from commit to receiver, with quartiles; red: the target',
    [
      Plot.barX(bars, { y: 'name', x: 'median', fill: COLOURS.bar }),
      Plot.ruleY(bars, { y: 'name', x1: 'q1', x2: 'q3', strokeWidth: 2 }),
      Plot.tickX(bars, { y: 'name', x: 'target', stroke: COLOURS.mark, strokeWidth: 3 }),
    ],
  );
}

/** Draws horizontal bars in the order of the rows; null without any. */
function draw(names: readonly string[], label: string, marks: Plot.Markish[]): string | null {
  if (names.length === 0) return null;
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const plot = Plot.plot({
    document,
    width: WIDTH,
    height: 60 + names.length * BAR_HEIGHT,
    marginLeft: MARGIN_LEFT,
    x: { label, grid: true, zero: true },
    y: { domain: [...names], label: null },
    style: { background: 'white' },
    marks: [...marks, Plot.ruleX([0], { stroke: COLOURS.grid })],
  });
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return plot.outerHTML;
}
