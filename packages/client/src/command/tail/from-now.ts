import type { DealSignalsClient } from '../../client.ts';
import type { Feed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import type { Patience } from '../../feeds/repeat.ts';
import { createMemoryStore } from '../../stores/memory-store.ts';
import type { FeedStore } from '../../stores/store.ts';

/** The parameter of each feed that chooses where to begin. */
const SINCE: Partial<Record<Feed, string>> = {
  calls: 'updated_since',
  'decision-rooms': 'updated_since',
  'engagement/events': 'since',
  'engagement/views': 'since',
  distributions: 'updated_since',
  people: 'updated_since',
  documents: 'updated_since',
  'esign-documents': 'updated_since',
};

/**
 * Skips the records that a feed has now.
 *
 * @returns a store whose cursor is at the end of the feed.
 */
export async function skipToNow(
  client: DealSignalsClient,
  feed: Feed,
  patience: Patience,
): Promise<FeedStore> {
  const store = createMemoryStore();
  const skip = { client, store, stopAtEnd: true, ...patience };
  const since = SINCE[feed];
  if (since !== undefined) {
    // The cursor that this leads to is ten minutes back at most, so that nothing is missed if clocks differ.
    await followFeed(feed, { ...skip, query: { [since]: new Date().toISOString() } });
  }
  await followFeed(feed, skip);
  return store;
}
