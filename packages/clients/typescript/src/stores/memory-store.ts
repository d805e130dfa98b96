import { cursorStore } from './cursor-store.ts';
import type { FeedStore } from './store.ts';

/** Creates a store that keeps the cursors in this process, and no rows. For programs that only need new records. */
export function createMemoryStore(): FeedStore {
  const texts = new Map<string, string>();
  return cursorStore({
    transaction: (run) => run(undefined),
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => texts.set(name, text),
  });
}
