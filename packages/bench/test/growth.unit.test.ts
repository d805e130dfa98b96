import { describe, expect, test } from '@jest/globals';
import type { BenchContext } from '../src/context.ts';
import { compareSizes } from '../src/growth/compare-sizes.ts';
import { canReadCpu } from '../src/measure/cpu.ts';
import { memoryDuring, readMemory } from '../src/measure/memory.ts';
import { readOptions } from '../src/options.ts';
import { hasReached } from '../src/report/row.ts';

describe('the comparison of two sizes', () => {
  async function compare(atMost: number) {
    const order: string[] = [];
    const contestant = (name: string, values: number[]) => ({
      name,
      run: async () => {
        order.push(name);
        return { value: values[order.filter((other) => other === name).length - 1]!, cpuMs: {} };
      },
    });
    const options = readOptions(['--growth', '--growth-rounds', '3']);
    const rows = await compareSizes({ options, say() {} } as unknown as BenchContext, {
      group: 'growth',
      path: 'a page',
      unit: 'ms',
      // The first two turns are the warm-up.
      few: contestant('few', [99, 99, 1, 10, 100]),
      many: contestant('many', [99, 99, 2, 30, 400]),
      atMost,
    });
    return { order, rows };
  }

  test('begins with a warm-up, and compares round by round', async () => {
    const { order, rows } = await compare(3);
    expect(order).toEqual(
      ['few', 'many', 'few', 'many'].concat(['few', 'many', 'many', 'few', 'few', 'many']),
    );
    expect(rows).toMatchObject([
      { contestant: 'few', isCost: true, value: { median: 10 }, targets: [] },
      { contestant: 'many', isCost: true, value: { median: 30 }, ratio: { median: 3, to: 'few' } },
    ]);
    expect(rows[0]).not.toHaveProperty('ratio');
  });

  test.each([
    [3, true],
    [2.9, false],
  ])('within %s times: %s', async (atMost, reached) => {
    const [, many] = (await compare(atMost)).rows;
    expect(hasReached(many!, many!.targets[0]!)).toBe(reached);
  });
});

describe('the memory of a process', () => {
  test('is read where there is /proc', () => {
    const memory = readMemory(process.pid);
    expect(memory === null).toBe(!canReadCpu);
    if (memory === null) return;
    expect(memory.residentMiB * 2 ** 20).toBeGreaterThan(process.memoryUsage().rss / 2);
    expect(memory.peakMiB).toBeGreaterThanOrEqual(memory.residentMiB);
  });

  test('is read while work runs', async () => {
    let end = () => {};
    const work = new Promise<void>((resolve) => {
      end = resolve;
    });
    const reading = memoryDuring(process.pid, work);
    end();
    expect((await reading).length).toBe(canReadCpu ? 1 : 0);
  });

  test('is not known of work that failed', async () => {
    await expect(memoryDuring(process.pid, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
