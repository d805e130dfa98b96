import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { backoffMs, retryAfterMs, wait } from '../../src/feeds/waiting.ts';

describe('Retry-After', () => {
  const NOW = Date.parse('2026-09-01T12:00:00Z');

  const file = path.join(import.meta.dirname, 'retry-after-cases.json');
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    cases: { header: string; waitMs: number | null }[];
  };

  test.each([...cases, { header: null, waitMs: null }])('$header', ({ header, waitMs }) => {
    expect(retryAfterMs(header, NOW)).toBe(waitMs);
  });
});

describe('the backoff', () => {
  test('doubles up to a minute, minus up to a half', () => {
    const longest = Array.from({ length: 10 }, (_, n) => backoffMs(n + 1, 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    const shortest = Array.from({ length: 10 }, (_, n) => backoffMs(n + 1, 0));
    expect(shortest).toEqual(longest.map((ms) => ms / 2));
  });

  test('stays finite after a long outage', () => {
    expect(backoffMs(100_000, 1)).toBe(60_000);
  });
});

describe('wait', () => {
  test('ends at once when the signal is aborted, before or during the wait', async () => {
    await wait(1_000_000, AbortSignal.abort());
    const controller = new AbortController();
    const waiting = wait(1_000_000, controller.signal);
    controller.abort();
    await waiting;
  });
});
