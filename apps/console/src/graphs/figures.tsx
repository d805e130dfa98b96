import './figures.css';
import type { ReactNode } from 'react';

interface Figure {
  label: string;
  value: ReactNode;
}

/** Shows labelled numbers side by side. */
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
