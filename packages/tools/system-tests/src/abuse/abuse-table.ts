import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** What an abuse cost its author and a bystander. Its fields are the columns of the table, in this order. */
export interface AbuseRow {
  abuse: string;
  /** The results of the attacker's own requests or connections. */
  author: string;
  /** 95th percentile of the bystander's reads, in milliseconds: without the abuse. */
  'reads ms': number;
  /** The same, with the abuse. */
  'with it': number;
  /** Time from the commit of a bystander's change to the arrival of its webhook, the worst, in milliseconds: without. */
  'webhook ms': number;
  /** The same, with the abuse. */
  'with it ': number;
  /** Reads of the bystander that failed, and readiness probes that were red. */
  failed: number;
  /** Greatest resident memory of the API and the worker, in MiB. */
  'API MiB': number;
  'worker MiB': number;
}

/** Adds a row to the table that `table-reporter.mjs` prints at the end of the run. */
export function publishRow(row: AbuseRow): Promise<void> {
  // Several test processes write to the file; a line this short is appended in one piece.
  return appendFile(path.join(currentTestRun().folder, 'abuse-table.ndjson'), `${JSON.stringify(row)}\n`);
}
