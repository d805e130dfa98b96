import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { firstDifference } from '../src/contestants/first-difference.ts';
import { requireExactly } from '../src/contestants/require-exactly.ts';
import { type Receipt, verifyArrival } from '../src/loader/receipt.ts';

describe('the deliveries that have arrived', () => {
  const events = new Map([
    ['a', { path: '/1', body: 'A' }],
    ['b', { path: '/2', body: 'B' }],
  ]);
  const a: Receipt = { eventId: 'a', path: '/1', body: 'A', atMs: 0 };
  const b: Receipt = { eventId: 'b', path: '/2', body: 'B', atMs: 0 };

  test('may come in any order', () => expect(() => requireExactly(events, [b, a])).not.toThrow());

  test.each([
    ['one is missing', [a], '1 events have not arrived'],
    ['one arrived twice', [a, b, a], 'event a arrived twice'],
    ['one was never sent', [a, b, { ...a, eventId: 'c' }], 'event c arrived twice, or was never sent'],
    ['a body is wrong', [a, { ...b, body: 'A' }], 'event b arrived wrong at /2'],
    ['an endpoint is wrong', [a, { ...b, path: '/1' }], 'event b arrived wrong at /1'],
  ])('are refused if %s', (_case, receipts, message) => {
    expect(() => requireExactly(events, receipts)).toThrow(message);
  });
});

describe('the signature of a delivery', () => {
  const v1 = createHmac('sha256', 'secret').update('17.body').digest('hex');
  const arrival = { path: '/', eventId: 'a', signature: `t=17,v1=${v1}`, atMs: 0 };
  const chunks = [Buffer.from('bo'), Buffer.from('dy')];

  test('may be right', () => {
    expect(verifyArrival({ ...arrival, chunks }, 'secret').body).toBe('body');
  });

  test.each([
    ['of other bytes', { ...arrival, chunks: [Buffer.from('other')] }, 'secret'],
    ['of another secret', { ...arrival, chunks }, 'other'],
    ['missing', { ...arrival, chunks, signature: 'undefined' }, 'secret'],
  ])('is refused if it is %s', (_case, wrong, secret) => {
    expect(() => verifyArrival(wrong, secret)).toThrow('wrong signature of event a');
  });
});

test.each([
  [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, null],
  [{ a: 1 }, { a: 2 }, '$.a: expected 1, got 2'],
  [{ a: null }, {}, '$.a: expected null, got nothing'],
  [{}, { a: [] }, '$.a: expected nothing, got []'],
  [[{ a: 1 }], [{ a: 1 }, 2], '$.1: expected nothing, got 2'],
  [{ a: [] }, { a: {} }, '$.a: expected [], got {}'],
])('the first difference of %j and %j', (expected, received, difference) => {
  expect(firstDifference(expected, received)).toBe(difference);
});
