import type { Database, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { GREATEST_ID } from '../claims/claim-ready.ts';
import { lockAgainstResends } from './retention-lock.ts';

/** How many deliveries one transaction removes, which bounds how long it holds their locks. */
export const RETENTION_BATCH = 200;

/** The states in which a delivery can be removed. A pending one never is, however old it is. */
export type FinishedStatus = 'delivered' | 'dead';

/** The finished deliveries of a workspace that are to be removed. */
export interface OldDeliveries {
  companyId: number;
  status: FinishedStatus;
}

/** How many rows of each table were removed. */
export interface RemovedRows {
  webhook_deliveries: number;
  webhook_attempts: number;
  webhook_events: number;
}

/** What one batch has done. */
export interface RemovedBatch {
  removed: RemovedRows;
  /** Where the next batch continues; null if nothing is left. */
  cursor: bigint | null;
}

const NOTHING: RemovedRows = { webhook_deliveries: 0, webhook_attempts: 0, webhook_events: 0 };

/** The moment before which what has ended is old. It is of the database's clock: one worker's may be wrong by years. */
const daysAgo = (days: number) => Prisma.sql`statement_timestamp() - make_interval(days => ${days}::int)`;

/**
 * Looks through workspaces in the order of their ids for those that may have something to remove. It reads two rows of each:
 * the delivery that was delivered first, and the dead one that was created first.
 *
 * @param after only workspaces with a greater id.
 * @param most how many workspaces to look at.
 * @returns what was found, and the last workspace that was looked at; null at the end of the workspaces.
 */
export async function findOldDeliveries(
  db: Database,
  days: number,
  after: number,
  most: number,
): Promise<{ found: OldDeliveries[]; last: number | null }> {
  const rows = await db.$queryRaw<{ companyId: number; delivered: boolean; dead: boolean }[]>`
    SELECT company.id AS "companyId",
      coalesce(delivered.at < ${daysAgo(days)}, false) AS delivered,
      coalesce(dead.at < ${daysAgo(days)}, false) AS dead
    FROM (SELECT id FROM companies WHERE id > ${after} ORDER BY id LIMIT ${most}) AS company
    LEFT JOIN LATERAL (
      SELECT delivered_at AS at FROM webhook_deliveries
      WHERE company_id = company.id AND status = 'delivered'
      ORDER BY delivered_at LIMIT 1
    ) AS delivered ON true
    LEFT JOIN LATERAL (
      SELECT created_at AS at FROM webhook_deliveries
      WHERE ${afterDead(Prisma.sql`company.id`, 0n)}
      ORDER BY company_id, status, id LIMIT 1
    ) AS dead ON true
    ORDER BY company.id`;
  return {
    found: rows.flatMap(({ companyId, delivered, dead }) => [
      ...(delivered ? [{ companyId, status: 'delivered' as const }] : []),
      ...(dead ? [{ companyId, status: 'dead' as const }] : []),
    ]),
    last: rows.length < most ? null : rows.at(-1)!.companyId,
  };
}

/**
 * Removes a batch of a workspace's finished deliveries that are older than a number of days, with their attempts, what they are
 * about, and the events that no other delivery is of. All in one transaction, which waits for nobody: rows that somebody else
 * has locked are left to a later call, and so is a workspace that is just being resent to.
 *
 * A delivered one is as old as its arrival. A dead one is as old as its last attempt, or as the delivery if it had none.
 *
 * @param cursor the `cursor` of the previous batch, or 0.
 */
export function removeOldDeliveries(
  db: Database,
  { companyId, status }: OldDeliveries,
  days: number,
  cursor: bigint,
): Promise<RemovedBatch> {
  return db.transaction(async (tx) => {
    if (!(await lockAgainstResends(tx, companyId))) return { removed: NOTHING, cursor: null };
    const { ids, next } =
      status === 'delivered'
        ? await oldDelivered(tx, companyId, days)
        : await oldDead(tx, companyId, days, cursor);
    return { removed: await remove(tx, companyId, ids), cursor: next };
  });
}

interface Found {
  ids: bigint[];
  next: bigint | null;
}

async function oldDelivered(tx: Transaction, companyId: number, days: number): Promise<Found> {
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM webhook_deliveries
    WHERE company_id = ${companyId} AND status = 'delivered' AND delivered_at < ${daysAgo(days)}
    ORDER BY delivered_at LIMIT ${RETENTION_BATCH}
    FOR UPDATE SKIP LOCKED`;
  // What was found is removed, so the next batch begins at the front again.
  return { ids: rows.map(({ id }) => id), next: rows.length === RETENTION_BATCH ? 0n : null };
}

/**
 * Dead deliveries are walked by id, in which their times of creation rise, up to the first that was created too late. Those
 * with a late attempt stay: they were parked or retried for long, and their admin has not had the time to see them.
 */
async function oldDead(tx: Transaction, companyId: number, days: number, cursor: bigint): Promise<Found> {
  const rows = await tx.$queryRaw<{ id: bigint; isCreatedBefore: boolean; isOld: boolean }[]>`
    SELECT id, is_created_before AS "isCreatedBefore",
      is_created_before AND NOT EXISTS (
        SELECT FROM webhook_attempts
        WHERE company_id = ${companyId} AND delivery_id = looked_at.id AND started_at >= ${daysAgo(days)}
        OFFSET 0
      ) AS "isOld"
    FROM (
      SELECT id, created_at < ${daysAgo(days)} AS is_created_before FROM webhook_deliveries
      WHERE ${afterDead(Prisma.sql`${companyId}::int`, cursor)}
      ORDER BY company_id, status, id LIMIT ${RETENTION_BATCH}
    ) AS looked_at
    ORDER BY id`;
  const isEnd = rows.length < RETENTION_BATCH || rows.some(({ isCreatedBefore }) => !isCreatedBefore);
  return {
    ids: rows.filter(({ isOld }) => isOld).map(({ id }) => id),
    next: isEnd ? null : rows.at(-1)!.id,
  };
}

/**
 * The dead deliveries of a workspace with a greater id. Rows are compared, so that no other index is in the order of the query:
 * one that is would be walked through deliveries that are not dead.
 */
function afterDead(companyId: Prisma.Sql, id: bigint): Prisma.Sql {
  return Prisma.sql`(company_id, status, id) > (${companyId}, 'dead'::delivery_status, ${id})
        AND (company_id, status, id) <= (${companyId}, 'dead'::delivery_status, ${GREATEST_ID})`;
}

/** Removes deliveries that are still finished and that nobody else has locked, and everything that belongs to them alone. */
async function remove(tx: Transaction, companyId: number, found: readonly bigint[]): Promise<RemovedRows> {
  if (found.length === 0) return NOTHING;
  const locked = await tx.$queryRaw<{ id: bigint; eventId: string }[]>`
    SELECT id, event_id AS "eventId" FROM webhook_deliveries
    WHERE company_id = ${companyId} AND id = ANY (${[...found]}::bigint[]) AND status <> 'pending'
    FOR UPDATE SKIP LOCKED`;
  if (locked.length === 0) return NOTHING;
  const ids = locked.map(({ id }) => id);
  const eventIds = [...new Set(locked.map(({ eventId }) => eventId))];
  const attempts =
    await tx.$executeRaw`DELETE FROM webhook_attempts WHERE company_id = ${companyId} AND delivery_id = ANY (${ids}::bigint[])`;
  // Each row is looked up by its whole key. Joined, all subjects of the workspace might be read.
  await tx.$executeRaw`
    DELETE FROM webhook_delivery_subjects WHERE ctid = ANY (ARRAY(
      SELECT own.ctid
      FROM unnest(${ids}::bigint[], ${locked.map(({ eventId }) => eventId)}::uuid[]) AS delivery (id, event_id)
      CROSS JOIN LATERAL (
        SELECT buyer_space_id, call_id, identity FROM webhook_events
        WHERE company_id = ${companyId} AND webhook_events.id = delivery.event_id LIMIT 1
      ) AS event
      CROSS JOIN LATERAL delivery_subjects(event.buyer_space_id, event.call_id, event.identity) AS s
      CROSS JOIN LATERAL (
        SELECT webhook_delivery_subjects.ctid FROM webhook_delivery_subjects
        WHERE company_id = ${companyId} AND kind = s.kind AND subject = s.subject AND delivery_id = delivery.id LIMIT 1
      ) AS own
    ))`;
  const deliveries = await tx.$executeRaw`
    DELETE FROM webhook_deliveries WHERE company_id = ${companyId} AND id = ANY (${ids}::bigint[])`;
  const events = await tx.$executeRaw`
    DELETE FROM webhook_events
    WHERE company_id = ${companyId} AND id = ANY (ARRAY(
      SELECT event.id FROM unnest(${eventIds}::uuid[]) AS event (id)
      WHERE NOT EXISTS (
        SELECT FROM webhook_deliveries WHERE company_id = ${companyId} AND event_id = event.id OFFSET 0
      )
    ))`;
  return { webhook_deliveries: deliveries, webhook_attempts: attempts, webhook_events: events };
}
