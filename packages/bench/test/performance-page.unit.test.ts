import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { spreadOf } from '../src/measure/spread.ts';
import { fillPage, type Measurements } from '../src/report/performance-page.ts';
import { BENCH } from './run-bench.ts';

// In a process of its own, because the chart library shifts its drawings by half a pixel under a test runner.
test('docs/performance.md has the tables and charts of the measurements next to it', () => {
  const command = path.join(BENCH, 'src/report/page-command.ts');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', command, '--check'],
    { cwd: REPOSITORY_ROOT, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect([stdout, stderr, status]).toEqual(['', '', 0]);
  expect(readFileSync(path.join(REPOSITORY_ROOT, 'docs/performance.md'), 'utf8')).toMatch(
    /\| page of 100 events, first [^]*\| product [^]*\| memory of the worker /,
  );
});

describe('a page', () => {
  const part = (name: string, text: string) =>
    `<!-- ${name}.json -->\n<!-- prettier-ignore-start -->\n${text}<!-- prettier-ignore-end -->`;
  const measurements: Measurements = {
    machine: ['Two cores.', 'One disk.'],
    rows: [
      {
        group: 'pages',
        path: 'a path',
        contestant: 'product',
        unit: 'responses/s',
        value: spreadOf([400]),
        cpuMs: {},
        ratio: { ...spreadOf([0.5]), to: 'floor' },
        targets: [{ of: 'ratio', atLeast: 1 }],
        notes: ['A note.'],
      },
    ],
  };

  test('gets its tables and charts', () => {
    const other = { ...measurements, rows: [{ ...measurements.rows[0]!, path: 'another path' }] };
    const page = `Before.\n${part('one', 'old')}\nBetween.\n${part('two', '')}\nAfter.\n`;
    const filled = fillPage(page, { one: measurements, two: other }, 'charts');
    expect(filled).toMatch(
      /^Before\.\n[^]*\n\nTwo cores\. {2}\nOne disk\.\n\n\| Path[^]*\| a path [^]*\n\n1\. A note\.\n\n!\[Ratios\]\(charts\/ratios\.svg\)\n[^]*\nBetween\.\n[^]*\| another path [^]*\nAfter\.\n$/,
    );
    expect(filled).not.toContain('old');
    expect(fillPage(filled, { one: measurements, two: other }, 'charts')).toBe(filled);
  });

  test('needs all of them', () => {
    const page = part('three', '');
    expect(() => fillPage(page, { one: measurements }, 'charts')).toThrow('no measurements for three.json');
  });
});
