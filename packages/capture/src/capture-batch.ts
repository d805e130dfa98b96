import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { recordEvents } from '@deal-signals/outbox/record-events';
import type { CaptureTransaction, RefusedHeld } from './capture-transaction.ts';
import type { Entry, EntryOf } from './entry.ts';
import { planRuns, type RunKind } from './runs.ts';
import { writeActionItems } from './writers/action-item.ts';
import { writeCallSummaries } from './writers/call-summary.ts';
import { writeCalls } from './writers/call.ts';
import { writeDistributions } from './writers/distribution.ts';
import { writeDocuments } from './writers/document.ts';
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
};

/** How a batch is written. */
export interface BatchOptions {
  /** Whether no webhooks are sent for the changes, as for an import of history; the feeds show them all the same. */
  noWebhooks?: boolean;
  /** Whether events, views and messages whose share link is unknown wait for it; otherwise they are refused. */
  hold?: boolean;
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
}

/**
 * Writes records of one workspace, and the webhook events they cause, in one transaction that holds the workspace's
 * feed clock. If any record fails, nothing is written.
 *
 * @returns how many records changed something, and how many did not.
 * @throws RecordError if a record contradicts stored data, for example by referring to an unknown room.
 * @throws UnknownWorkspaceError if the workspace has not been captured yet.
 */
export function captureBatch(
  db: Database,
  companyId: number,
  entries: Entry[],
  { noWebhooks = false, hold = false }: BatchOptions = {},
): Promise<BatchResult> {
  return inFeedTransaction(db, companyId, async (feed) => {
    const capture: CaptureTransaction = {
      feed,
      tx: feed.tx,
      companyId,
      at: feed.at,
      effects: [],
      changed: [],
      changes: new Map(),
      hold,
      held: new Set(),
      refusedHeld: [],
    };
    for (const run of planRuns(entries)) {
      // The entries of a run are of its kind, but the compiler cannot tell that they match the writer.
      const write = WRITERS[run.kind as Kind] as (
        capture: CaptureTransaction,
        entries: Entry[],
      ) => Promise<void>;
      await write(capture, run.entries);
    }
    const reverted = revertedRows(capture);
    await applyEffects(capture, reverted, noWebhooks);
    const captured = capture.changed.filter((identity) => !reverted.has(identity)).length;
    const held = capture.held.size;
    const unchanged = entries.length - captured - held;
    return { captured, unchanged, held, refusedHeld: capture.refusedHeld };
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

/** Moves the affected rooms and calls to the end of their feeds and writes the webhook events, in the order of the records. */
async function applyEffects(
  { feed, companyId, at, effects, subscribers }: CaptureTransaction,
  reverted: ReadonlySet<string>,
  noWebhooks: boolean,
): Promise<void> {
  const lasting = effects
    .filter(({ identity }) => !reverted.has(identity))
    .toSorted((a, b) => a.line - b.line);
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
  const events = noWebhooks ? [] : lasting.map(({ event }) => event).filter((event) => event !== undefined);
  await recordEvents(feed, events, { subscribers, changes: moves });
}
