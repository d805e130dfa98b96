import type { Feed, FeedPage, FeedRecords } from '../feeds/feeds.ts';

/** A page, and the cursor that must be stored for it to be the next one. */
export interface PageToSave<F extends Feed = Feed> {
  feed: F;
  page: FeedPage<F>;
  /** The cursor that the page was read with; null for the first page. */
  previousCursor: string | null;
}

/**
 * Keeps the rows of feeds, and how far each feed has been read.
 *
 * `Transaction` is what the handler of a page can write with, so that its writes are committed together with the cursor. A
 * store without transactions passes nothing.
 */
export interface FeedStore<Transaction = undefined> {
  /**
   * Notes whose data the store holds.
   * @throws StoreConflict if it holds that of another workspace.
   */
  claimWorkspace(companyId: number): Promise<void>;
  /** The cursor of a feed; null before its first page. */
  readCursor(feed: Feed): Promise<string | null>;
  /**
   * Stores the rows of a page and the cursor after it, together: after a crash, either both are there or neither. A store that
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
  /** When the event was recorded, in ISO 8601: what was erased later is erased in the object. Null if it is unknown. */
  recordedAt: string | null;
}

/** The outcome of an event. */
export type Applied =
  /** Its object is stored now. */
  | 'written'
  /** The row that was stored is as new, or newer. */
  | 'kept'
  /** It was stored before. */
  | 'repeated'
  /** It has no object. */
  | 'ignored';

/** A store with a table for each feed, which takes the objects of webhooks as well. */
export interface RowStore<Transaction> extends FeedStore<Transaction> {
  /**
   * Notes an event, and stores its object unless the row is as new or newer, together. Events are remembered for 90 days.
   *
   * @param handle runs before the commit, unless the event was noted before. If it throws, nothing is stored.
   */
  saveEvent(
    eventId: string,
    object: SavedObject | null,
    handle?: (transaction: Transaction) => void | Promise<void>,
  ): Promise<Applied>;
}

/** Another program writes to the same store, or it holds other data. */
export class StoreConflict extends Error {
  override name = 'StoreConflict';
}

/** The conflict of two programs that follow the same feed with the same store. */
export function movedCursor(feed: Feed): StoreConflict {
  return new StoreConflict(`another program has moved the cursor of ${feed} in this store`);
}

/** The conflict of a store with an API key. */
export function otherWorkspace(stored: string, companyId: number): StoreConflict {
  return new StoreConflict(
    `the store holds the data of workspace ${stored}, but the API key belongs to workspace ${companyId}`,
  );
}
