import type { Feed } from './feeds.ts';
import { followFeed, type FollowOptions } from './follow-feed.ts';

/** The parameter of each feed that chooses where to begin; null if it has none. */
const SINCE: Record<Feed, string | null> = {
  calls: 'updated_since',
  'decision-rooms': 'updated_since',
  'engagement/events': 'since',
  'engagement/views': 'since',
  distributions: 'updated_since',
  people: 'updated_since',
  documents: 'updated_since',
  'esign-documents': 'updated_since',
  erasures: null,
  'webhook-deliveries': null,
  'room-scores': null,
};

/**
 * Skips what a feed has now, so that `followFeed` with the same store hands on only what is new. Does nothing if the store
 * has a cursor of the feed: a program that starts again goes on where it was.
 *
 * @throws ApiRefusal
 * @throws ApiUnavailable
 */
export async function skipToNow<Transaction>(
  feed: Feed,
  options: Pick<FollowOptions<Feed, Transaction>, 'store' | 'client' | 'signal' | 'giveUpAfterMs' | 'onWait'>,
): Promise<void> {
  if ((await options.store.readCursor(feed)) !== null) return;
  const skip = { ...options, stopAtEnd: true };
  const since = SINCE[feed];
  if (since !== null) {
    // The cursor that this leads to is ten minutes back at most, so that nothing is missed if clocks differ.
    await followFeed(feed, { ...skip, query: { [since]: new Date().toISOString() } });
  }
  await followFeed(feed, skip);
}
