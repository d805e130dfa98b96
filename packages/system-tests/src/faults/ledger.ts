import type { Database } from '@deal-signals/db/database';
import { until } from '@deal-signals/test-kit/until';
import { type FaultRow, publishRow } from './fault-table.ts';
import type { Scene } from './scene.ts';

/** What is known of a fault beside what the receiver and the database say. */
export interface Fault {
  /** For the table. */
  name: string;
  /** How many deliveries there must be; without it, as many as the database has. */
  expected?: number;
  /** The most duplicates that it may cause: the attempts that were in flight. */
  allowed: number;
  /** Whether a dead delivery counts as settled, because its endpoint was removed. */
  deadIsSettled?: boolean;
}

/** A row of the table, and what else the books say. */
export interface Balance extends FaultRow {
  /** Arrivals that no attempt in the log tells of. */
  unlogged: number;
  /** How the workers ended when they were asked to, at last. */
  exitCodes: (number | null)[];
}

/** Several leases, and the retries after them, on a busy machine. */
const SETTLE_TIMEOUT_MS = 120_000;

/**
 * Counts the attempts in flight while a fault happens, from the receiver's own record: what it has read by the end of the
 * fault and was not recorded as delivered when the fault began.
 *
 * @param fault resolves only when nothing of what it interrupted can arrive any more.
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
 * Waits until nothing is pending any more, ends the workers and compares what was expected, what the receiver got and what
 * the database says. The row goes into the table, whatever it says.
 */
export async function balance(scene: Scene, fault: Fault): Promise<Balance> {
  const { db, receiver } = scene;
  const pending = () => db.webhookDelivery.count({ where: { status: 'pending' } });
  // Without success the row shall say what is missing, and the test fails by that.
  await until('no delivery to be pending', async () => (await pending()) === 0, {
    timeoutMs: SETTLE_TIMEOUT_MS,
  }).catch(() => {});
  const exitCodes = await scene.stopWorkers();

  const rows = await db.webhookDelivery.findMany({ select: { id: true, status: true } });
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
    lost: expected - delivered - (fault.deadIsSettled === true ? dead : 0),
  };
  await publishRow(row);
  return { ...row, unlogged: receiver.arrivals.length - (await db.webhookAttempt.count()), exitCodes };
}

async function deliveredIds(db: Database): Promise<Set<string>> {
  const rows = await db.webhookDelivery.findMany({ where: { status: 'delivered' }, select: { id: true } });
  return new Set(rows.map(({ id }) => String(id)));
}
