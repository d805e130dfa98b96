import { createClient, type DealSignalsClient } from '../client.ts';
import type { FeedStore } from '../stores/store.ts';
import type { Feed, FeedPage } from './feeds.ts';
import { readPage } from './read-page.ts';
import { explainDepth } from './record-depth.ts';
import type { Patience } from './repeat.ts';
import { wait } from './waiting.ts';

const DEFAULT_POLL_MS = 15_000;
const MAX_PAGE_SIZE = 500;

/** How a feed is followed. */
export interface FollowOptions<F extends Feed, Transaction> extends Partial<Patience> {
  /** Stores the rows and the cursor. */
  store: FeedStore<Transaction>;
  /**
   * Handles each page that has records, as the store keeps it. It runs before the cursor is stored. If it throws, the page is
   * not stored and `followFeed` throws.
   *
   * Its writes with `transaction` are committed together with the cursor, so they happen exactly once. Other effects are
   * repeated if the program crashes before that commit.
   */
  onPage?: (page: FeedPage<F>, transaction: Transaction) => void | Promise<void>;
  /** Default: a client with the URL and the key from the environment. */
  client?: DealSignalsClient;
  /** Ends the loop after the page in progress. `followFeed` then returns without an error. */
  signal?: AbortSignal | undefined;
  /** Return at the end of the feed, instead of polling for more. */
  stopAtEnd?: boolean;
  /** The pause between polls at the end of the feed. Default: 15 seconds. */
  pollMs?: number;
  /** Maximum number of records on a page: 1 to 500. Default: 500. */
  limit?: number;
  /**
   * Further parameters of the feed, such as `{ types: 'trailer_view' }`. Do not change them once a cursor is stored: records
   * that were filtered out before are not returned later.
   */
  query?: Readonly<Record<string, string>>;
  /** How long the API may be unavailable before `ApiUnavailable` is thrown. Default: no limit. */
  giveUpAfterMs?: number;
}

/**
 * Reads a feed from the stored cursor, or from its beginning, to its end; then polls it until the signal is aborted.
 *
 * The cursor is committed together with the rows of its page. So the program can be killed at any moment: after a restart, it
 * continues with the first page that was not stored. `onPage` never receives a page whose cursor is stored.
 *
 * @throws ApiRefusal if the API refuses a request permanently, for example because the key was revoked.
 * @throws ApiUnavailable
 * @throws RecordTooDeep if a record is nested too deeply to be stored.
 * @throws StoreConflict if another program follows the same feed with the same store.
 */
export async function followFeed<F extends Feed, Transaction = undefined>(
  feed: F,
  {
    store,
    onPage,
    client = createClient(),
    signal,
    stopAtEnd = false,
    pollMs = DEFAULT_POLL_MS,
    limit = MAX_PAGE_SIZE,
    query,
    giveUpAfterMs = Infinity,
    onWait,
  }: FollowOptions<F, Transaction>,
): Promise<void> {
  let cursor = await store.readCursor(feed);
  for (;;) {
    const page = await readPage(client, feed, { cursor, limit, query, signal, giveUpAfterMs, onWait });
    if (page === null) return;
    const isEmpty = page.data.length === 0;
    // The cursor of an empty page is also stored: it marks where the feed began, or how far the API has searched.
    if (!isEmpty || cursor === null || page.hasMore) {
      try {
        await store.savePage({ feed, page, previousCursor: cursor }, (transaction, stored) =>
          isEmpty ? undefined : onPage?.(stored, transaction),
        );
      } catch (error) {
        throw explainDepth(feed, page.data, error);
      }
      cursor = page.nextCursor;
    }
    if (page.hasMore) continue;
    if (stopAtEnd) return;
    await wait(pollMs, signal);
  }
}
