// oxlint-disable-next-line import/no-unassigned-import -- it must run before uPlot is loaded
import './language.ts';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { fullTime } from '../text/times.ts';

/** One quantity over time. */
export interface Series {
  label: string;
  /** A colour of the theme's palette with a shade, such as `teal-6`. */
  color: string;
  values: readonly number[];
}

interface TimeChartProps {
  /** The text alternative of the chart. */
  label: string;
  /** The start of each bucket. */
  times: readonly Date[];
  /** Stacked, the first at the bottom. */
  series: readonly Series[];
  height?: number;
}

const DEFAULT_HEIGHT = 220;

/**
 * A chart of stacked bars over time. uPlot draws on a canvas, which a screen reader cannot read, so the same figures are in a
 * visually hidden table.
 */
export function TimeChart({ label, times, series, height = DEFAULT_HEIGHT }: TimeChartProps) {
  const { ref, width } = useElementSize();
  const target = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    if (target.current === null || width === 0) return undefined;
    const chart = new uPlot(
      options(series, width, height, stepSeconds(times)),
      stacked(times, series),
      target.current,
    );
    return () => chart.destroy();
  }, [times, series, width, height, scheme]);
  return (
    <figure ref={ref} style={{ position: 'relative', margin: 0 }}>
      <div ref={target} aria-hidden style={{ minHeight: height }} />
      {/* A table itself is never narrower than its cells. */}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map(({ label: name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time.getTime()}>
                <th scope="row">{fullTime(time)}</th>
                {series.map(({ label: name, values }) => (
                  <td key={name}>{values[index] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** Returns the upper ends of the bars. The topmost series comes first, because uPlot draws later ones over it. */
function stacked(times: readonly Date[], series: readonly Series[]): uPlot.AlignedData {
  const sums = series.map((_, top) =>
    times.map((_time, index) =>
      series.slice(0, top + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    ),
  );
  return [times.map((time) => time.getTime() / 1_000), ...sums.toReversed()];
}

/** Returns the time between two buckets, in seconds. */
function stepSeconds([first, second]: readonly Date[]): number {
  return first === undefined || second === undefined ? 1 : (second.getTime() - first.getTime()) / 1_000;
}

function options(series: readonly Series[], width: number, height: number, step: number): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
  const axis: uPlot.Axis = {
    stroke: color('--mantine-color-dimmed'),
    font: "12px 'Inter Variable', sans-serif",
    grid: { stroke: color('--mantine-color-default-border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    axes: [
      { ...axis, grid: { show: false }, size: 32, values: (_chart, splits) => splits.map(tick) },
      { ...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6] },
    ],
    scales: {
      // Adds half a bar on each side, so that the first and the last bar are complete.
      x: { range: (_chart, min, max) => [min - step / 2, max + step / 2] },
      y: { range: (_chart, _min, max) => [0, Math.max(4, max * 1.05)] },
    },
    series: [
      {},
      ...series.toReversed().map(({ label, color: name }) => ({
        label,
        fill: color(`--mantine-color-${name}`),
        ...(bars !== undefined && { paths: bars }),
        points: { show: false },
        width: 0,
      })),
    ],
  };
}

function color(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Formats a time on the axis, in seconds: the date at midnight, otherwise the hour. */
function tick(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return at.getHours() === 0 && at.getMinutes() === 0 ? DATE.format(at) : TIME.format(at);
}
