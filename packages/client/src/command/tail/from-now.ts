import type { DealSignalsClient } from '../../client.ts';
import type { Feed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import type { Patience } from '../../feeds/repeat.ts';
import { createMemoryStore } from '../../stores/memory-store.ts';
import type { FeedStore } from '../../stores/store.ts';

/** How far back a feed is read to find its end: events may be recorded later than they happened. */
const LOOK_BACK_MS = 24 * 60 * 60_000;

/** The parameter of each feed that chooses where to begin. */
const SINCE: Partial<Record<Feed, string>> = {
  calls: 'updated_since',
  'decision-rooms': 'updated_since',
  'engagement/events': 'since',
  'engagement/views': 'since',
};

/** A feed whose records so far have been skipped. */
export interface FeedFromNow {
  store: FeedStore;
  /** Parameters to follow it with. */
  query: Record<string, string>;
}

/**
 * Skips the records that a feed has now. Only the records of the last day are read. If there are none, the feed is followed
 * with a filter that begins a day ago; without a record there is no cursor at the end of the feed.
 */
export async function skipToNow(
  client: DealSignalsClient,
  feed: Feed,
  patience: Patience,
): Promise<FeedFromNow> {
  const store = createMemoryStore();
  const parameter = SINCE[feed];
  const filter =
    parameter === undefined ? {} : { [parameter]: new Date(Date.now() - LOOK_BACK_MS).toISOString() };
  await followFeed(feed, { client, store, query: filter, stopAtEnd: true, ...patience });
  return { store, query: (await store.readCursor(feed)) === null ? filter : {} };
}
