import type { Feed } from '../feeds/feeds.ts';
import { type FeedStore, movedCursor, otherWorkspace } from './store.ts';

/** Creates a store that keeps the cursors in this process, and no rows. For programs that only want what is new. */
export function createMemoryStore(): FeedStore {
  const cursors = new Map<Feed, string>();
  let workspace: number | null = null;
  return {
    claimWorkspace(companyId) {
      if (workspace !== null && workspace !== companyId) {
        return Promise.reject(otherWorkspace(String(workspace), companyId));
      }
      workspace = companyId;
      return Promise.resolve();
    },
    readCursor: (feed) => Promise.resolve(cursors.get(feed) ?? null),
    async savePage({ feed, page, previousCursor }, handle) {
      if ((cursors.get(feed) ?? null) !== previousCursor) throw movedCursor(feed);
      await handle?.(undefined);
      cursors.set(feed, page.nextCursor);
    },
    close: () => Promise.resolve(),
  };
}
