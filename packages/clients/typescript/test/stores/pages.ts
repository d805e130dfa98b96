import type { FeedPage, FeedRecords } from '../../src/feeds/feeds.ts';
import type { PageToSave } from '../../src/stores/store.ts';

type Event = FeedRecords['engagement/events'];

/** Returns an event with a value for every kind of column. */
export function event(id: number, changes: Partial<Event> = {}): Event {
  return {
    id: String(id),
    type: 'room_visit',
    occurredAt: '2026-09-01T12:00:00.000Z',
    actor: { name: 'Bob', email: null },
    personId: null,
    metadata: { page: 3, quote: `"O'Hara"` },
    demoId: null,
    demoTitle: null,
    distributionId: '00000000-0000-4000-8000-000000000003',
    buyerSpaceId: '00000000-0000-4000-8000-000000000001',
    buyerSpaceName: 'Globex',
    owner: null,
    docId: null,
    ...changes,
  };
}

/** Returns a page of events to store. The cursor after it is the id of its last event. */
export function pageOf(previousCursor: string | null, ...data: Event[]): PageToSave<'engagement/events'> {
  const page: FeedPage<'engagement/events'> = { data, nextCursor: data.at(-1)?.id ?? '', hasMore: false };
  return { feed: 'engagement/events', page, previousCursor };
}

/** Returns a room with a status. */
export function room(status: FeedRecords['decision-rooms']['status']): FeedRecords['decision-rooms'] {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Globex',
    slug: null,
    status,
    owner: null,
    primaryContactEmail: null,
    expectedCloseDate: '2026-12-18',
    dealValueCents: 9_007_199_254_740_991,
    sourceCallId: null,
    createdAt: '2026-09-01T12:00:00.000Z',
    lastActivityAt: '2026-09-01T12:00:00.001Z',
    lastEngagementAt: null,
    closedAt: null,
  };
}
