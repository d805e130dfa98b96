import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** The effect of an abuse on its author and on a bystander. The fields are the columns of the table, in this order. */
export interface AbuseRow {
  abuse: string;
  /** The outcome of the author's own requests or connections. */
  author: string;
  /** 95th percentile of the bystander's reads in milliseconds, without the abuse. */
  'reads ms': number;
  /** The same, with the abuse. */
  'with it': number;
  /** Longest time in milliseconds from the commit of a bystander's change to the arrival of its webhook, without the abuse. */
  'webhook ms': number;
  /** The same, with the abuse. */
  'with it ': number;
  /** Failed reads of the bystander, and failed readiness probes. */
  failed: number;
  /** Maximum resident memory of the API and the worker, in MiB. */
  'API MiB': number;
  'worker MiB': number;
}

/** Adds a row to the table that `table-reporter.mjs` prints at the end of the run. */
export function publishRow(row: AbuseRow): Promise<void> {
  // Several test processes write to the file. A line this short is appended atomically.
  return appendFile(path.join(currentTestRun().folder, 'abuse-table.ndjson'), `${JSON.stringify(row)}\n`);
}
