import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readExcerpt, toExcerpt } from '../src/response-excerpt.ts';

test('the first 1 KiB, in whole characters', () => {
  expect(toExcerpt(Buffer.from('Grüße 🎉'))).toBe('Grüße 🎉');
  expect(toExcerpt(Buffer.from('a'.repeat(2000)))).toBe('a'.repeat(1024));
  // The cut falls inside the last emoji of four bytes, at each of its places.
  for (const lead of ['', 'a', 'aa', 'aaa']) {
    const text = toExcerpt(Buffer.from(lead + '🎉'.repeat(300)));
    expect(text.isWellFormed()).toBe(true);
    expect(text).toBe(lead + '🎉'.repeat(Math.floor((1024 - lead.length) / 4)));
  }
});

test('NUL and bytes that are not UTF-8 become replacement characters', () => {
  expect(toExcerpt(Buffer.from('a\0b'))).toBe('a\uFFFDb');
  expect(toExcerpt(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]))).toMatch(/^a\uFFFD+\(\uFFFD+$/);
  // A character that the receiver itself has cut off is not UTF-8.
  expect(toExcerpt(Buffer.from('é').subarray(0, 1))).toBe('\uFFFD');
  expect(toExcerpt(Buffer.alloc(0))).toBe('');
});

test('a body that never ends is read until the signal aborts, and closed then', async () => {
  const body = new Readable({ read() {} });
  body.push('the beginning');
  const aborting = new AbortController();
  const reading = readExcerpt(body, aborting.signal);
  // By then the reader has what has arrived, and waits for more.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  aborting.abort();
  expect(await reading).toBe('the beginning');
  expect(body.destroyed).toBe(true);
});
