import { START_PARAMETERS } from '../generated/feed-columns.ts';
import type { Feed } from './feeds.ts';
import { followFeed, type FollowOptions } from './follow-feed.ts';

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
  const since = START_PARAMETERS[feed];
  if (since !== null) {
    // The cursor that this leads to is ten minutes back at most, so that nothing is missed if clocks differ.
    await followFeed(feed, { ...skip, query: { [since]: new Date().toISOString() } });
  }
  await followFeed(feed, skip);
}
