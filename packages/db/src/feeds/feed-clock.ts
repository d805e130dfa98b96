import type { Database, Transaction } from '../database.ts';
import { firstIdAt, IDS_PER_MS } from './position.ts';

declare const ticked: unique symbol;

/**
 * The tables whose ids are readings of the feed clock. `webhook_deliveries` stands for the pending ones as well: a delivery keeps its id
 * when it ends.
 */
export type IntegerFeed = 'engagement_events' | 'engagement_views' | 'webhook_deliveries' | 'audit_records';

/**
 * A transaction that holds the feed clock of its workspace. Every function that writes to a feed requires one, so a write
 * that skips the clock does not compile.
 */
export interface FeedTransaction {
  readonly tx: Transaction;
  readonly companyId: number;
  /** This transaction's reading of the clock: the sort timestamp of everything it writes. */
  readonly at: Date;
  /**
   * Hands out the ids of the next rows of a feed, in the order of the rows. Nothing else makes them.
   *
   * @param count how many rows.
   * @returns the first id; the others follow it without a gap.
   */
  readonly takeIds: (feed: IntegerFeed, count: number) => bigint;
  readonly [ticked]: true;
}

/** The workspace has not been captured yet. */
export class UnknownWorkspaceError extends Error {
  readonly companyId: number;

  constructor(companyId: number) {
    super(`workspace ${companyId} is unknown: capture its company record first`);
    this.companyId = companyId;
  }
}

/** How a feed transaction waits. */
export interface FeedTransactionOptions {
  /**
   * How long any statement of the transaction waits for a lock, the clock included; without it, as long as every session
   * of this process does. A longer wait fails with `LOCK_NOT_AVAILABLE`.
   */
  lockTimeoutMs?: number;
  /** Runs in the transaction before the clock is taken. It must not write to a feed. */
  begin?: ((tx: Transaction) => Promise<void>) | undefined;
  /**
   * Takes the clock, for a caller who reads something else with the same statement: calls the function `take_feed_clock`
   * (prisma/sql/feed-clock.sql) and returns the reading; null if the workspace has no clock.
   */
  takeClock?: ((tx: Transaction) => Promise<Date | null>) | undefined;
}

/**
 * Runs `write` in a transaction that first locks the feed clock of the workspace and holds it until the commit.
 *
 * A row gets its id and timestamp before the commit makes it visible. Without a lock, a slower writer could commit a row
 * behind the position of a reader, who would never see it. The clock is one row for each workspace. Updating it locks it,
 * and ids and sort timestamps are readings of it, so sort order is commit order and a cursor misses nothing. The reading is
 * strictly increasing, even when the system clock steps back. After a restore of whatever kind it is the time of the server
 * again, which is later than every reading that was lost: no cursor is ahead of what is written next.
 *
 * Take no other row lock before it, touch one workspace only and do no I/O inside: every other writer to the workspace
 * waits for this commit.
 *
 * @throws UnknownWorkspaceError when the workspace has no clock.
 */
export function inFeedTransaction<T>(
  db: Database,
  companyId: number,
  write: (feed: FeedTransaction) => Promise<T>,
  { lockTimeoutMs, begin, takeClock = (tx) => takeFeedClock(tx, companyId) }: FeedTransactionOptions = {},
): Promise<T> {
  return db.transaction(async (tx) => {
    if (lockTimeoutMs !== undefined) {
      await tx.$queryRaw`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
    }
    await begin?.(tx);
    const at = await takeClock(tx);
    if (at === null) throw new UnknownWorkspaceError(companyId);
    const taken = new Map<IntegerFeed, number>();
    const takeIds = (feed: IntegerFeed, count: number): bigint => {
      const before = taken.get(feed) ?? 0;
      taken.set(feed, before + count);
      return firstIdAt(at) + BigInt(before);
    };
    const result = await write({ tx, companyId, at, takeIds } as FeedTransaction);
    // The ids of a large transaction reach into the milliseconds after its reading, which nobody else may read then.
    const lastMs = Math.floor((Math.max(1, ...taken.values()) - 1) / IDS_PER_MS);
    if (lastMs > 0) {
      await tx.$executeRaw`
        UPDATE feed_clocks SET at = at + ${lastMs}::int * interval '1 millisecond' WHERE company_id = ${companyId}`;
    }
    return result;
  });
}

async function takeFeedClock(tx: Transaction, companyId: number): Promise<Date | null> {
  const [clock] = await tx.$queryRaw<[{ at: Date | null }]>`SELECT take_feed_clock(${companyId}) AS at`;
  return clock.at;
}
