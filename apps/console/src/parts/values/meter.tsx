import './meter.css';

interface MeterProps {
  value: number;
  of: number;
  /** A colour of the theme's palette with a shade. */
  color?: string;
}

/** A bar for a value that is written next to it. */
export function Meter({ value, of, color = 'signal-6' }: MeterProps) {
  const percent = of === 0 ? 0 : Math.min(100, (100 * value) / of);
  return (
    <div className="meter" aria-hidden>
      <span style={{ width: `${percent}%`, background: `var(--mantine-color-${color})` }} />
    </div>
  );
}
