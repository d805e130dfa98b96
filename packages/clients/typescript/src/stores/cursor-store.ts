import { cursorState, WORKSPACE_STATE } from './columns.ts';
import { type FeedStore, movedCursor, otherWorkspace } from './store.ts';

/** Stores the cursors of a program that stores the rows itself: a few short texts, each with a name. */
export interface Cursors<Transaction> {
  /** Runs a function in a transaction, which is rolled back if it throws. */
  transaction<Result>(run: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Reads a text; null if there is none. If several programs share the cursors, lock the row (`FOR UPDATE`). */
  read(name: string, transaction: Transaction): string | null | Promise<string | null>;
  /** Writes a text and replaces the previous one with the same name. */
  write(name: string, text: string, transaction: Transaction): unknown;
}

/**
 * Creates a store that keeps cursors but no rows, for programs that write rows of their own. The handler of a page gets the
 * transaction in which the cursor is then written, so both are committed together.
 */
export function cursorStore<Transaction>(cursors: Cursors<Transaction>): FeedStore<Transaction> {
  return {
    claimWorkspace: (companyId) =>
      cursors.transaction(async (transaction) => {
        const stored = await cursors.read(WORKSPACE_STATE, transaction);
        if (stored === null) await cursors.write(WORKSPACE_STATE, String(companyId), transaction);
        else if (stored !== String(companyId)) throw otherWorkspace(stored, companyId);
      }),
    readCursor: (feed) =>
      cursors.transaction(async (transaction) => cursors.read(cursorState(feed), transaction)),
    savePage: ({ feed, page, previousCursor }, handle) =>
      cursors.transaction(async (transaction) => {
        if ((await cursors.read(cursorState(feed), transaction)) !== previousCursor) throw movedCursor(feed);
        await handle?.(transaction, page);
        await cursors.write(cursorState(feed), page.nextCursor, transaction);
      }),
    close: () => Promise.resolve(),
  };
}
