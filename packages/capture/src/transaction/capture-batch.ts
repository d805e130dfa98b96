import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { inShortFeedTransaction, type ShortFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { Entry } from '../records/entry.ts';
import type { RecordError } from '../records/record-error.ts';
import type { OnError } from '../stream/capture-options.ts';
import { type BatchResult, countResults } from './batch-result.ts';
import { type CaptureTransaction, findReverted } from './capture-transaction.ts';
import { beginCapture, type BegunCapture } from './engagement-context.ts';
import { buildLastStatement } from './last-statement.ts';
import { groupRecords, leadingLeaves } from './record-groups.ts';
import { writeGroups } from './write-groups.ts';

/** How a batch is written. */
export interface BatchOptions {
  /** Whether no webhooks are sent for the changes, as for an import of history; the feeds show them all the same. */
  noWebhooks?: boolean;
  /** `continue`: faulty records are left out. `stop`, the default: the first of them is thrown, and nothing is written. */
  onError?: OnError;
  /** Whether to undo everything at the end, for a dry run. */
  rollBack?: boolean;
  /** Runs in the transaction before anything else. */
  prepare?: (tx: Queryable) => Promise<void>;
}

/**
 * Writes records of one workspace, and the webhook events they cause, in one transaction that holds the workspace's
 * feed clock.
 *
 * @throws RecordError if a record contradicts stored data, for example by referring to an unknown room, unless it is to be left out.
 * @throws UnknownWorkspaceError if the workspace has not been captured yet.
 */
export async function captureBatch(
  db: Database,
  companyId: number,
  entries: Entry[],
  options: BatchOptions = {},
): Promise<BatchResult> {
  const [result] = await captureBatches(db, companyId, [entries], options);
  return result!;
}

/**
 * Writes several batches of one workspace in one transaction, one after the other. The lines of all of them increase.
 *
 * 1. The first statement takes the feed clock, and reads who gets webhooks and what the first records of engagement refer to.
 * 2. The writers read what further records refer to and change, leave out or refuse what is wrong, and write the rows, group by group.
 * 3. The last statement writes engagement and its roll-ups, people, positions in feeds and the outbox, and commits.
 *
 * @returns the outcome of each batch.
 * @throws as `captureBatch` does.
 */
export async function captureBatches(
  db: Database,
  companyId: number,
  batches: readonly Entry[][],
  { noWebhooks = false, onError = 'stop', rollBack = false, prepare }: BatchOptions = {},
): Promise<BatchResult[]> {
  const undo = new Error('the batch is undone on purpose');
  const groups = groupRecords(batches.flat());
  const refused = new Map<Entry, RecordError>();
  let results: BatchResult[] = [];
  const write = async (feed: ShortFeedTransaction, { subscribers, context }: BegunCapture): Promise<void> => {
    const capture: CaptureTransaction = {
      feed,
      tx: feed.tx,
      companyId,
      at: feed.at,
      subscribers: noWebhooks ? [] : subscribers,
      context,
      taken: new Set(),
      engagement: { messages: [], events: [], views: [] },
      people: [],
      effects: [],
      changed: [],
      changes: new Map(),
      onInvalid: onError === 'continue' ? (entry, error) => refused.set(entry, error) : undefined,
    };
    await writeGroups(capture, groups);
    const reverted = findReverted(capture);
    const last = await buildLastStatement(capture, reverted, traceparentsOf(batches));
    results = countResults(capture, reverted, batches, refused);
    if (rollBack) {
      if (last !== null) await feed.tx.$executeRaw(last);
      throw undo;
    }
    await feed.commitWith(...(last === null ? [] : [last]));
  };
  try {
    const takeClock = (tx: Queryable) => beginCapture(tx, companyId, leadingLeaves(groups));
    await inShortFeedTransaction(db, companyId, { prepare, takeClock }, write);
  } catch (error) {
    if (error !== undo) throw error;
  }
  return results;
}

/** The `traceparent` of the requests that sent the records, by line. */
function traceparentsOf(batches: readonly Entry[][]): Map<number, string> {
  const traceparents = new Map<number, string>();
  for (const entries of batches) {
    for (const { line, traceparent } of entries) {
      if (traceparent !== undefined) traceparents.set(line, traceparent);
    }
  }
  return traceparents;
}
