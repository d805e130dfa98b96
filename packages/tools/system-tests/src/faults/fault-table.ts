import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import type { Healing } from './healing.ts';

/** The effect of a fault on deliveries, and how long it lasted. */
export interface FaultRow {
  fault: string;
  /** The number of expected deliveries. */
  expected: number;
  /** Deliveries that the receiver has accepted and the database has marked as delivered. */
  delivered: number;
  /** How often the receiver accepted a delivery that it had accepted before. */
  duplicates: number;
  /** Maximum number of duplicates: one for each attempt in flight. */
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
  // Several test processes write to the file; a line this short is appended in one piece.
  return appendFile(path.join(currentTestRun().folder, 'fault-table.ndjson'), `${JSON.stringify(row)}\n`);
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`;
}
