import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { afterAll, expect, test } from '@jest/globals';
import type { Row } from '../src/report/row.ts';

const BENCH = path.join(REPOSITORY_ROOT, 'packages/bench');
/** As little as there can be: pages need 100 rows after their middle, and every group has to run. */
const TINY =
  '--rounds 1 --slice-ms 20 --connections 2 --events 300 --views 300 --rooms 300 --calls 300 --deliveries 20 --delivery-rounds 1 --latency-ms 200 --singles 20 --bulk 100';

/** Starts twenty processes one after the other: half a minute on an idle machine, minutes on a busy one. */
const TIMEOUT_MS = 600_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-signals-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bench(
  args: string,
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', path.join(BENCH, 'src/command.ts'), ...args.split(' ')],
      { cwd: REPOSITORY_ROOT, env: { ...process.env, NODE_OPTIONS: '', ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test(
  'measures every part, and writes the table, the JSON and the charts',
  async () => {
    const json = path.join(folder, 'bench.json');
    const { code, stdout, stderr } = await bench(`${TINY} --json ${json} --chart ${folder}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);

    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { rows: Row[] };
    expect([...new Set(rows.map(({ group }) => group))]).toEqual([
      'pages',
      'one',
      'metrics',
      'deliveries',
      'latency',
      'capture',
    ]);
    for (const row of rows) {
      expect(row.value.median).toBeGreaterThanOrEqual(row.contestant === 'failed' ? 0 : Number.MIN_VALUE);
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

test.each([
  ['the first response of the floor is wrong', '1', /floor: wrong response to .*\$\.data\.title: expected/],
  // 50 calls are asked for once each before they are measured.
  ['a later response of the floor is wrong', '55', /wrong response to \/api\/v1\/calls\/.*200/],
])('fails if %s', async (_case, wrongFrom, message) => {
  const floor = path.join(BENCH, 'test/wrong-floor-process.ts');
  const { code, stdout, stderr } = await bench(`--only one ${TINY} --floor ${floor}`, {
    WRONG_FROM_RESPONSE: wrongFrom,
  });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
});
