import { captureRecord, type CaptureInput } from '@deal-signals/capture/record';
import { describe, expect, test } from '@jest/globals';
import { demoRecords } from '../src/quarter/dataset.ts';
import { DEMO_SEED } from '../src/quarter/seed.ts';
import { DAY_MS, NOW, of, records } from './demo-records.ts';

describe('demoRecords', () => {
  test('returns the same records for the same seed and time, and others for another seed', () => {
    const text = (seed: string, now: Date) => JSON.stringify([...demoRecords({ seed, now })]);
    expect(text(DEMO_SEED, NOW)).toBe(JSON.stringify(records));
    expect(text('another seed', NOW)).not.toBe(JSON.stringify(records));
  });

  test('keeps the ids of rooms and share links when only the time differs', () => {
    const later = [...demoRecords({ seed: DEMO_SEED, now: new Date(NOW.getTime() + 3 * DAY_MS) })];
    for (const kind of ['room', 'distribution'] as const) {
      const ids = (list: readonly CaptureInput[]) => new Set(of(kind, list).map(({ id }) => id));
      expect(ids(later)).toEqual(ids(records));
    }
  });

  test.each(['2026-11-22T03:10:00Z', '2026-01-01T00:00:00Z', '2028-02-29T23:59:59Z'])(
    'returns valid records that lie in the past, at any time of the year (%s)',
    (now) => {
      for (const record of demoRecords({ seed: now, now: new Date(now) })) {
        const parsed = captureRecord.parse(record);
        const moments = Object.values(parsed).filter((value) => value instanceof Date);
        // Calendar dates of plans lie ahead. Everything with a time of day has happened.
        const happened = moments.filter((moment) => moment.getTime() % DAY_MS !== 0);
        expect(Math.max(0, ...happened.map((moment) => moment.getTime()))).toBeLessThanOrEqual(
          Date.parse(now),
        );
      }
    },
  );

  test.each([DEMO_SEED, 'another seed', 'a third'])(
    'refers only to earlier records of the same workspace (%s)',
    (seed) => {
      const known = new Set<string>();
      const missing: CaptureInput[] = [];
      for (const record of demoRecords({ seed, now: NOW })) {
        if (record.record === 'company') continue;
        const references = Object.entries(record)
          .filter(
            ([name, value]) => /(room|call|distribution|owner|doc)Id$/i.test(name) && value !== undefined,
          )
          .map(([, value]) => `${record.companyId} ${String(value)}`);
        if (references.some((reference) => !known.has(reference))) missing.push(record);
        if ('id' in record) known.add(`${record.companyId} ${record.id}`);
      }
      expect(missing).toEqual([]);
    },
  );

  test('returns events in the order of time, after everything that they refer to', () => {
    for (const companyId of [1001, 1002]) {
      const own = records.filter((record) => 'companyId' in record && record.companyId === companyId);
      const firstEvent = own.findIndex(({ record }) => record === 'event' || record === 'view');
      expect(own.findLastIndex(({ record }) => record === 'document' || record === 'room')).toBeLessThan(
        firstEvent,
      );
      const times = of('event', own).map(({ occurredAt }) => Date.parse(occurredAt));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  test('uses every key once', () => {
    for (const kind of ['event', 'view', 'message'] as const) {
      const keys = of(kind).map(({ companyId, key }) => `${companyId} ${key}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('has only email addresses of reserved domains', () => {
    const addresses = JSON.stringify(records).match(/[\w.+-]+@[\w.-]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(1000);
    expect(addresses.filter((address) => !/\.example$|example\.com$/.test(address))).toEqual([]);
  });
});
