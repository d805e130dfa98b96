import { describe, expect, test } from '@jest/globals';
import { compare } from '../src/measure.ts';
import { cpuRatio, formatTable, hasReached, quantile, type Row, spreadOf } from '../src/report.ts';

const row: Row = {
  group: 'pages',
  path: 'a page',
  contestant: 'product',
  unit: 'responses/s',
  value: spreadOf([400]),
  cpuMs: { API: 1.5, PostgreSQL: 0.5, loader: 7 },
  ratio: { ...spreadOf([0.5]), to: 'floor' },
  targets: [['ratio', '≥', 1]],
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

describe('a comparison', () => {
  /** Each contestant works on so many units, for these times. The first turn is the warm-up. */
  async function compareTimes(isCost: boolean) {
    const order: string[] = [];
    const contestant = (name: string, times: number[], more: object = {}) => ({
      name,
      run: async () => {
        order.push(name);
        return { units: 10, ms: times.shift() ?? 0, cpuMs: { API: times.length } };
      },
      ...more,
    });
    const rows = await compare(
      { say() {} },
      {
        group: 'pages',
        path: 'a page',
        unit: 'ms',
        rounds: 3,
        ...(isCost && { isCost }),
        contestants: [
          contestant('few', [999, 100, 10, 1_000]),
          contestant('many', [999, 400, 80, 2_000], { to: 'few', targets: [['ratio', '≤', 4]] }),
        ],
      },
    );
    return { order, rows };
  }

  test('begins with a warm-up, and the contestants take turns', async () => {
    const { order } = await compareTimes(false);
    expect(order).toEqual(['few', 'many', 'few', 'many', 'many', 'few', 'few', 'many']);
  });

  test('is made round by round', async () => {
    const { rows } = await compareTimes(true);
    expect(rows).toMatchObject([
      { contestant: 'few', isCost: true, value: { median: 10 }, targets: [], cpuMs: { API: 1 } },
      // The ratio of the fastest rounds is 8, that of the slowest 2.
      { contestant: 'many', isCost: true, value: { median: 40 }, ratio: { median: 4, q3: 6, to: 'few' } },
    ]);
    expect(rows[0]).not.toHaveProperty('ratio');
    expect(hasReached(rows[1]!, rows[1]!.targets[0]!)).toBe(true);
  });

  test('of speeds is the other way round', async () => {
    const { rows } = await compareTimes(false);
    expect(rows[1]).toMatchObject({ value: { median: 25 }, ratio: { median: 0.25, to: 'few' } });
  });
});

describe('a target', () => {
  test.each([
    [['ratio', '≥', 0.5] as const, true],
    [['ratio', '≥', 0.51] as const, false],
    [['value', '<', 400] as const, false],
    [['value', '≤', 400] as const, true],
    // The time of the loader is not added.
    [['cpu', '≤', 2] as const, true],
  ])('%j is reached: %s', (target, reached) => expect(hasReached(row, target)).toBe(reached));

  test('is not measured without CPU times', () => {
    expect(hasReached({ ...row, cpuMs: {} }, ['cpu', '≤', 2])).toBeNull();
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
