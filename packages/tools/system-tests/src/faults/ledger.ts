import type { Database } from '@deal-signals/db/database';
import { until } from '@deal-signals/test-kit/until';
import { miscounted } from '@deal-signals/test-kit/worlds/attempt-counts';
import { type FaultRow, publishRow } from './fault-table.ts';
import { findHealing } from './healing.ts';
import type { Scene } from './scene.ts';

/** The test's expectations of a fault. */
export interface Fault {
  /** The name in the table. */
  name: string;
  /** The expected number of deliveries; by default, the number in the database. */
  expected?: number;
  /** Maximum number of duplicates: the attempts that were in flight. */
  allowed: number;
  /** Whether dead deliveries are expected rather than lost, because their endpoint was removed. */
  deadIsExpected?: boolean;
}

/** A row of the table, and further values that the test compares. */
export interface Balance extends FaultRow {
  /** Requests at the receiver without an attempt in the log. */
  unlogged: number;
  /** Exit codes of the workers that ran until the end. */
  exitCodes: (number | null)[];
}

/** Enough for several leases and the retries after them on a busy machine. */
const SETTLE_TIMEOUT_MS = 120_000;

/**
 * Counts the attempts that are in flight during a fault: the deliveries that the receiver has taken by its end and that were
 * not recorded as delivered at its beginning.
 *
 * @param fault resolves when no interrupted request can arrive any more.
 */
export async function inFlightDuring(
  { db, receiver }: Scene,
  fault: () => Promise<unknown>,
): Promise<number> {
  const recorded = await deliveredIds(db);
  await fault();
  return [...receiver.takenIds()].filter((id) => !recorded.has(id)).length;
}

/**
 * Waits until no delivery is pending, stops the workers, and compares the expected deliveries with those that the receiver got
 * and those in the database. Publishes the row of the table even if they differ.
 *
 * @throws Error if the counts of attempts differ from the log of attempts.
 */
export async function balance(scene: Scene, fault: Fault): Promise<Balance> {
  const { db, receiver } = scene;
  const pending = () => db.pendingDelivery.count();
  // If this times out, the row shows what is missing, and the comparison fails the test.
  await until('no delivery to be pending', async () => (await pending()) === 0, {
    timeoutMs: SETTLE_TIMEOUT_MS,
  }).catch(() => {});
  const exitCodes = await scene.stopWorkers();

  const rows = await db.delivery.findMany({ select: { id: true, status: true, createdAt: true } });
  const taken = receiver.takenIds();
  const delivered = rows.filter(({ id, status }) => status === 'delivered' && taken.has(String(id))).length;
  const dead = rows.filter(({ status }) => status === 'dead').length;
  const expected = fault.expected ?? rows.length;
  const row = {
    fault: fault.name,
    expected,
    delivered,
    duplicates: receiver.arrivals.filter(({ isTaken }) => isTaken).length - taken.size,
    allowed: fault.allowed,
    lost: expected - delivered - (fault.deadIsExpected === true ? dead : 0),
    healing: findHealing(scene.faultEnds, rows, receiver.arrivals),
  };
  await publishRow(row);
  const wrong = await miscounted(db);
  if (wrong.length > 0) throw new Error(`counts differ from the log of attempts: ${JSON.stringify(wrong)}`);
  return { ...row, unlogged: receiver.arrivals.length - (await db.webhookAttempt.count()), exitCodes };
}

async function deliveredIds(db: Database): Promise<Set<string>> {
  const rows = await db.webhookDelivery.findMany({ where: { status: 'delivered' }, select: { id: true } });
  return new Set(rows.map(({ id }) => String(id)));
}
