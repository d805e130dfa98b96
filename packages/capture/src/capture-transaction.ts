import type { Transaction } from '@deal-signals/db/database';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { NewEvent, Subscriber } from '@deal-signals/outbox/record-events';

/** What a change to one row causes in the feeds and in the outbox. */
export interface Effect {
  /** Identity of the row that changed. */
  identity: string;
  /** The room that the change concerns; it moves to the end of the room feed. */
  roomId?: string | null;
  /** Calls whose API objects show the row; they move to the end of the call feed. */
  callIds?: string[];
  /** The webhook event, with its data as of this write. */
  event?: NewEvent;
}

/** One capture transaction. Writers add effects to it, which are applied together just before the commit. */
export interface CaptureTransaction {
  readonly feed: FeedTransaction;
  readonly tx: Transaction;
  readonly companyId: number;
  /** The sort timestamp of every row that this transaction moves in a feed. */
  readonly at: Date;
  readonly effects: Effect[];
  /** The endpoints of the workspace, once a statement has read them. */
  subscribers?: Subscriber[];
  /** The rows written so far, by identity: as the transaction found them and as they are now. */
  readonly changes: Map<string, { before: object; after: object }>;
}

/** The `before` state of a row that did not exist. */
export const ABSENT: object = {};

/** Notes that a row was written, so that a change that is reverted before the commit has no effects. */
export function noteWrite(
  capture: CaptureTransaction,
  identity: string,
  before: object,
  after: object,
): void {
  const first = capture.changes.get(identity);
  capture.changes.set(identity, { before: first?.before ?? before, after });
}
