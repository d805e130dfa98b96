import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, jest, test } from '@jest/globals';
import { createGroups } from '../src/groups.ts';

/** Groups whose calls the test ends itself. */
function controlled(most = 100) {
  const calls: { items: string[]; end: (results: string[]) => void; fail: (error: Error) => void }[] = [];
  const groups = createGroups<string, string>(
    (items) => new Promise((resolve, reject) => calls.push({ items, end: resolve, fail: reject })),
    { most, weightOf: (item) => item.length },
  );
  return { groups, calls, items: () => calls.map((call) => call.items) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the first item goes out at once, and those that come meanwhile go out together in their order', async () => {
  const { groups, calls, items } = controlled();
  const first = groups.add('', 'a');
  const others = ['b', 'c', 'd'].map((item) => groups.add('', item));
  await settled();
  expect(items()).toEqual([['a']]);
  calls[0]!.end(['A']);
  expect(await first).toBe('A');
  await settled();
  expect(items()).toEqual([['a'], ['b', 'c', 'd']]);
  calls[1]!.end(['B', 'C', 'D']);
  expect(await Promise.all(others)).toEqual(['B', 'C', 'D']);
  void groups.add('', 'e');
  expect(items().at(-1)).toEqual(['e']);
});

test('a group has a largest size, and the rest goes out with the next one', async () => {
  const { groups, calls, items } = controlled(2);
  for (const item of ['a', 'b', 'c', 'd']) void groups.add('', item);
  calls[0]!.end(['A']);
  await settled();
  calls[1]!.end(['B', 'C']);
  await settled();
  expect(items()).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('an item that is larger than a group goes out alone', async () => {
  const { groups, calls, items } = controlled(2);
  for (const item of ['a', 'long', 'bb', 'c', 'd']) void groups.add('', item);
  for (const results of [['A'], ['LONG'], ['BB'], ['C', 'D']]) {
    calls.at(-1)!.end(results);
    await settled();
  }
  expect(items()).toEqual([['a'], ['long'], ['bb'], ['c', 'd']]);
});

test('the next group of a key can be kept back until a time has passed since the last one began', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    const begun: [string[], number][] = [];
    const startMs = performance.now();
    const groups = createGroups<string, string>(
      async (items) => {
        begun.push([items, performance.now() - startMs]);
        return items;
      },
      { leastMs: 20 },
    );
    const add = (item: string) => groups.add('', item);
    expect(await add('a')).toBe('a');
    const others = [add('b'), add('c')];
    await settled();
    expect(groups.isUnderWay('')).toBe(true);
    await jest.advanceTimersByTimeAsync(19);
    expect(begun).toEqual([[['a'], 0]]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(others)).toEqual(['b', 'c']);
    await jest.advanceTimersByTimeAsync(20);
    expect(groups.isUnderWay('')).toBe(false);
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

test('keys do not wait for each other, and a key is under way until its last group has ended', async () => {
  const { groups, calls, items } = controlled();
  void groups.add('x', 'a');
  void groups.add('y', 'b');
  void groups.add('x', 'c');
  expect(items()).toEqual([['a'], ['b']]);
  calls[0]!.end(['A']);
  calls[1]!.end(['B']);
  await settled();
  expect(groups.isUnderWay('x')).toBe(true);
  expect(groups.isUnderWay('y')).toBe(false);
  calls[2]!.end(['C']);
  await settled();
  expect(groups.isUnderWay('x')).toBe(false);
});

test('a group that fails fails for each of its items, and the next one runs', async () => {
  const { groups, calls } = controlled();
  const first = groups.add('', 'a');
  const second = groups.add('', 'b');
  const third = groups.add('', 'c');
  calls[0]!.fail(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  calls[1]!.end(['B']);
  await expect(second).rejects.toThrow('one result for each item');
  await expect(third).rejects.toThrow('one result for each item');
});

test('a group runs in the context of its first item', async () => {
  const trace = new AsyncLocalStorage<string>();
  const groups = createGroups<string, string>(async (items) => {
    await settled();
    return items.map((item) => `${item} in ${trace.getStore()}`);
  });
  const add = (item: string) => trace.run(`the trace of ${item}`, () => groups.add('', item));
  expect(await Promise.all(['a', 'b', 'c'].map(add))).toEqual([
    'a in the trace of a',
    'b in the trace of b',
    'c in the trace of b',
  ]);
});
