import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import type { Healing } from './healing.ts';

/** The effect of a fault, in numbers of deliveries, and how long it lasted. */
export interface FaultRow {
  fault: string;
  /** Deliveries that had to be made. */
  expected: number;
  /** Deliveries that the receiver has taken and that the database also has as delivered. */
  delivered: number;
  /** How often the receiver took a delivery that it had taken before. */
  duplicates: number;
  /** Maximum number of duplicates: one per attempt in flight. */
  allowed: number;
  lost: number;
  /** Null if there is nothing to heal, or if the fault does not concern deliveries. */
  healing: Healing | null;
}

/** Adds a row to the table that `table-reporter.mjs` prints at the end of the run. */
export function publishRow({
  fault,
  expected,
  delivered,
  duplicates,
  allowed,
  lost,
  healing,
}: FaultRow): Promise<void> {
  const row = {
    fault,
    expected,
    delivered,
    duplicates,
    allowed,
    lost,
    'next after': inSeconds(healing?.nextMs),
    'caught up after': inSeconds(healing?.caughtUpMs),
  };
  // Several test processes write to the file. A line this short is appended atomically.
  return appendFile(path.join(currentTestRun().folder, 'fault-table.ndjson'), `${JSON.stringify(row)}\n`);
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`;
}
