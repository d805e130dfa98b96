import './figures.css';
import type { ReactNode } from 'react';

interface Figure {
  label: string;
  value: ReactNode;
}

/** Numbers with their names, side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
