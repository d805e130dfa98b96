import { isDeepStrictEqual } from 'node:util';
import type { Database, Queryable } from '@deal-signals/db/database';
import { inShortFeedTransaction, type ShortFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { CaptureTransaction, RefusedHeld } from './capture-transaction.ts';
import { buildLastStatement } from './consequences.ts';
import type { OnError } from './capture-options.ts';
import type { RecordError } from './record-error.ts';
import { beginCapture, type BegunCapture } from './engagement-context.ts';
import type { Entry, EntryOf } from './entry.ts';
import { identityOf } from './identity.ts';
import { isLeaf, planRuns, type RunKind } from './runs.ts';
import { writeActionItems } from './writers/action-item.ts';
import { writeCallSummaries } from './writers/call-summary.ts';
import { writeCalls } from './writers/call.ts';
import { writeDistributions } from './writers/distribution.ts';
import { writeDocuments } from './writers/document.ts';
import { writeErasures } from './writers/erasure.ts';
import { writeEsignDocuments } from './writers/esign.ts';
import { writeEngagement } from './writers/engagement.ts';
import { writeMembers } from './writers/member.ts';
import { writeRooms } from './writers/room.ts';
import { writeUsers } from './writers/user.ts';
import { writeViews } from './writers/view.ts';

/** Records that belong to a workspace: all except `company`. */
type Kind = Exclude<RunKind, 'company'>;
type RecordsOf<K extends Kind> = K extends 'event' ? 'event' | 'message' : K;

const WRITERS: {
  [K in Kind]: (capture: CaptureTransaction, entries: EntryOf<RecordsOf<K>>[]) => Promise<void>;
} = {
  user: writeUsers,
  room: writeRooms,
  member: writeMembers,
  call: writeCalls,
  callSummary: writeCallSummaries,
  distribution: writeDistributions,
  document: writeDocuments,
  event: writeEngagement,
  view: writeViews,
  actionItem: writeActionItems,
  esign: writeEsignDocuments,
  erasePerson: writeErasures,
  eraseRoom: writeErasures,
};

/** How a batch is written. */
export interface BatchOptions {
  /** Whether no webhooks are sent for the changes, as for an import of history; the feeds show them all the same. */
  noWebhooks?: boolean;
  /** Whether events, views and messages whose share link is unknown wait for it; otherwise they are refused. */
  hold?: boolean;
  /** `continue`: faulty records are left out. `stop`, the default: the first of them is thrown, and nothing is written. */
  onError?: OnError;
  /** Whether to undo everything at the end, for a dry run. */
  rollBack?: boolean;
  /** Runs in the transaction before anything else. */
  prepare?: (tx: Queryable) => Promise<void>;
}

/** What became of the records of a batch. */
export interface BatchResult {
  /** How many records changed something. */
  captured: number;
  /** How many changed nothing, because what they say is stored already. */
  unchanged: number;
  /** How many wait for their share link. */
  held: number;
  /** Records that were held, by this batch or earlier ones, and that have been refused now. Nobody else reports them. */
  refusedHeld: RefusedHeld[];
  /** What is wrong with the faulty records that were left out. */
  refused: RecordError[];
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
 * @returns what became of each batch. What was refused of the held records is told with the first.
 * @throws as `captureBatch` does.
 */
export async function captureBatches(
  db: Database,
  companyId: number,
  batches: readonly Entry[][],
  { noWebhooks = false, hold = false, onError = 'stop', rollBack = false, prepare }: BatchOptions = {},
): Promise<BatchResult[]> {
  const undo = new Error('the batch is undone on purpose');
  const refused = new Map<Entry, RecordError>();
  let results: BatchResult[] = [];
  const runs = planRuns(batches.flat());
  const firstOther = runs.findIndex((run) => !isLeaf(run));
  const leaves = firstOther === -1 ? runs : runs.slice(0, firstOther);
  const first = leaves.flatMap(({ entries }) => entries);
  const writeAll = async (
    feed: ShortFeedTransaction,
    { subscribers, context }: BegunCapture,
  ): Promise<void> => {
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
      refuse: onError === 'continue' ? (entry, error) => refused.set(entry, error) : undefined,
      hold,
      held: new Set(),
      refusedHeld: [],
    };
    for (const run of runs) {
      // It writes what engagement refers to.
      if (!isLeaf(run)) capture.context = null;
      // The entries of a run are of its kind, but the compiler cannot tell that they match the writer.
      const write = WRITERS[run.kind as Kind] as (
        capture: CaptureTransaction,
        entries: Entry[],
      ) => Promise<void>;
      await write(capture, run.entries);
    }
    const reverted = revertedRows(capture);
    const last = await buildLastStatement(capture, reverted, traceparentsOf(batches));
    results = resultsOf(capture, reverted, batches, refused);
    if (rollBack) {
      if (last !== null) await feed.tx.$executeRaw(last);
      throw undo;
    }
    await feed.commitWith(...(last === null ? [] : [last]));
  };
  try {
    await inShortFeedTransaction(
      db,
      companyId,
      { prepare, takeClock: (tx) => beginCapture(tx, companyId, first) },
      writeAll,
    );
  } catch (error) {
    if (error !== undo) throw error;
  }
  return results;
}

/** Counts what became of each batch. Of the records of one row, the first ones are those that changed it. */
function resultsOf(
  { changed, held, refusedHeld }: CaptureTransaction,
  reverted: ReadonlySet<string>,
  batches: readonly Entry[][],
  refused: ReadonlyMap<Entry, RecordError>,
): BatchResult[] {
  const changes = new Map<string, number>();
  for (const identity of changed) {
    if (!reverted.has(identity)) changes.set(identity, (changes.get(identity) ?? 0) + 1);
  }
  return batches.map((entries, index) => {
    const result: BatchResult = {
      captured: 0,
      unchanged: 0,
      held: 0,
      refusedHeld: index === 0 ? refusedHeld : [],
      refused: [],
    };
    for (const entry of entries) {
      const error = refused.get(entry);
      if (error !== undefined) {
        result.refused.push(error);
        continue;
      }
      const identity = identityOf(entry.record);
      const left = changes.get(identity) ?? 0;
      if (left > 0) changes.set(identity, left - 1);
      if (left > 0) result.captured += 1;
      else if (held.has(identity)) result.held += 1;
      else result.unchanged += 1;
    }
    return result;
  });
}

/**
 * The rows that end up as the transaction found them. This happens when a file with an object's history is captured
 * again: the object first returns to its old state and then to its current one, and neither change should be announced.
 */
function revertedRows({ changes }: CaptureTransaction): Set<string> {
  const reverted = new Set<string>();
  for (const [identity, { before, after }] of changes) {
    if (isDeepStrictEqual(before, after)) reverted.add(identity);
  }
  return reverted;
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
