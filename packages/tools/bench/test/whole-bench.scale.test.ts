import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { hasReached, type Measurements } from '../src/report.ts';
import { runBench, TINY, TINY_GROWTH } from './run-bench.ts';

/** The bench starts twenty processes one after another: half a minute on an idle machine, minutes on a busy one. */
const TIMEOUT_MS = 1_200_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-signals-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the end of the bench's output, which shows why it failed. */
function lastOf(stderr: string): string {
  return stderr.trim().split('\n').slice(-10).join('\n');
}

test(
  'the bench measures every part and writes the table and the JSON',
  async () => {
    const json = path.join(folder, 'bench.json');
    const { code, stdout, stderr } = await runBench(`${TINY} --json ${json} --beside .`);
    expect([code, lastOf(stderr)]).toEqual([0, expect.stringContaining('done')]);

    const { machine, rows } = JSON.parse(readFileSync(json, 'utf8')) as Measurements;
    expect(machine[0]).toBe(`Command: \`pnpm bench ${TINY} --beside .\`.`);
    const groups = ['pages', 'one', 'metrics', 'deliveries', 'latency', 'capture'];
    expect([...new Set(rows.map(({ group }) => group))]).toEqual(groups);
    for (const row of rows) {
      expect(row.value.median).toBeGreaterThanOrEqual(row.contestant === 'failed' ? 0 : Number.MIN_VALUE);
      expect(stdout).toContain(`| ${row.contestant}`);
      if (row.contestant === 'product') expect(row).toMatchObject({ ratio: { median: expect.any(Number) } });
    }
    expect(stdout).toContain('| page of 100 events, first');
    // Eight pages, three small responses, and the metrics.
    const beside = rows.filter(({ contestant }) => contestant === 'beside .');
    expect(beside.map(({ ratio }) => ratio?.to)).toEqual(Array.from({ length: 12 }, () => 'floor'));
    const deliveries = rows.filter(({ group }) => group === 'deliveries').map(({ contestant }) => contestant);
    expect(deliveries).toEqual([
      'bare loop',
      '20 endpoints, 1 worker',
      '1 endpoint, 1 worker',
      '1 endpoint, 3 workers',
      '20 endpoints, 2 workers',
    ]);
    expect(rows.filter(({ contestant }) => contestant === 'COPY')).toHaveLength(2);
  },
  TIMEOUT_MS,
);

test(
  'the bench compares large sizes with small ones',
  async () => {
    const json = path.join(folder, 'growth.json');
    const { code, stdout, stderr } = await runBench(`${TINY_GROWTH} --json ${json}`);
    expect([code, lastOf(stderr)]).toEqual([0, expect.stringContaining('done')]);

    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as Measurements;
    const compared = rows.filter(({ ratio }) => ratio !== undefined);
    expect(compared.map(({ path: name, contestant, ratio }) => [name, contestant, ratio?.to])).toEqual([
      ['page of 100 events, first', '1,200 events', '600 events'],
      ['page of 100 events, deep', '1,200 events', '600 events'],
      ['page of 100 events, of a rare type', '1,200 events', '600 events'],
      ['page of 100 events, of a room with few events', '1,200 events', '600 events'],
      ['page of 100 events, of the last moments', '1,200 events', '600 events'],
      ...['all due', 'all others waiting', 'all others on hold', 'of many workspaces'].flatMap((backlog) => [
        [`claim of 50 deliveries, ${backlog}`, '120 pending', '60 pending'],
        [`tick: mark due, claim 50, requeue, ${backlog}`, '120 pending', '60 pending'],
      ]),
    ]);
    expect(rows).toHaveLength(2 * compared.length);
    for (const row of rows) {
      expect(row).toMatchObject({ isCost: true, value: { median: expect.any(Number) } });
      expect(row.value.median).toBeGreaterThan(0);
      expect(stdout).toContain(`| ${row.contestant}`);
    }
    for (const row of compared) {
      expect(row.ratio?.median).toBeGreaterThan(0);
      expect(hasReached(row, row.targets[0]!)).toEqual(expect.any(Boolean));
    }
  },
  TIMEOUT_MS,
);
