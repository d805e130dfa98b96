import { expect, test } from '@jest/globals';
import { deriveEventId, type EventSource } from '@deal-signals/outbox/event-id';

const ROOM = '6b1f0c5e-3f51-4f0e-9a5c-0d4f8a7f2b11';
const TIME = new Date('2026-01-01T00:00:00Z');

/** The ids are those of Python's `uuid.uuid5`. */
test.each<[EventSource, string]>([
  [
    { type: 'engagement.recorded', objectId: '1767225600000000', position: 1_767_225_600_000_000n },
    '3f805805-50ab-5514-aefd-a1c0a2157199',
  ],
  [{ type: 'decision_room.updated', objectId: ROOM, position: TIME }, '09d0df78-c11d-5a23-9153-702c99385d65'],
])('is a UUID of version 5: %o', (source, id) => {
  expect(deriveEventId(1001, source)).toBe(id);
});

test('differs for another workspace, type, object or position', () => {
  const source: EventSource = { type: 'decision_room.updated', objectId: ROOM, position: TIME };
  const ids = [
    deriveEventId(1001, source),
    deriveEventId(1002, source),
    deriveEventId(1001, { ...source, type: 'decision_room.created' }),
    deriveEventId(1001, { ...source, objectId: 'other' }),
    deriveEventId(1001, { ...source, position: new Date(TIME.getTime() + 1) }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
