import type { Transaction } from '@deal-signals/db/database';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { NewEvent } from '@deal-signals/outbox/record-events';

/** What the change of one row entails beyond the row itself. */
export interface Effect {
  /** The row that changed. */
  identity: string;
  /** The room in which this happened, which moves in its feed. */
  roomId?: string | null;
  /** Calls whose API object changes with the row, which move in theirs. */
  callIds?: string[];
  /** The webhook event, with data as it was when the change was written. */
  event?: NewEvent;
}

/** One capturing transaction. Its effects are settled together, just before the commit. */
export interface CaptureTransaction {
  readonly feed: FeedTransaction;
  readonly tx: Transaction;
  readonly companyId: number;
  /** The sort timestamp of everything that this transaction moves in a feed. */
  readonly at: Date;
  readonly effects: Effect[];
  /** Rows that were written: as the transaction found them and as it has left them so far. */
  readonly changes: Map<string, { before: object; after: object }>;
}

/** The state of a row that the transaction did not find. */
export const ABSENT: object = {};

/** Notes that a row was written, so that a change which is taken back before the commit has no effect. */
export function noteWrite(
  capture: CaptureTransaction,
  identity: string,
  before: object,
  after: object,
): void {
  const first = capture.changes.get(identity);
  capture.changes.set(identity, { before: first?.before ?? before, after });
}
