import type { DealSignalsClient } from '../../client.ts';
import type { Feed } from '../../feeds/feeds.ts';
import { followFeed } from '../../feeds/follow-feed.ts';
import type { Patience } from '../../feeds/repeat.ts';
import { createMemoryStore } from '../../stores/memory-store.ts';
import type { FeedStore } from '../../stores/store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How far back to look for a record near the end of a feed, so that most of it need not be read. */
const LOOK_BACK_DAYS = [1, 30, 365];

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
  for (const days of since === undefined ? [] : LOOK_BACK_DAYS) {
    const query = { [String(since)]: new Date(Date.now() - days * DAY_MS).toISOString() };
    await followFeed(feed, { ...skip, query });
    if ((await store.readCursor(feed)) !== null) break;
  }
  // Events that happened earlier may have been recorded later, so the last ones are read without the filter.
  await followFeed(feed, skip);
  return store;
}
