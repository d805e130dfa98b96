import { describe, expect, test } from '@jest/globals';
import { Changes, FORWARDED } from '../../src/command/listen/changes.ts';
import { Progress } from '../../src/command/sync/progress.ts';
import { describeRecord } from '../../src/command/tail/describe.ts';
import type { FeedPage, FeedRecords } from '../../src/feeds/feeds.ts';
import { event, room } from '../stores/pages.ts';

describe('a delivery is caused by', () => {
  const call = (summary: object | null) =>
    ({ id: 'c', summary, deal: {} }) as unknown as FeedRecords['calls'];

  test('a new call, and a new or changed summary', () => {
    const changes = new Changes();
    const steps = [
      null,
      null,
      { headline: 'a' },
      { headline: 'a' },
      { headline: 'b' },
      null,
      { headline: 'b' },
    ];
    const ofSummary = ['call.summary.created'];
    expect(steps.map((summary) => changes.observeCall(call(summary)))).toEqual([
      ['call.recorded'],
      [],
      ofSummary,
      [],
      ofSummary,
      // A call that is processed again shows no summary until it is completed.
      [],
      [],
    ]);
    expect(new Changes().observeCall(call({ headline: 'a' }))).toEqual(['call.recorded', ...ofSummary]);
  });

  test('a new room, and a changed status, value, date or contact of a known room', () => {
    const changes = new Changes();
    const open = room('open');
    const steps = [
      open,
      { ...open, name: 'Globex Ltd', lastActivityAt: '2026-09-02T00:00:00.000Z' },
      { ...open, status: 'won' as const },
      { ...open, status: 'won' as const, dealValueCents: 1 },
      { ...open, status: 'won' as const, dealValueCents: 1, expectedCloseDate: null },
      {
        ...open,
        status: 'won' as const,
        dealValueCents: 1,
        expectedCloseDate: null,
        primaryContactEmail: 'a@b.c',
      },
    ];
    const updated = ['decision_room.updated'];
    expect(steps.map((one) => changes.observeRoom(one))).toEqual([
      ['decision_room.created'],
      [],
      updated,
      updated,
      updated,
      updated,
    ]);
  });

  test('a new contract, and a changed status', () => {
    const changes = new Changes();
    const contract = (status: string, subject: string) =>
      ({ id: 'c', status, subject }) as FeedRecords['esign-documents'];
    const steps = [contract('sent', 'a'), contract('sent', 'b'), contract('viewed', 'b')];
    expect(steps.map((one) => changes.observeContract(one))).toEqual([
      ['decision_room.esign.updated'],
      [],
      ['decision_room.esign.updated'],
    ]);
  });
});

test('changes of calls, rooms and contracts cause all the events that `listen` sends, except engagement', () => {
  const changes = new Changes();
  const noted = [
    ...[null, { headline: 'a' }].flatMap((summary) =>
      changes.observeCall({ id: 'c', summary } as unknown as FeedRecords['calls']),
    ),
    ...[room('open'), room('won')].flatMap((one) => changes.observeRoom({ ...one, id: 'r' })),
    ...changes.observeContract({ id: 'c', status: 'sent' } as FeedRecords['esign-documents']),
  ];
  const expected = FORWARDED.filter((type) => !type.startsWith('engagement.'));
  expect(new Set<string>(noted)).toEqual(new Set(expected));
});

test('a line for the terminal contains no control characters from the data', () => {
  const line = describeRecord(
    'engagement/events',
    event(1, { actor: { name: 'Bob\u001B[2J\r\n\u202Eevil', email: null }, demoTitle: 'Demo' }),
  );
  expect(line).toBe('room_visit by Bob [2J evil: Demo');
});

test('the bar shows the share of the time between the first record and now that has been read', () => {
  const progress = new Progress('engagement/events');
  const pageAt = (hasMore: boolean, ...times: string[]): FeedPage => ({
    data: times.map((occurredAt, n) => event(n, { occurredAt })),
    nextCursor: '1',
    hasMore,
  });
  const now = Date.parse('2026-09-05T00:00:00Z');
  progress.add(pageAt(true, '2026-09-01T00:00:00Z', '2026-09-02T00:00:00Z'), now);
  expect(progress.line()).toMatch(/^engagement\/events {2}█{6}░{18} {2}25 % {2}2 records, /);
  // A future date gives no information about the position in the feed.
  progress.add(pageAt(true, '2027-01-01T00:00:00Z'), now);
  expect(progress.line()).toContain(' 25 %  3 records');
  progress.add(pageAt(false, '2026-09-03T00:00:00Z'), now);
  expect(progress.line()).toMatch(/█{24} 100 % {2}4 records/);
});
