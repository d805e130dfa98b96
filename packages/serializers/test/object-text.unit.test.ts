import { describe, expect, test } from '@jest/globals';
import { CALL_VERSION, storedCall } from '../src/calls/call.ts';
import { callSummary } from '../src/calls/call-summary.ts';
import { ENGAGEMENT_EVENT_VERSION, storedEngagementEvent } from '../src/engagement/event.ts';
import { ENGAGEMENT_VIEW_VERSION, storedEngagementView } from '../src/engagement/view.ts';
import { inStoredOrder } from '../src/json-order.ts';
import { fillSlots, textWithSlots } from '../src/object-text.ts';
import { ROOM_VERSION, storedRoom } from '../src/rooms/room.ts';

const AT = new Date('2026-09-01T12:00:00.000Z');

describe('the stored text of a row', () => {
  // A process with another builder must not use these texts as its own. If one of them changes, raise its version.
  test('of an event belongs to its version', () => {
    const row = {
      type: 'forward',
      occurredAt: AT,
      actorName: 'Bob',
      actorEmail: null,
      metadata: { longer: 1, b: { 10: 1, 9: 2 } },
      demoId: 'demo',
      demoTitle: null,
      distributionId: 'link',
      forwardedFromDistributionId: 'origin',
      buyerSpaceId: 'room',
      docId: null,
    };
    expect([ENGAGEMENT_EVENT_VERSION, storedEngagementEvent(row)]).toEqual([
      1,
      '{"id":\n,"type":"forward","occurredAt":"2026-09-01T12:00:00.000Z","actor":{"name":"Bob","email":null},"metadata":{"b":{"9":2,"10":1},"longer":1},"demoId":"demo","demoTitle":null,"distributionId":"link","forwardedFromDistributionId":"origin","buyerSpaceId":"room","docId":null}',
    ]);
  });

  test('of a view belongs to its version', () => {
    const row = {
      kind: 'trailer' as const,
      startedAt: AT,
      endedAt: AT,
      actorName: 'Bob',
      actorEmail: null,
      distributionId: 'link',
      forwardedFromDistributionId: null,
      demoId: 'demo',
      demoTitle: 'Demo',
      docId: null,
      buyerSpaceId: 'room',
      watchSeconds: 9,
      uniqueSeconds: 8,
      durationSeconds: 80,
      completionPercent: 10,
      segments: [[0, 9]] as [number, number][],
    };
    expect([ENGAGEMENT_VIEW_VERSION, storedEngagementView(row)]).toEqual([
      1,
      '{"id":\n,"kind":"trailer","startedAt":"2026-09-01T12:00:00.000Z","endedAt":"2026-09-01T12:00:00.000Z","actor":{"name":"Bob","email":null},"distributionId":"link","forwardedFromDistributionId":null,"demoId":"demo","demoTitle":"Demo","docId":null,"buyerSpaceId":"room","watchSeconds":9,"uniqueSeconds":8,"durationSeconds":80,"completionPercent":10,"segments":[{"startSeconds":0,"endSeconds":9}]}',
    ]);
  });

  test('of a call belongs to its version', () => {
    const row = {
      id: 'call',
      kind: 'demo' as const,
      status: 'completed' as const,
      occurredAt: AT,
      completedAt: null,
      title: 'Title',
      prospectName: null,
      durationSeconds: 60,
      roomId: 'room',
      participants: [{ name: 'Bob', role: null }],
      talkTime: { source: 'transcript', totalSpeakerSeconds: 5 },
      summary: callSummary.parse({ headline: 'Good' }),
      disqualifiedAt: AT,
      disqualifiedReason: 'why',
    };
    expect([CALL_VERSION, storedCall(row)]).toEqual([
      1,
      '{"id":"call","kind":"demo","status":"completed","occurredAt":"2026-09-01T12:00:00.000Z","updatedAt":\n,"completedAt":null,"owner":\n,"participants":[{"name":"Bob","role":null}],"hasSummary":true,"title":"Title","prospectName":null,"durationSeconds":60,"buyerSpaceId":"room","talkTime":{"source":"transcript","totalSpeakerSeconds":5},"summary":SUMMARY,"deal":\n,"disqualifiedAt":"2026-09-01T12:00:00.000Z","disqualifiedReason":"why"}'.replace(
        'SUMMARY',
        '{"schema":null,"topics":[],"company":null,"headline":"Good","timeline":null,"decisions":[],"nextSteps":[],"painPoints":[],"actionItems":[],"currentState":[],"keyTakeaways":[],"participants":[],"budgetSignals":null,"openQuestions":[],"desiredOutcomes":[],"decisionCriteria":[],"verdictReasoning":null,"contextForNextCall":null,"qualificationVerdict":null}',
      ),
    ]);
  });

  test('of a room belongs to its version', () => {
    const row = {
      id: 'room',
      name: 'Globex',
      slug: null,
      status: 'won' as const,
      primaryContactEmail: null,
      expectedCloseDate: AT,
      dealValueCents: 5_000_000_000n,
      sourceCallId: null,
      createdAt: AT,
      closedAt: null,
    };
    expect([ROOM_VERSION, storedRoom(row)]).toEqual([
      1,
      '{"id":"room","name":"Globex","slug":null,"status":"won","owner":\n,"primaryContactEmail":null,"expectedCloseDate":"2026-09-01","dealValueCents":5000000000,"sourceCallId":null,"createdAt":"2026-09-01T12:00:00.000Z","lastActivityAt":\n,"closedAt":null}',
    ]);
  });
});

test('slots are filled in the order of the fields, and no value is taken for one', () => {
  const object = { id: 'x', a: 'line\nbreak \\u0000 "\\u0000"', owner: { id: 1 }, b: '"\n"' };
  const text = textWithSlots(object, ['owner', 'id']);
  expect(text.split('\n')).toHaveLength(3);
  expect(fillSlots(text, ['x', { id: 1 }])).toBe(JSON.stringify(object));
});

test('keys are sorted by their bytes in UTF-8, of which 😀 has more than ￮ although it is less in UTF-16', () => {
  const sorted = inStoredOrder({ '😀': 1, bb: 2, a: 3, ü: 4, '￮a': 5, zz: 6 });
  expect(Object.keys(sorted)).toEqual(['a', 'bb', 'zz', 'ü', '￮a', '😀']);
});
