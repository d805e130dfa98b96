import './sparkline.css';
import type { Series } from './time-chart.tsx';

interface SparklineProps {
  /** A text alternative: what the bars show, and their totals. */
  label: string;
  /** Stacked, the first at the bottom. */
  series: readonly Series[];
  height?: number;
}

/** The width of a bar and of the gap after it, in units of the picture. The picture is stretched to the available width. */
const BAR = 3;
const STEP = 4;
const DEFAULT_HEIGHT = 28;

/** Small stacked bars without axes, for a table row. An empty bucket is a line at the bottom. */
export function Sparkline({ label, series, height = DEFAULT_HEIGHT }: SparklineProps) {
  const buckets = Math.max(0, ...series.map(({ values }) => values.length));
  const sums = Array.from({ length: buckets }, (_, at) => stackedSum(series, at, series.length));
  const scale = (height - 2) / Math.max(1, ...sums);
  return (
    <svg
      className="sparkline"
      role="img"
      aria-label={label}
      height={height}
      viewBox={`0 0 ${Math.max(1, buckets * STEP - (STEP - BAR))} ${height}`}
      preserveAspectRatio="none"
    >
      {sums.map((sum, at) => (
        <g key={at}>
          {sum === 0 && (
            <rect className="sparkline-ground" x={at * STEP} y={height - 2} width={BAR} height={2} />
          )}
          {series.map(({ label: name, color, values }, place) => {
            const value = values[at] ?? 0;
            if (value === 0) return null;
            // Every value above zero is visible, however small.
            const size = Math.max(2, value * scale);
            const top = height - stackedSum(series, at, place) * scale - size;
            return (
              <rect
                key={name}
                x={at * STEP}
                y={Math.max(0, top)}
                width={BAR}
                height={size}
                fill={`var(--mantine-color-${color})`}
              />
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** Returns the sum of the first series in one bucket. */
function stackedSum(series: readonly Series[], at: number, first: number): number {
  return series.slice(0, first).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}
