import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** What a fault did, in numbers of deliveries. */
export interface FaultRow {
  fault: string;
  /** Deliveries that there were to make. */
  expected: number;
  /** Those that the receiver has taken and the database knows to be delivered. */
  delivered: number;
  /** Times that the receiver took a delivery again. */
  duplicates: number;
  /** How many duplicates there might have been: one for each attempt in flight. */
  allowed: number;
  lost: number;
}

/** Puts a row into the table that `fault-table-reporter.mjs` prints at the end of the run. */
export function publishRow({
  fault,
  expected,
  delivered,
  duplicates,
  allowed,
  lost,
}: FaultRow): Promise<void> {
  const row: FaultRow = { fault, expected, delivered, duplicates, allowed, lost };
  // The test files run in several processes: a short line is appended whole.
  return appendFile(path.join(currentTestRun().folder, 'fault-table.ndjson'), `${JSON.stringify(row)}\n`);
}
