import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** The cost of an abuse to the abuser and to a bystander. The fields are the columns of the table, in this order. */
export interface AbuseRow {
  abuse: string;
  /** The results of the attacker's own requests or connections. */
  author: string;
  /** 95th percentile of the bystander's reads without the abuse, in milliseconds. */
  'reads ms': number;
  /** 95th percentile of the bystander's reads during the abuse, in milliseconds. */
  'with it': number;
  /** Longest time from the commit of a bystander's change to the arrival of its webhook without the abuse, in milliseconds. */
  'webhook ms': number;
  /** The same time during the abuse. */
  'with it ': number;
  /** The bystander's failed reads and failed readiness probes. */
  failed: number;
  /** Peak resident memory of the API and the worker, in MiB. */
  'API MiB': number;
  'worker MiB': number;
}

/** Adds a row to the table that `table-reporter.mjs` prints at the end of the run. */
export function publishRow(row: AbuseRow): Promise<void> {
  // Several test processes write to the file; a line this short is appended in one piece.
  return appendFile(path.join(currentTestRun().folder, 'abuse-table.ndjson'), `${JSON.stringify(row)}\n`);
}
