import { describe, expect, test } from '@jest/globals';
import { countBy, DAY_MS, NOW, of, stored } from './demo-records.ts';

describe('the quarter', () => {
  test('has 30 rooms in all states, each with an owner, a contact and an earlier source call', () => {
    const rooms = stored('room');
    expect(countBy(rooms, ({ status }) => status)).toEqual({ open: 15, won: 6, lost: 5, dormant: 4 });
    expect(countBy(rooms, ({ companyId }) => String(companyId))).toEqual({ 1001: 24, 1002: 6 });
    for (const room of rooms) {
      expect(room).toMatchObject({ ownerId: expect.any(Number), primaryContactEmail: expect.any(String) });
      expect(room.closedAt !== undefined).toBe(room.status === 'won' || room.status === 'lost');
      const source = stored('call').find(({ id }) => id === room.sourceCallId);
      expect(source).toMatchObject({ kind: 'qualifying_call', roomId: room.id });
      expect(source?.occurredAt && source.occurredAt < (room.createdAt ?? '')).toBe(true);
    }
  });

  test('has 150 calls of all kinds and states, most of them summarised', () => {
    const calls = stored('call');
    expect(calls).toHaveLength(150);
    expect(Object.keys(countBy(calls, ({ kind }) => kind)).toSorted()).toEqual([
      'demo',
      'meeting',
      'qualifying_call',
    ]);
    const states = countBy(calls, ({ status }) => status);
    expect(states['processing']).toBe(2);
    expect(states['failed']).toBeGreaterThanOrEqual(4);
    expect(calls.filter(({ disqualifiedReason }) => disqualifiedReason).length).toBeGreaterThanOrEqual(5);
    const summarised = new Set(of('callSummary').map(({ callId }) => callId));
    expect(summarised.size).toBeGreaterThan(110);
    for (const call of calls.filter(({ id }) => summarised.has(id))) expect(call.status).toBe('completed');
  });

  test('has summaries that name the deal and leave no placeholder', () => {
    const prospectOf = new Map(stored('call').map(({ id, prospectName }) => [id, prospectName]));
    for (const { callId, summary } of of('callSummary')) {
      const text = JSON.stringify(summary);
      expect(text).not.toMatch(/\{\w+\}|undefined|NaN/);
      expect(summary.headline).toBeTruthy();
      expect(text).toContain(prospectOf.get(callId));
    }
  });

  test('has chapters that cover each recording from beginning to end', () => {
    const lengthOf = new Map(stored('call').map(({ id, durationSeconds }) => [id, durationSeconds]));
    const withTopics = of('callSummary').filter(({ summary }) => (summary.topics ?? []).length > 0);
    expect(withTopics.length).toBeGreaterThan(80);
    for (const { callId, summary } of withTopics) {
      const topics = summary.topics ?? [];
      expect(topics[0]?.startSeconds).toBe(0);
      expect(topics.at(-1)?.endSeconds).toBe(lengthOf.get(callId));
      for (const [index, topic] of topics.slice(1).entries()) {
        expect(topic.startSeconds).toBe(topics[index]?.endSeconds);
      }
    }
  });

  test('has thousands of events of every type, and messages from both sides', () => {
    const types = countBy(of('event'), ({ type }) => type);
    expect(Object.keys(types).toSorted()).toEqual([
      'comment',
      'doc_download',
      'doc_open',
      'forward',
      'map_checkoff',
      'room_visit',
      'trailer_complete',
      'trailer_view',
    ]);
    expect(of('event').length).toBeGreaterThan(3000);
    const sides = countBy(of('message'), ({ side }) => side);
    expect(sides['prospect']).toBeGreaterThan(100);
    expect(sides['seller']).toBeGreaterThan(100);
  });

  test('has views with skips, rewatches, early ends and full plays, each within its recording', () => {
    const lengthOf = new Map(stored('call').map(({ id, durationSeconds }) => [id, durationSeconds ?? 0]));
    const callOf = new Map(of('distribution').map(({ id, callId }) => [id, callId ?? '']));
    const seen = { skips: 0, rewatches: 0, early: 0, full: 0 };
    for (const { distributionId, segments, startedAt, endedAt } of of('view').filter(
      (view) => view.segments,
    )) {
      const length = lengthOf.get(callOf.get(distributionId) ?? '') ?? 0;
      const played = segments ?? [];
      const [first, second] = played;
      expect(Math.max(...played.map(([, to]) => to))).toBeLessThanOrEqual(length);
      const seconds = played.reduce((sum, [from, to]) => sum + to - from, 0);
      expect(Date.parse(endedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(seconds * 1000);
      if (first && second && second[0] > first[1]) seen.skips += 1;
      if (first && second && second[0] < first[1]) seen.rewatches += 1;
      if (played.length === 1 && seconds < length * 0.5) seen.early += 1;
      if (seconds >= length) seen.full += 1;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  test('has silent people, people without an email, and chains of forwards', () => {
    const active = new Set([...of('event'), ...of('view')].map(({ distributionId }) => distributionId));
    const silent = of('distribution').filter(({ id }) => !active.has(id));
    expect(silent.length).toBeGreaterThanOrEqual(20);
    expect(of('member').filter(({ email }) => email === null).length).toBeGreaterThanOrEqual(3);
    const forwarded = new Map(of('distribution').map((link) => [link.id, link.forwardedFromDistributionId]));
    const origins = [...forwarded.values()].filter((origin) => origin != null);
    expect(origins.length).toBeGreaterThanOrEqual(15);
    expect(origins.filter((origin) => forwarded.get(origin) !== undefined).length).toBeGreaterThanOrEqual(1);
  });

  test('has contracts in every status, with matching times', () => {
    const contracts = stored('esign');
    expect(Object.keys(countBy(contracts, ({ status }) => status)).toSorted()).toEqual([
      'completed',
      'declined',
      'delivered',
      'sent',
      'signed_partial',
      'viewed',
      'voided',
    ]);
    for (const contract of contracts) {
      const { status, sentAt, firstViewedAt, completedAt, declinedAt, lastEventAt } = contract;
      expect(completedAt !== undefined).toBe(status === 'completed');
      expect(declinedAt !== undefined).toBe(status === 'declined');
      expect(firstViewedAt !== undefined).toBe(!['sent', 'delivered', 'voided'].includes(status ?? ''));
      const order = [sentAt, firstViewedAt, completedAt ?? declinedAt ?? lastEventAt]
        .filter((moment) => moment != null)
        .map((moment) => Date.parse(moment));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
    const wonRooms = stored('room').filter(({ status }) => status === 'won');
    for (const room of wonRooms) {
      expect(contracts.some(({ roomId, status }) => roomId === room.id && status === 'completed')).toBe(true);
    }
  });

  test('has documents of both sides, and action plans with done, open and overdue items', () => {
    expect(
      Object.keys(countBy(of('document'), (document) => String(document.uploadedByProspect))),
    ).toHaveLength(2);
    const today = NOW.toISOString().slice(0, 10);
    const items = stored('actionItem');
    const done = items.filter(({ completedAt }) => completedAt);
    const overdue = items.filter(({ completedAt, dueDate }) => !completedAt && (dueDate ?? '') < today);
    expect(Object.keys(countBy(done, ({ completedBy }) => completedBy ?? 'nobody')).toSorted()).toEqual([
      'prospect',
      'seller',
    ]);
    expect(overdue.length).toBeGreaterThan(10);
    expect(items.length).toBeGreaterThan(done.length + overdue.length);
  });

  test('has buyers who were active in several open rooms within the last day', () => {
    const openRooms = new Set(
      stored('room')
        .filter(({ status }) => status === 'open')
        .map(({ id }) => id),
    );
    const roomOf = new Map(of('distribution').map(({ id, roomId }) => [id, roomId]));
    const recent = of('event').filter(({ occurredAt }) => NOW.getTime() - Date.parse(occurredAt) < DAY_MS);
    const rooms = new Set(recent.map(({ distributionId }) => roomOf.get(distributionId) ?? ''));
    expect([...rooms].filter((room) => openRooms.has(room)).length).toBeGreaterThanOrEqual(3);
  });
});
