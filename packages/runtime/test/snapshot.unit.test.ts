import { expect, test } from '@jest/globals';
import { createSnapshot } from '../src/snapshot.ts';

const LONG_MS = 3_600_000;

test('any number of callers share one read until it expires', async () => {
  let readings = 0;
  const young = createSnapshot(async () => (readings += 1), { maxAgeMs: LONG_MS, deadlineMs: LONG_MS });
  expect(await Promise.all([young(), young()])).toEqual([1, 1]);
  expect(await young()).toBe(1);
  const old = createSnapshot(async () => (readings += 1), { maxAgeMs: 0, deadlineMs: LONG_MS });
  expect([await old(), await old()]).toEqual([2, 3]);
});

test('a failed read returns null, and is not repeated before it expires', async () => {
  let readings = 0;
  const read = createSnapshot(
    () => {
      readings += 1;
      return Promise.reject(new Error('away'));
    },
    { maxAgeMs: LONG_MS, deadlineMs: LONG_MS },
  );
  expect([await read(), await read()]).toEqual([null, null]);
  expect(readings).toBe(1);
});

test('no caller waits beyond the deadline, and a hanging read is not started again, even after it expires', async () => {
  let readings = 0;
  let end = (_value: string) => {};
  const read = createSnapshot(
    () => {
      readings += 1;
      return new Promise<string>((resolve) => (end = resolve));
    },
    { maxAgeMs: 0, deadlineMs: 10 },
  );
  expect([await read(), await read()]).toEqual([null, null]);
  expect(readings).toBe(1);
  const last = read();
  end('late');
  expect(await last).toBe('late');
});
