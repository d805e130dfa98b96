import { START_PARAMETERS } from '../generated/feed-columns.ts';
import type { Feed } from './feeds.ts';
import { followFeed, type FollowOptions } from './follow-feed.ts';

/**
 * Skips the existing records of a feed, so that `followFeed` with the same store returns only new ones. Does nothing if the
 * store has a cursor of the feed: after a restart, the program continues where it stopped.
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
    // The resulting cursor is at most ten minutes old, so that nothing is missed if the clocks differ.
    await followFeed(feed, { ...skip, query: { [since]: new Date().toISOString() } });
  }
  await followFeed(feed, skip);
}
