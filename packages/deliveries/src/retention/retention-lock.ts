import type { Transaction } from '@deal-signals/db/database';

// A resend reads an old delivery and adds a new one of its event. If both were removed in between, the new delivery would refer
// to an event that is gone. So the two exclude each other in a workspace: resends wait, which takes them the time of a batch,
// and a removal leaves the workspace to a later call.

/** The first key of the advisory locks of this purpose; the second is the id of the workspace. */
const LOCK_CLASS = 482_911;

/** Lets no old delivery of a workspace be removed until the end of the transaction. Taken after the feed clock. */
export async function keepOldDeliveries(tx: Transaction, companyId: number): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}::int, ${companyId}::int)`;
}

/** Lets nothing of a workspace be resent until the end of the transaction. @returns false if a resend is under way. */
export async function lockAgainstResends(tx: Transaction, companyId: number): Promise<boolean> {
  const [lock] = await tx.$queryRaw<[{ isMine: boolean }]>`
    SELECT pg_try_advisory_xact_lock(${LOCK_CLASS}::int, ${companyId}::int) AS "isMine"`;
  return lock.isMine;
}
