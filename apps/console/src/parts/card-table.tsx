import './card-table.css';
import type { ReactNode } from 'react';

interface CardTableProps {
  /** What the rows are. */
  caption: string;
  /** The names of the columns. A cell repeats the name of its column as `data-label`, which a narrow page shows in front of it. */
  columns: readonly string[];
  /** Rows with a `th` of the scope `row` each. */
  children: ReactNode;
}

/** A table whose rows become cards where it would be too wide. */
export function CardTable({ caption, columns, children }: CardTableProps) {
  return (
    <div className="card-table-frame">
      <table className="card-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
