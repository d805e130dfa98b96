import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { recordEvents } from '@deal-signals/outbox/record-events';
import type { CaptureTransaction } from './capture-transaction.ts';
import type { Entry, EntryOf } from './entry.ts';
import type { CaptureRecord } from './record.ts';
import { planRuns } from './runs.ts';
import { writeActionItems } from './writers/action-item.ts';
import { writeCallSummaries } from './writers/call-summary.ts';
import { writeCalls } from './writers/call.ts';
import { writeDistributions } from './writers/distribution.ts';
import { writeDocuments } from './writers/document.ts';
import { writeEsignDocuments } from './writers/esign.ts';
import { writeEvents } from './writers/event.ts';
import { writeMembers } from './writers/member.ts';
import { writeMessages } from './writers/message.ts';
import { writeRooms } from './writers/room.ts';
import { writeUsers } from './writers/user.ts';
import { writeViews } from './writers/view.ts';

/** Record kinds that belong to a workspace: all except `company`. */
type Kind = Exclude<CaptureRecord['record'], 'company'>;

const WRITERS: { [K in Kind]: (capture: CaptureTransaction, entries: EntryOf<K>[]) => Promise<void> } = {
  user: writeUsers,
  room: writeRooms,
  member: writeMembers,
  call: writeCalls,
  callSummary: writeCallSummaries,
  distribution: writeDistributions,
  document: writeDocuments,
  event: writeEvents,
  view: writeViews,
  actionItem: writeActionItems,
  message: writeMessages,
  esign: writeEsignDocuments,
};

/** How a batch is written in a dry run. */
export interface BatchOptions {
  /** Whether to undo everything at the end. */
  rollBack?: boolean;
  /** Runs in the transaction before anything else. */
  begin?: (tx: Transaction) => Promise<void>;
}

/**
 * Writes records of one workspace, and the webhook events they cause, in one transaction that holds the workspace's
 * feed clock. If any record fails, nothing is written.
 *
 * @throws RecordError if a record contradicts stored data, for example by referring to an unknown room.
 * @throws UnknownWorkspaceError if the workspace has not been captured yet.
 */
export async function captureBatch(
  db: Database,
  companyId: number,
  entries: Entry[],
  { rollBack = false, begin }: BatchOptions = {},
): Promise<void> {
  const undo = new Error('the batch is undone on purpose');
  const writeAll = async (feed: FeedTransaction): Promise<void> => {
    const capture: CaptureTransaction = {
      feed,
      tx: feed.tx,
      companyId,
      at: feed.at,
      effects: [],
      changes: new Map(),
    };
    for (const run of planRuns(entries)) {
      // Each run holds entries of one kind, but the compiler cannot tell that they match the writer.
      const write = WRITERS[run.kind as Kind] as (
        capture: CaptureTransaction,
        entries: Entry[],
      ) => Promise<void>;
      await write(capture, run.entries);
    }
    await applyEffects(capture);
    if (rollBack) throw undo;
  };
  try {
    await inFeedTransaction(db, companyId, writeAll, { begin });
  } catch (error) {
    if (error !== undo) throw error;
  }
}

/**
 * Moves the affected rooms and calls to the end of their feeds and writes the webhook events. A row that ends up as the
 * transaction found it has no effects. This happens when a file with an object's history is captured again: the object
 * first returns to its old state and then to its current one, and neither change should be announced.
 */
async function applyEffects({
  feed,
  companyId,
  at,
  effects,
  changes,
  subscribers,
}: CaptureTransaction): Promise<void> {
  const lasting = effects.filter(({ identity }) => {
    const change = changes.get(identity);
    return change === undefined || !isDeepStrictEqual(change.before, change.after);
  });
  const moves: Prisma.Sql[] = [];
  const roomIds = [...new Set(lasting.map((effect) => effect.roomId).filter((id) => id != null))];
  if (roomIds.length > 0) {
    moves.push(Prisma.sql`
      moved_rooms AS (
        UPDATE rooms SET last_activity_at = ${at} WHERE company_id = ${companyId} AND id = ANY(${roomIds}::uuid[])
      )`);
  }
  const callIds = [...new Set(lasting.flatMap((effect) => effect.callIds ?? []))];
  if (callIds.length > 0) {
    moves.push(Prisma.sql`
      moved_calls AS (
        UPDATE calls SET updated_at = ${at} WHERE company_id = ${companyId} AND id = ANY(${callIds}::uuid[])
      )`);
  }
  await recordEvents(
    feed,
    lasting.map(({ event }) => event).filter((event) => event !== undefined),
    { subscribers, changes: moves },
  );
}
