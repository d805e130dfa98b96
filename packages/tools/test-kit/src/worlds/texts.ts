import { storedCall } from '@deal-signals/serializers/calls/call';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { jsonOf } from '@deal-signals/serializers/object-text';
import { storedRoom } from '@deal-signals/serializers/rooms/room';
import { second, uuid } from './ids.ts';

/** The placeholder for the id of a row in the texts below. */
const ID = 'THE-ID';

const ACTOR = { actorName: 'Bob', actorEmail: 'bob@globex.example', personId: uuid(1) };
const OF_ROOM = {
  buyerSpaceId: uuid(1),
  buyerSpaceName: 'Room',
  ownerId: null,
  ownerName: null,
  ownerEmail: null,
};
const OF_NOTHING = { forwardedFromDistributionId: null, demoId: null, demoTitle: null, docId: null };

const TEXTS = {
  event: () =>
    jsonOf({
      ...serializeEngagementEvent({
        ...ACTOR,
        ...OF_ROOM,
        ...OF_NOTHING,
        id: 0n,
        type: 'room_visit',
        occurredAt: second(0),
        metadata: {},
        distributionId: null,
      }),
      id: ID,
    }),
  view: () =>
    jsonOf({
      ...serializeEngagementView({
        ...ACTOR,
        ...OF_ROOM,
        ...OF_NOTHING,
        id: 0n,
        kind: 'trailer',
        startedAt: second(0),
        endedAt: second(1),
        distributionId: uuid(1),
        watchSeconds: 1,
        uniqueSeconds: 1,
        durationSeconds: null,
        completionPercent: null,
        segments: [[0, 1]],
      }),
      id: ID,
    }),
  call: () =>
    storedCall({
      id: ID,
      kind: 'demo',
      status: 'completed',
      occurredAt: second(0),
      completedAt: null,
      participants: [],
      title: null,
      prospectName: null,
      durationSeconds: null,
      roomId: null,
      talkTime: null,
      summary: null,
      disqualifiedAt: null,
      disqualifiedReason: null,
    }),
  room: () =>
    storedRoom({
      id: ID,
      name: 'Room',
      slug: null,
      status: 'open',
      primaryContactEmail: null,
      expectedCloseDate: null,
      dealValueCents: null,
      sourceCallId: null,
      createdAt: second(0),
      closedAt: null,
    }),
};

/**
 * Returns `object_text` for tests that write many rows by SQL and only look at their ids: the text of an object that has the
 * id of the row and is otherwise constant. Tests that need the right texts call `rebuildTexts`.
 *
 * @param id an SQL expression for the id of the row.
 * @returns an SQL expression.
 */
export function sqlText(kind: keyof typeof TEXTS, id: string): string {
  return `replace(E'${TEXTS[kind]().replaceAll('\n', '\\n')}', '${ID}', (${id})::text)`;
}
