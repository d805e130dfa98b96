import { describe, expect, test } from '@jest/globals';
import { storedCall } from '../src/calls/call.ts';
import { callSummary } from '../src/calls/call-summary.ts';
import { serializeEngagementEvent } from '../src/engagement/event.ts';
import { serializeEngagementView } from '../src/engagement/view.ts';
import { fillSlots, jsonOf, textWithSlots } from '../src/object-text.ts';
import { storedRoom } from '../src/rooms/room.ts';

const OF_ROOM = {
  buyerSpaceId: 'room',
  buyerSpaceName: 'Globex',
  ownerId: 7,
  ownerName: 'Ann',
  ownerEmail: null,
};
const AT = new Date('2026-09-01T12:00:00.000Z');

describe('the stored text of a row', () => {
  // If one of these texts changes, stored texts have to be built again: tell operators to run `rebuild-texts`.
  test('of an event', () => {
    const row = {
      id: 7n,
      type: 'forward',
      occurredAt: AT,
      actorName: 'Bob',
      actorEmail: null,
      personId: 'person',
      metadata: { longer: 1, b: { 10: 1, 9: 2 } },
      demoId: 'demo',
      demoTitle: null,
      distributionId: 'link',
      forwardedFromDistributionId: 'origin',
      ...OF_ROOM,
      docId: null,
    };
    expect(jsonOf(serializeEngagementEvent(row))).toBe(
      '{"id":"7","type":"forward","occurredAt":"2026-09-01T12:00:00.000Z","actor":{"name":"Bob","email":null},"personId":"person","metadata":{"longer":1,"b":{"9":2,"10":1}},"demoId":"demo","demoTitle":null,"distributionId":"link","forwardedFromDistributionId":"origin","buyerSpaceId":"room","buyerSpaceName":"Globex","owner":{"id":7,"name":"Ann","email":null},"docId":null}',
    );
  });

  test('of a view', () => {
    const row = {
      id: 7n,
      kind: 'trailer' as const,
      startedAt: AT,
      endedAt: AT,
      actorName: 'Bob',
      actorEmail: null,
      personId: 'person',
      distributionId: 'link',
      forwardedFromDistributionId: null,
      demoId: 'demo',
      demoTitle: 'Demo',
      docId: null,
      ...OF_ROOM,
      watchSeconds: 9,
      uniqueSeconds: 8,
      durationSeconds: 80,
      completionPercent: 10,
      segments: [[0, 9]] as [number, number][],
    };
    expect(jsonOf(serializeEngagementView(row))).toBe(
      '{"id":"7","kind":"trailer","startedAt":"2026-09-01T12:00:00.000Z","endedAt":"2026-09-01T12:00:00.000Z","actor":{"name":"Bob","email":null},"personId":"person","distributionId":"link","forwardedFromDistributionId":null,"demoId":"demo","demoTitle":"Demo","docId":null,"buyerSpaceId":"room","buyerSpaceName":"Globex","owner":{"id":7,"name":"Ann","email":null},"watchSeconds":9,"uniqueSeconds":8,"durationSeconds":80,"completionPercent":10,"segments":[{"startSeconds":0,"endSeconds":9}]}',
    );
  });

  test('of a call', () => {
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
    expect(storedCall(row)).toBe(
      '{"id":"call","kind":"demo","status":"completed","occurredAt":"2026-09-01T12:00:00.000Z","updatedAt":\n,"completedAt":null,"owner":\n,"participants":[{"name":"Bob","role":null}],"hasSummary":true,"title":"Title","prospectName":null,"durationSeconds":60,"buyerSpaceId":"room","talkTime":{"source":"transcript","totalSpeakerSeconds":5},"summary":SUMMARY,"deal":\n,"disqualifiedAt":"2026-09-01T12:00:00.000Z","disqualifiedReason":"why"}'.replace(
        'SUMMARY',
        '{"schema":null,"headline":"Good","company":null,"timeline":null,"budgetSignals":null,"verdictReasoning":null,"contextForNextCall":null,"participants":[],"keyTakeaways":[],"decisions":[],"actionItems":[],"nextSteps":[],"openQuestions":[],"painPoints":[],"currentState":[],"desiredOutcomes":[],"decisionCriteria":[],"qualificationVerdict":null,"topics":[]}',
      ),
    );
  });

  test('of a room', () => {
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
    expect(storedRoom(row)).toBe(
      '{"id":"room","name":"Globex","slug":null,"status":"won","owner":\n,"primaryContactEmail":null,"expectedCloseDate":"2026-09-01","dealValueCents":5000000000,"sourceCallId":null,"createdAt":"2026-09-01T12:00:00.000Z","lastActivityAt":\n,"lastEngagementAt":\n,"closedAt":null}',
    );
  });
});

test('slots are filled in the order of the fields, and values are never taken for slots', () => {
  const object = { id: 'x', a: 'line\nbreak \\u0000 "\\u0000"', owner: { id: 1 }, b: '"\n"' };
  const text = textWithSlots(object, ['owner', 'id']);
  expect(text.split('\n')).toHaveLength(3);
  expect(fillSlots(text, ['x', { id: 1 }])).toBe(JSON.stringify(object));
  // A text of another release must not become a response that no program can parse.
  for (const values of [['x'], ['x', 1, 2]]) expect(() => fillSlots(text, values)).toThrow('rebuild-texts');
});
