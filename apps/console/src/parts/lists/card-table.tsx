import './card-table.css';
import { type ReactNode, useEffect, useRef } from 'react';

interface CardTableProps<Row> {
  /** The caption: what the rows are. */
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The content of the columns, by their names. A narrow page shows the name in front of it. */
  columns: Readonly<Record<string, (row: Row) => ReactNode>>;
  /** The column that names the row; default: the first one. */
  heading?: string;
  /** The key of the row that a link points to. The next press of Tab moves to its actions. */
  chosen?: string | number | undefined;
}

/** A table whose rows become cards if it is too wide. */
export function CardTable<Row>({ caption, rows, keyOf, columns, heading, chosen }: CardTableProps<Row>) {
  const chosenRow = useRef<HTMLTableRowElement>(null);
  useEffect(() => chosenRow.current?.focus(), [chosen]);
  const names = Object.keys(columns);
  return (
    <div className="card-table-frame">
      <table className="card-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              {...(keyOf(row) === chosen && { ref: chosenRow, tabIndex: -1, 'aria-current': true })}
            >
              {names.map((name) =>
                name === (heading ?? names[0]) ? (
                  <th key={name} scope="row">
                    {columns[name]?.(row)}
                  </th>
                ) : (
                  <td key={name} data-label={name}>
                    {columns[name]?.(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
