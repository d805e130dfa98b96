import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Measurements } from '../src/report/performance-page.ts';
import { hasReached, type Row } from '../src/report/row.ts';
import { runBench, TINY, TINY_GROWTH } from './run-bench.ts';

/** Starts twenty processes one after the other: half a minute on an idle machine, minutes on a busy one. */
const TIMEOUT_MS = 1_200_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-signals-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The end of what the bench has written, which says why it failed. */
function lastOf(stderr: string): string {
  return stderr.trim().split('\n').slice(-10).join('\n');
}

test(
  'measures every part, and writes the table, the JSON and the charts',
  async () => {
    const json = path.join(folder, 'bench.json');
    const { code, stdout, stderr } = await runBench(`${TINY} --json ${json} --chart ${folder} --beside .`);
    expect([code, lastOf(stderr)]).toEqual([0, expect.stringContaining('done')]);

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
    const beside = rows.filter(({ contestant }) => contestant === 'beside .');
    expect(beside.map(({ ratio }) => ratio?.to)).toEqual(Array.from({ length: 12 }, () => 'floor'));
    for (const chart of ['ratios.svg', 'cpu-pages.svg', 'latency.svg']) {
      expect(readFileSync(path.join(folder, chart), 'utf8')).toMatch(/^<svg [^]*<rect [^]*<\/svg>\n$/);
    }
  },
  TIMEOUT_MS,
);

test(
  'compares large sizes with small ones, and writes the table, the JSON and a chart',
  async () => {
    const json = path.join(folder, 'growth.json');
    const { code, stdout, stderr } = await runBench(`${TINY_GROWTH} --json ${json} --chart ${folder}`);
    expect([code, lastOf(stderr)]).toEqual([0, expect.stringContaining('done')]);

    const { machine, rows } = JSON.parse(readFileSync(json, 'utf8')) as Measurements;
    expect(machine[0]).toBe(`Command: \`pnpm bench ${TINY_GROWTH}\`.`);
    const compared = rows.filter(({ ratio }) => ratio !== undefined);
    expect(compared.map(({ path: name, contestant, ratio }) => [name, contestant, ratio?.to])).toEqual([
      ['page of 100 events, first', '1,200 events', '600 events'],
      ['page of 100 events, deep', '1,200 events', '600 events'],
      ['page of 100 events, of a rare type', '1,200 events', '600 events'],
      ['page of 100 events, of a room with few events', '1,200 events', '600 events'],
      ['page of 100 events, of the last moments', '1,200 events', '600 events'],
      ...['all due', 'all others waiting', 'all others parked', 'of many workspaces'].flatMap((backlog) => [
        [`claim of 50 deliveries, ${backlog}`, '120 pending', '60 pending'],
        [`tick: mark due, claim 50, requeue, ${backlog}`, '120 pending', '60 pending'],
      ]),
      ['begin of 20 attempts', '40 claims held', '20 claims held'],
      ['outcome of 20 attempts', '40 claims held', '20 claims held'],
      ['page of 10 events', '3 keys', '1 key'],
      ['capture of one event a transaction', '3 endpoints', '1 endpoint'],
      ['peak memory of a capture', '40 lines', '20 lines'],
      ['memory of the API', 'after 60 requests', 'after 20 requests'],
      ['memory of the worker', 'after 60 deliveries', 'after 20 deliveries'],
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
    expect(readFileSync(path.join(folder, 'growth.svg'), 'utf8')).toMatch(/^<svg [^]*<rect [^]*<\/svg>\n$/);
  },
  TIMEOUT_MS,
);
