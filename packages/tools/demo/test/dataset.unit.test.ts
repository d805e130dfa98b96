import { captureRecord } from '@deal-signals/capture/records/record';
import { describe, expect, test } from '@jest/globals';
import { demoRecords } from '../src/quarter/dataset.ts';
import { DEMO_SEED } from '../src/quarter/seed.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('demoRecords', () => {
  test.each(['2026-11-22T03:10:00Z', '2026-01-01T00:00:00Z', '2028-02-29T23:59:59Z'])(
    'returns valid records that lie in the past, at any time of the year (%s)',
    (now) => {
      for (const record of demoRecords({ seed: now, now: new Date(now) })) {
        const parsed = captureRecord.parse(record);
        const moments = Object.values(parsed).filter((value) => value instanceof Date);
        // Calendar dates of plans lie in the future. Everything with a time of day has happened.
        const happened = moments.filter((moment) => moment.getTime() % DAY_MS !== 0);
        expect(Math.max(0, ...happened.map((moment) => moment.getTime()))).toBeLessThanOrEqual(
          Date.parse(now),
        );
      }
    },
  );

  test('has only email addresses of reserved domains', () => {
    const records = [...demoRecords({ seed: DEMO_SEED, now: new Date('2026-11-20T14:30:00Z') })];
    const addresses = JSON.stringify(records).match(/[\w.+-]+@[\w.-]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(1000);
    expect(addresses.filter((address) => !/\.example$|example\.com$/.test(address))).toEqual([]);
  });
});
