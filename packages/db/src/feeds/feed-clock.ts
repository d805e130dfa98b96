import type { AdapterTransaction } from '../adapter-transaction.ts';
import type { Queryable } from '../queryable.ts';
import type { Database, Transaction } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { firstIdAt, IDS_PER_MS } from './position.ts';

declare const ticked: unique symbol;

/**
 * The tables whose ids are readings of the feed clock. `webhook_deliveries` includes the pending ones, because a delivery keeps
 * its id when it ends.
 */
export type IntegerFeed = 'engagement_events' | 'engagement_views' | 'webhook_deliveries' | 'audit_records';

/**
 * A transaction that holds the feed clock of its workspace. Every function that writes to a feed requires one, so a write
 * that skips the clock does not compile.
 */
export interface FeedTransaction<Tx extends Queryable = Transaction> {
  readonly tx: Tx;
  readonly companyId: number;
  /** This transaction's reading of the clock, which is the sort timestamp of everything it writes. */
  readonly at: Date;
  /**
   * Allocates the ids of the next rows of a feed, in the order of the rows. It is the only source of these ids.
   *
   * @param count number of rows.
   * @returns the first id; the others follow it without a gap.
   */
  readonly takeIds: (feed: IntegerFeed, count: number) => bigint;
  readonly [ticked]: true;
}

/** A feed transaction over any client. */
export type AnyFeedTransaction = FeedTransaction<Queryable>;

/** The workspace has not been captured yet. */
export class UnknownWorkspaceError extends Error {
  readonly companyId: number;

  constructor(companyId: number) {
    super(`workspace ${companyId} is unknown: capture its company record first`);
    this.companyId = companyId;
  }
}

/** Options of a feed transaction. */
export interface FeedTransactionOptions {
  /**
   * Maximum wait of any statement of the transaction for a lock, including the clock; by default that of the session. A longer
   * wait fails with `LOCK_NOT_AVAILABLE`.
   */
  lockTimeoutMs?: number;
}

/**
 * Runs `write` in a transaction that first locks the feed clock of the workspace and holds it until the commit.
 *
 * A row gets its id and timestamp before the commit makes it visible. Without a lock, a slower writer could commit a row behind
 * the position of a reader, who would never see it. The clock is one row for each workspace. Updating it locks it, and ids and
 * sort timestamps are readings of it, so sort order is commit order and a cursor misses nothing. The reading is strictly
 * increasing, even when the system clock steps back. After any kind of restore, the reading is the current time of the server,
 * which is later than every reading that was lost, so no cursor is ahead of what is written next.
 *
 * Take no other row lock before it, touch one workspace only and do no I/O inside: every other writer to the workspace waits for
 * this commit.
 *
 * @throws UnknownWorkspaceError when the workspace has no clock.
 */
export function inFeedTransaction<T>(
  db: Database,
  companyId: number,
  write: (feed: FeedTransaction) => Promise<T>,
  { lockTimeoutMs }: FeedTransactionOptions = {},
): Promise<T> {
  return db.transaction(async (tx) => {
    if (lockTimeoutMs !== undefined) {
      await tx.$queryRaw`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
    }
    const [clock] = await tx.$queryRaw<[{ at: Date | null }]>`SELECT take_feed_clock(${companyId}) AS at`;
    const { feed, clockAfter } = openFeed(tx, companyId, clock.at);
    const result = await write(feed);
    const clockStatement = clockAfter();
    if (clockStatement !== null) await tx.$executeRaw(clockStatement);
    return result;
  });
}

/** A feed transaction over Prisma's adapter, which ends with its last statements. */
export interface ShortFeedTransaction extends FeedTransaction<AdapterTransaction> {
  /** Runs the last statements and commits, all in one round trip. No statement may follow. */
  commitWith(...statements: Prisma.Sql[]): Promise<void>;
}

/** The first statements of a short feed transaction. */
export interface ShortFeedOptions<Begun> {
  /** Runs before the clock is locked. It must not write to a feed. */
  prepare?: ((tx: Queryable) => Promise<void>) | undefined;
  /**
   * Locks the clock and reads other data in the same statement, by calling the function `take_feed_clock`
   * (prisma/sql/feed-clock.sql). Null if the workspace has no clock.
   */
  takeClock: (tx: Queryable) => Promise<({ at: Date } & Begun) | null>;
}

/** Like `inFeedTransaction`, but over Prisma's adapter, for captures: two round trips are enough for a record. */
export function inShortFeedTransaction<Begun, T>(
  db: Database,
  companyId: number,
  { prepare, takeClock }: ShortFeedOptions<Begun>,
  write: (feed: ShortFeedTransaction, begun: Begun) => Promise<T>,
): Promise<T> {
  return db.queryTransaction(async (tx) => {
    await prepare?.(tx);
    const begun = await takeClock(tx);
    if (begun === null) throw new UnknownWorkspaceError(companyId);
    const { feed, clockAfter } = openFeed(tx, companyId, begun.at);
    const commitWith = (...statements: Prisma.Sql[]): Promise<void> => {
      const clockStatement = clockAfter();
      return tx.commitWith(...statements, ...(clockStatement === null ? [] : [clockStatement]));
    };
    return write({ ...feed, commitWith }, begun);
  });
}

/** @throws UnknownWorkspaceError if there is no reading. */
function openFeed<Tx extends Queryable>(tx: Tx, companyId: number, at: Date | null) {
  if (at === null) throw new UnknownWorkspaceError(companyId);
  const taken = new Map<IntegerFeed, number>();
  const takeIds = (feed: IntegerFeed, count: number): bigint => {
    const before = taken.get(feed) ?? 0;
    taken.set(feed, before + count);
    return firstIdAt(at) + BigInt(before);
  };
  /**
   * Returns the statement that advances the clock. The ids of a large transaction extend into the milliseconds after its reading,
   * which no other transaction may then read.
   */
  const clockAfter = (): Prisma.Sql | null => {
    const lastMs = Math.floor((Math.max(1, ...taken.values()) - 1) / IDS_PER_MS);
    if (lastMs === 0) return null;
    return Prisma.sql`
      UPDATE feed_clocks SET at = at + ${lastMs}::int * interval '1 millisecond' WHERE company_id = ${companyId}`;
  };
  return { feed: { tx, companyId, at, takeIds } as FeedTransaction<Tx>, clockAfter };
}
