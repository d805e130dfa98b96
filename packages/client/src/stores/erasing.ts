import type { Feed, FeedRecords } from '../feeds/feeds.ts';

/** What an erasure changes in the rows of a feed. */
export interface Clearing {
  feed: Feed;
  /** The field that tells the rows, and its values. */
  field: string;
  values: readonly string[];
  /** The fields that are written, with what is written. */
  set: Readonly<Record<string, unknown>>;
  /** Only rows that changed at this time or before, by `updatedAt`. */
  until?: string;
  /** Only rows with a smaller id, which is an integer. */
  before?: string;
}

const NOBODY = { name: null, email: null };
const NO_NAME = { email: null, name: null, role: null, title: null };
const EVENT_TEXTS = { metadata: {}, demoTitle: null, buyerSpaceName: null };
const VIEW_TEXTS = { demoTitle: null, buyerSpaceName: null };

/**
 * What has to be erased in a copy. Events and views come once, so nobody else does it; people and share links come again, but should
 * not have to wait for that.
 */
export function clearingsOf(erasure: FeedRecords['erasures']): Clearing[] {
  const { buyerSpaceId, personIds, distributionIds, engagementEventIds, engagementViewIds } = erasure;
  const { engagementBefore } = erasure;
  const until = erasure.erasedAt;
  const people = { field: 'personId', values: personIds, set: { actor: NOBODY } };
  const clearings: Clearing[] = [
    { feed: 'people', field: 'id', values: personIds, set: NO_NAME, until },
    { feed: 'distributions', field: 'id', values: distributionIds, set: { recipient: NOBODY }, until },
    { feed: 'engagement/events', ...people },
    { feed: 'engagement/views', ...people },
    { feed: 'engagement/events', field: 'id', values: engagementEventIds, set: EVENT_TEXTS },
    { feed: 'engagement/views', field: 'id', values: engagementViewIds, set: VIEW_TEXTS },
  ];
  if (buyerSpaceId !== null && engagementBefore !== null) {
    const room = { field: 'buyerSpaceId', values: [buyerSpaceId], before: engagementBefore };
    clearings.push(
      { feed: 'engagement/events', ...room, set: { actor: NOBODY, ...EVENT_TEXTS } },
      { feed: 'engagement/views', ...room, set: { actor: NOBODY, ...VIEW_TEXTS } },
    );
  }
  return clearings.filter(({ values }) => values.length > 0);
}
