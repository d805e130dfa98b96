import './sparkline.css';
import type { Series } from './time-chart.tsx';

interface SparklineProps {
  /** What the bars show and what they come to, for those who do not see them. */
  label: string;
  /** Stacked on each other, the first at the bottom. */
  series: readonly Series[];
  height?: number;
}

/** The width of a bar and of the gap after it, in units of the picture, which is stretched to the width that there is. */
const BAR = 3;
const STEP = 4;
const DEFAULT_HEIGHT = 28;

/** Small stacked bars without axes, for a row of a table. A bucket without anything is a line on the ground. */
export function Sparkline({ label, series, height = DEFAULT_HEIGHT }: SparklineProps) {
  const buckets = Math.max(0, ...series.map(({ values }) => values.length));
  const sums = Array.from({ length: buckets }, (_, at) => sumAt(series, at, series.length));
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
            // What is there must be seen, however small its part is.
            const size = Math.max(2, value * scale);
            const top = height - sumAt(series, at, place) * scale - size;
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

/** The sum of the first series in one bucket. */
function sumAt(series: readonly Series[], at: number, first: number): number {
  return series.slice(0, first).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}
