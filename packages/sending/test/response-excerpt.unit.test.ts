import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readExcerpt, toExcerpt } from '../src/guard/response-excerpt.ts';

test('an excerpt is the first 1 KiB of the body', () => {
  expect(toExcerpt(Buffer.alloc(0))).toBe('');
  expect(toExcerpt(Buffer.from('Grüße 🎉'))).toBe('Grüße 🎉');
  expect(toExcerpt(Buffer.from('a'.repeat(2000)))).toBe('a'.repeat(1024));
});

test.each([0, 1, 2, 3])('a character whose bytes cross 1 KiB is left out: %d bytes before it', (lead) => {
  const text = toExcerpt(Buffer.from('a'.repeat(lead) + '🎉'.repeat(300)));
  expect(text.isWellFormed()).toBe(true);
  expect(text).toBe('a'.repeat(lead) + '🎉'.repeat(Math.floor((1024 - lead) / 4)));
});

test.each([
  ['NUL', Buffer.from('a\0b'), /^a\uFFFDb$/],
  ['bytes that are not UTF-8', Buffer.of(0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80), /^a\uFFFD+\(\uFFFD+$/],
  ['a character that the receiver has cut off', Buffer.from('é').subarray(0, 1), /^\uFFFD$/],
])('%s becomes replacement characters', (_what, body, expected) => {
  expect(toExcerpt(body)).toMatch(expected);
});

test('an endless body is read until the signal aborts, and then closed', async () => {
  const body = new Readable({ read() {} });
  body.push('the beginning');
  const aborting = new AbortController();
  const reading = readExcerpt(body, aborting.signal);
  // The reader now has everything that has arrived, and waits for more.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  aborting.abort();
  expect(await reading).toBe('the beginning');
  expect(body.destroyed).toBe(true);
});
