import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** The effect of a fault, in numbers of deliveries. */
export interface FaultRow {
  fault: string;
  /** Deliveries that had to be made. */
  expected: number;
  /** Deliveries that the receiver has taken and that are delivered by the database, too. */
  delivered: number;
  /** How often the receiver took a delivery that it had taken before. */
  duplicates: number;
  /** Maximum number of duplicates: one for each attempt in flight. */
  allowed: number;
  lost: number;
}

/** Adds a row to the table that `table-reporter.mjs` prints at the end of the run. */
export function publishRow({
  fault,
  expected,
  delivered,
  duplicates,
  allowed,
  lost,
}: FaultRow): Promise<void> {
  const row: FaultRow = { fault, expected, delivered, duplicates, allowed, lost };
  // Several test processes write to the file; a line this short is appended in one piece.
  return appendFile(path.join(currentTestRun().folder, 'fault-table.ndjson'), `${JSON.stringify(row)}\n`);
}
