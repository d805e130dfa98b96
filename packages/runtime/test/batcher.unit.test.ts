import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, jest, test } from '@jest/globals';
import { createBatcher } from '../src/batcher.ts';

/** A batcher whose calls the test ends itself. */
function controlled(maxSize = 100) {
  const calls: { items: string[]; end: (results: string[]) => void; fail: (error: Error) => void }[] = [];
  const batcher = createBatcher<string, string>(
    (items) => new Promise((resolve, reject) => calls.push({ items, end: resolve, fail: reject })),
    { maxSize, weigh: (item) => item.length },
  );
  return { batcher, calls, items: () => calls.map((call) => call.items) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('starts the first item at once and runs those that arrive during it together, in their order', async () => {
  const { batcher, calls, items } = controlled();
  const first = batcher.add('', 'a');
  const others = ['b', 'c', 'd'].map((item) => batcher.add('', item));
  await settled();
  expect(items()).toEqual([['a']]);
  calls[0]!.end(['A']);
  expect(await first).toBe('A');
  await settled();
  expect(items()).toEqual([['a'], ['b', 'c', 'd']]);
  calls[1]!.end(['B', 'C', 'D']);
  expect(await Promise.all(others)).toEqual(['B', 'C', 'D']);
  void batcher.add('', 'e');
  expect(items().at(-1)).toEqual(['e']);
});

test('limits the size of a batch and leaves the rest to the next one', async () => {
  const { batcher, calls, items } = controlled(2);
  for (const item of ['a', 'b', 'c', 'd']) void batcher.add('', item);
  calls[0]!.end(['A']);
  await settled();
  calls[1]!.end(['B', 'C']);
  await settled();
  expect(items()).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('runs an item that is larger than a batch alone', async () => {
  const { batcher, calls, items } = controlled(2);
  for (const item of ['a', 'long', 'bb', 'c', 'd']) void batcher.add('', item);
  for (const results of [['A'], ['LONG'], ['BB'], ['C', 'D']]) {
    calls.at(-1)!.end(results);
    await settled();
  }
  expect(items()).toEqual([['a'], ['long'], ['bb'], ['c', 'd']]);
});

test('waits for the minimum interval between the starts of two batches of a key', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    const begun: [string[], number][] = [];
    const startMs = performance.now();
    const batcher = createBatcher<string, string>(
      async (items) => {
        begun.push([items, performance.now() - startMs]);
        return items;
      },
      { minIntervalMs: 20 },
    );
    const add = (item: string) => batcher.add('', item);
    expect(await add('a')).toBe('a');
    const others = [add('b'), add('c')];
    await settled();
    expect(batcher.isBusy('')).toBe(true);
    await jest.advanceTimersByTimeAsync(19);
    expect(begun).toEqual([[['a'], 0]]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(others)).toEqual(['b', 'c']);
    await jest.advanceTimersByTimeAsync(20);
    expect(batcher.isBusy('')).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    await add('d');
    expect(begun).toEqual([
      [['a'], 0],
      [['b', 'c'], 20],
      [['d'], 140],
    ]);
  } finally {
    jest.useRealTimers();
  }
});

test('runs keys independently, and reports a key as busy until its last batch has ended', async () => {
  const { batcher, calls, items } = controlled();
  void batcher.add('x', 'a');
  void batcher.add('y', 'b');
  void batcher.add('x', 'c');
  expect(items()).toEqual([['a'], ['b']]);
  calls[0]!.end(['A']);
  calls[1]!.end(['B']);
  await settled();
  expect(batcher.isBusy('x')).toBe(true);
  expect(batcher.isBusy('y')).toBe(false);
  calls[2]!.end(['C']);
  await settled();
  expect(batcher.isBusy('x')).toBe(false);
});

test('rejects every item of a batch that fails, and runs the next one', async () => {
  const { batcher, calls } = controlled();
  const first = batcher.add('', 'a');
  const second = batcher.add('', 'b');
  const third = batcher.add('', 'c');
  calls[0]!.fail(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  calls[1]!.end(['B']);
  await expect(second).rejects.toThrow('one result for each item');
  await expect(third).rejects.toThrow('one result for each item');
});

test('runs a batch in the async context of its first item', async () => {
  const trace = new AsyncLocalStorage<string>();
  const batcher = createBatcher<string, string>(async (items) => {
    await settled();
    return items.map((item) => `${item} in ${trace.getStore()}`);
  });
  const add = (item: string) => trace.run(`the trace of ${item}`, () => batcher.add('', item));
  expect(await Promise.all(['a', 'b', 'c'].map(add))).toEqual([
    'a in the trace of a',
    'b in the trace of b',
    'c in the trace of b',
  ]);
});
