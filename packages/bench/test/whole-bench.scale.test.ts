import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Row } from '../src/report/row.ts';
import { runBench, TINY } from './run-bench.ts';

/** Starts twenty processes one after the other: half a minute on an idle machine, minutes on a busy one. */
const TIMEOUT_MS = 600_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-signals-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'measures every part, and writes the table, the JSON and the charts',
  async () => {
    const json = path.join(folder, 'bench.json');
    const { code, stdout, stderr } = await runBench(`${TINY} --json ${json} --chart ${folder}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);

    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { rows: Row[] };
    expect([...new Set(rows.map(({ group }) => group))]).toEqual([
      'pages',
      'one',
      'metrics',
      'deliveries',
      'latency',
      'capture',
      'capture-http',
    ]);
    for (const row of rows) {
      expect(row.value.median).toBeGreaterThanOrEqual(
        ['failed', 'memory'].includes(row.contestant) ? 0 : Number.MIN_VALUE,
      );
      expect(stdout).toContain(`| ${row.contestant}`);
      if (row.contestant === 'product') expect(row).toMatchObject({ ratio: { median: expect.any(Number) } });
    }
    expect(stdout).toContain('| page of 100 events, first');
    for (const chart of ['ratios.svg', 'cpu-pages.svg', 'latency.svg']) {
      expect(readFileSync(path.join(folder, chart), 'utf8')).toMatch(/^<svg [^]*<rect [^]*<\/svg>\n$/);
    }
  },
  TIMEOUT_MS,
);
