import { describe, expect, test } from '@jest/globals';
import { quantile, spreadOf } from '../src/measure/spread.ts';
import { ratioOf, takeTurns } from '../src/measure/rounds.ts';
import { cpuRatio, hasReached, type Row } from '../src/report/row.ts';
import { formatTable } from '../src/report/table.ts';

const row: Row = {
  group: 'pages',
  path: 'a page',
  contestant: 'product',
  unit: 'responses/s',
  value: spreadOf([400]),
  cpuMs: { API: 1.5, PostgreSQL: 0.5, loader: 7 },
  ratio: { ...spreadOf([0.5]), to: 'floor' },
  targets: [{ of: 'ratio', atLeast: 1 }],
  notes: ['A note.'],
};
const floor: Row = {
  ...row,
  contestant: 'floor',
  value: spreadOf([800]),
  cpuMs: { floor: 0.5, PostgreSQL: 0.5, loader: 7 },
  targets: [],
  notes: [],
};

test('medians and quartiles lie between their neighbours', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, q1: 1.75, q3: 3.25 });
  expect(quantile([1, 2, 3], 0.95)).toBeCloseTo(2.9);
});

test('contestants take turns, and are compared round by round', async () => {
  const order: string[] = [];
  const contestant = (name: string, values: number[]) => ({
    name,
    run: async () => {
      order.push(name);
      return { value: values.shift() ?? 0, cpuMs: {} };
    },
  });
  const samples = await takeTurns([contestant('A', [1, 10, 100]), contestant('B', [2, 40, 200])], 3);
  expect(order).toEqual(['A', 'B', 'B', 'A', 'A', 'B']);
  // The ratio of the medians would be 10 / 40.
  expect(ratioOf(samples, 'A', 'B').median).toBe(0.5);
});

describe('a target', () => {
  test.each([
    [{ of: 'ratio', atLeast: 0.5 } as const, true],
    [{ of: 'ratio', atLeast: 0.51 } as const, false],
    [{ of: 'value', below: 400 } as const, false],
    [{ of: 'value', atMost: 400 } as const, true],
    // The time of the loader is not added.
    [{ of: 'cpu', atMost: 2 } as const, true],
  ])('%j is reached: %s', (target, reached) => expect(hasReached(row, target)).toBe(reached));

  test('is not measured without CPU times', () => {
    expect(hasReached({ ...row, cpuMs: {} }, { of: 'cpu', atMost: 2 })).toBeNull();
  });
});

test('the ratio by CPU compares with the other contestant of the same path', () => {
  expect(cpuRatio(row, [row, { ...floor, path: 'another page', cpuMs: { floor: 9 } }, floor])).toBe(0.5);
});

test('the ratio of a cost by CPU is the other way round', () => {
  const cost: Row = { ...row, isCost: true, cpuMs: { API: 3 } };
  expect(cpuRatio(cost, [cost, { ...floor, isCost: true }])).toBe(3);
});

test('the table shows each measurement next to its target', () => {
  expect(formatTable([row, floor]).split('\n')).toEqual([
    expect.stringMatching(/^\| Path +\| Contestant +\| Median/),
    expect.stringMatching(/^\| -+ \|/),
    expect.stringMatching(
      /^\| a page \| product \[1\] \| 400 .*\| 2\.00: API 1\.50, PostgreSQL 0\.50, loader 7\.00 +\| 0\.50 of floor; by CPU 0\.50 \| ratio ≥ 1: missed \|$/,
    ),
    expect.stringMatching(/^\| +\| floor +\| 800 /),
    '',
    '[1] A note.',
  ]);
});
