import { describe, expect, test } from '@jest/globals';
import { deliveryQuery, isFiltered, readDeliverySearch } from '../src/deliveries/delivery-search.ts';
import { jsonDifferences } from '../src/deliveries/json-difference.ts';

describe('the difference between two JSON values', () => {
  test('consists of the innermost differences, with both values', () => {
    const sent = { id: 1, owner: { name: 'Ann', id: 7 }, tags: ['a', 'b'], gone: true };
    const now = { id: 1, owner: { name: 'Bob', id: 7 }, tags: ['a', 'c', 'd'], added: null };
    expect(jsonDifferences(sent, now)).toEqual([
      { path: 'owner.name', sent: 'Ann', now: 'Bob' },
      { path: 'tags[1]', sent: 'b', now: 'c' },
      { path: 'tags[2]', sent: undefined, now: 'd' },
      { path: 'gone', sent: true, now: undefined },
      { path: 'added', sent: undefined, now: null },
    ]);
  });

  test('is the whole value if the type has changed, and empty for equal values', () => {
    expect(jsonDifferences({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', sent: [1], now: { 0: 1 } }]);
    expect(jsonDifferences({ a: null }, { a: {} })).toEqual([{ path: 'a', sent: null, now: {} }]);
    expect(jsonDifferences({ a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
  });
});

describe('the filters in the address of the log', () => {
  const ROOM = '0192f0a0-0000-7000-8000-000000000001';

  test('are kept if valid, and ignored otherwise', () => {
    const fitting = {
      buyer_space_id: ROOM,
      person: 'ann@example.com',
      event_type: 'call.recorded',
      status: 'dead',
      endpoint_id: 3,
      since: '2026-09-10T12:00:00Z',
    };
    expect(readDeliverySearch(fitting)).toEqual(fitting);
    const other = {
      buyer_space_id: `${ROOM}x`,
      call_id: 7,
      event_id: '',
      person: '',
      event_type: 'toString',
      status: 'lost',
      endpoint_id: '3',
      last: 'constructor',
      since: 'yesterday-ish',
      until: null,
      more: 1,
    };
    expect(readDeliverySearch(other)).toEqual({});
    expect(isFiltered(readDeliverySearch(other))).toBe(false);
    // The API rejects these.
    for (const since of ['Sep 1 2026', '2026-09-01T12:00', '2026-13-01', '1']) {
      expect(readDeliverySearch({ since })).toEqual({});
    }
    for (const id of [0, -1, 1.5, 2 ** 31]) expect(readDeliverySearch({ endpoint_id: id })).toEqual({});
  });

  test('become API parameters, and a period ends at the given time', () => {
    const { last, ...query } = { last: 'day' as const, status: 'dead' as const };
    expect(deliveryQuery({ ...query, last }, new Date('2026-09-10T12:00:00Z'))).toEqual({
      status: 'dead',
      since: '2026-09-09T12:00:00.000Z',
    });
    expect(deliveryQuery(query, new Date())).toEqual(query);
  });
});
