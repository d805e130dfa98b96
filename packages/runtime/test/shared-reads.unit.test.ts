import { expect, test } from '@jest/globals';
import { createSharedReads } from '../src/shared-reads.ts';

/** Resolves when everything that can run now has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function slowReads() {
  const shared = createSharedReads<string>();
  const pending: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const read = (key: string) =>
    shared(key, () => new Promise((resolve, reject) => pending.push({ resolve, reject })));
  return { read, pending };
}

test('callers that arrive while a read runs share the next one, which begins after they asked', async () => {
  const { read, pending } = slowReads();
  const first = read('a');
  await settled();
  const [second, third] = [read('a'), read('a')];
  await settled();
  expect(pending).toHaveLength(1);
  // What the first read found does not reach those who asked after it had begun.
  pending[0]?.resolve('old');
  expect(await first).toBe('old');
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.resolve('new');
  expect(await Promise.all([second, third])).toEqual(['new', 'new']);
});

test('nothing is kept: a read that was not shared begins at once, and a later caller reads again', async () => {
  const { read, pending } = slowReads();
  for (const value of ['1', '2']) {
    const reading = read('a');
    await settled();
    pending.at(-1)?.resolve(value);
    expect(await reading).toBe(value);
  }
  expect(pending).toHaveLength(2);
});

test('keys do not wait for each other, and a failure reaches only those who share the read', async () => {
  const { read, pending } = slowReads();
  const [a, b] = [read('a'), read('b')];
  await settled();
  const next = read('a');
  expect(pending).toHaveLength(2);
  pending[0]?.reject(new Error('failed'));
  pending[1]?.resolve('b');
  await expect(a).rejects.toThrow('failed');
  expect(await b).toBe('b');
  await settled();
  pending[2]?.resolve('a');
  expect(await next).toBe('a');
});
