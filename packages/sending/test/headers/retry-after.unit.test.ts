import { describe, expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../src/headers/retry-after.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00.500Z');

describe('Retry-After', () => {
  test.each([
    ['120', 120],
    ['0', 0],
    [' 7 ', 7],
    ['999999999999999', 315_360_000],
    ['Sat, 28 Nov 2026 12:02:00 GMT', 120],
    ['Sat, 28 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 28 Nov 9999 11:00:00 GMT', 315_360_000],
  ])('reads %j', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW_MS)).toBe(seconds);
  });

  test.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    '2 minutes',
    '1'.repeat(16),
    '2026-11-28T12:02:00Z',
    'Saturday, 28-Nov-26 12:02:00 GMT',
    'Sat, 28 Nov 2026 12:02:00 CET',
    'Sat, 99 Nov 2026 99:02:00 GMT',
    '\u0664\u0662',
  ])('ignores %j', (header) => {
    expect(retryAfterSeconds(header, NOW_MS)).toBeNull();
  });
});
