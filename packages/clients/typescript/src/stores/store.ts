import type { Feed, FeedPage, FeedRecords } from '../feeds/feeds.ts';

/** A page, and the cursor that must be stored before it can be saved. */
export interface PageToSave<F extends Feed = Feed> {
  feed: F;
  page: FeedPage<F>;
  /** The cursor that the page was read with; null for the first page. */
  previousCursor: string | null;
}

/**
 * Stores the rows of feeds, and the position up to which each feed has been read.
 *
 * `Transaction` is the type that the handler of a page gets, so that its writes are committed together with the cursor. A store
 * without transactions passes nothing.
 */
export interface FeedStore<Transaction = undefined> {
  /**
   * Records which workspace's data the store holds.
   * @throws StoreConflict if it holds the data of another workspace.
   */
  claimWorkspace(companyId: number): Promise<void>;
  /** Returns the cursor of a feed; null before its first page. */
  readCursor(feed: Feed): Promise<string | null>;
  /**
   * Stores the rows of a page and the cursor after it, atomically: after a crash, both are stored or neither is. A store that
   * keeps rows applies the erasures that it has stored since the page was read.
   *
   * @param handle runs after the rows were written and before the commit, with the page as it is stored. If it throws, nothing
   *   is stored.
   * @throws StoreConflict if the stored cursor is no longer the one that the page was read with.
   */
  savePage<F extends Feed>(
    save: PageToSave<F>,
    handle?: (transaction: Transaction, page: FeedPage<F>) => void | Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

/** The object of a webhook event, and the feed that lists it. */
export interface SavedObject {
  feed: Feed;
  record: FeedRecords[Feed];
  /** When the event was recorded, in ISO 8601. Later erasures are applied to the object. Null if unknown. */
  recordedAt: string | null;
}

/** The outcome of an event. */
export type Applied =
  /** Its object was stored. */
  | 'written'
  /** The stored row is as new or newer. */
  | 'kept'
  /** The event was stored before. */
  | 'repeated'
  /** The event has no object. */
  | 'ignored';

/** A store with a table for each feed, which also stores the objects of webhook events. */
export interface RowStore<Transaction> extends FeedStore<Transaction> {
  /**
   * Records an event, and stores its object unless the stored row is as new or newer, in one transaction. Events are remembered
   * for 90 days.
   *
   * @param handle runs before the commit, unless the event was recorded before. If it throws, nothing is stored.
   */
  saveEvent(
    eventId: string,
    object: SavedObject | null,
    handle?: (transaction: Transaction) => void | Promise<void>,
  ): Promise<Applied>;
}

/** Another program writes to the same store, or the store holds the data of another workspace. */
export class StoreConflict extends Error {
  override name = 'StoreConflict';
}

/** Creates the error for two programs that follow the same feed with the same store. */
export function movedCursor(feed: Feed): StoreConflict {
  return new StoreConflict(`another program has moved the cursor of ${feed} in this store`);
}

/** Creates the error for a store and an API key of different workspaces. */
export function otherWorkspace(stored: string, companyId: number): StoreConflict {
  return new StoreConflict(
    `the store holds the data of workspace ${stored}, but the API key belongs to workspace ${companyId}`,
  );
}
