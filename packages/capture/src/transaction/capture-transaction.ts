import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '@deal-signals/db/queryable';
import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { EventType } from '@deal-signals/outbox/event-types';
import type { NewEvent, Subscriber } from '@deal-signals/outbox/record-events';
import type { Entry } from '../records/entry.ts';
import type { EngagementContext, NewEngagementEvent, NewMessage, NewView } from './engagement.ts';
import type { OnInvalid } from '../records/problems.ts';

/** The tables whose rows are objects of a feed, with the type of their ids. Nothing but their own changes moves them. */
export const MOVED_TABLES = { distributions: 'uuid', documents: 'uuid', esign_documents: 'text' } as const;

export type MovedTable = keyof typeof MOVED_TABLES;

/** What a change to one row causes in the feeds and in the outbox. */
export interface Effect {
  /** The line of the record that changed the row. Webhook events are recorded in this order. */
  line: number;
  /** Identity of the row that changed. */
  identity: string;
  /** The room that the change concerns; it moves to the end of the room feed. */
  roomId?: string | null;
  /** Calls whose API objects show the row; they move to the end of the call feed. */
  callIds?: string[];
  /** The row itself, if it is in a feed that is sorted by its last change; it moves to the end of that feed. */
  moves?: { table: MovedTable; id: string };
  /** The webhook event of an engagement, which never changes. */
  event?: NewEvent;
  /** The webhook event of an object that may change again before the commit: `announcedEvents` builds it at the end. */
  announces?: Announcement;
}

/** An object that a webhook event is about to show, as the transaction leaves it. */
export interface Announcement {
  type: EventType;
  /** The id of the object, which is of the kind that events of the type show. */
  id: string;
  /** There is no event unless the transaction has changed one of these columns of the row. */
  ifChanged?: readonly string[];
}

/** One capture transaction. Writers add effects to it, which are applied together just before the commit. */
export interface CaptureTransaction {
  readonly feed: AnyFeedTransaction;
  readonly tx: Queryable;
  readonly companyId: number;
  /** The sort timestamp of every row that this transaction moves in a feed. */
  readonly at: Date;
  readonly effects: Effect[];
  /** The identity of the row that each record has changed. Records that changed nothing are not listed. */
  readonly changed: string[];
  /** The endpoints that get webhooks; none if no webhooks are to be sent. */
  readonly subscribers: readonly Subscriber[];
  /** What the first records of engagement refer to, until something else is written. */
  context: EngagementContext | null;
  /** The identities of the records of engagement that this transaction records. */
  readonly taken: Set<string>;
  /** What is recorded of engagement at the end, in the order of the records. */
  readonly engagement: { messages: NewMessage[]; events: NewEngagementEvent[]; views: NewView[] };
  /**
   * Members and recipients whose appearance among the people of a room may have changed. Activity does not change it: whoever a link is
   * addressed to is shown already, with the name that the activity would bring.
   */
  readonly people: { roomId: string; identity: string }[];
  /** The upserted rows that were changed so far, by identity: as the transaction found them and as they are now. */
  readonly changes: Map<string, { before: object; after: object }>;
  /** Gets the faulty records, which are left out; undefined if the first of them fails the transaction. */
  readonly onInvalid: OnInvalid<Entry> | undefined;
}

/** The `before` state of a row that did not exist. */
export const ABSENT: object = {};

/** Notes that a record changed a row, so that a change that is reverted before the commit has no effects. */
export function noteChange(
  capture: CaptureTransaction,
  identity: string,
  before: object,
  after: object,
): void {
  const first = capture.changes.get(identity);
  capture.changes.set(identity, { before: first?.before ?? before, after });
  capture.changed.push(identity);
}

/**
 * The rows that end up as the transaction found them. This happens when a file with an object's history is captured
 * again: the object first returns to its old state and then to its current one, and neither change should be announced.
 */
export function findReverted({ changes }: CaptureTransaction): Set<string> {
  const reverted = new Set<string>();
  for (const [identity, { before, after }] of changes) {
    if (isDeepStrictEqual(before, after)) reverted.add(identity);
  }
  return reverted;
}
