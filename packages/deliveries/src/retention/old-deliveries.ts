import type { Database, Transaction } from '@deal-signals/db/database';
import { firstIdAt } from '@deal-signals/db/feeds/position';

/** How many deliveries one transaction visits. It bounds how long the transaction locks the deliveries that it removes. */
export const RETENTION_BATCH = 200;

/** The deliveries of a workspace to remove. */
export interface OldDeliveries {
  companyId: number;
  /** Deliveries that ended before this time are old. It is a time of the database, because the clock of a worker may be wrong. */
  before: Date;
}

/** The number of removed rows of each table. */
export interface RemovedRows {
  webhook_deliveries: number;
  webhook_attempts: number;
  webhook_events: number;
}

/** The result of one batch. */
export interface RemovedBatch {
  removed: RemovedRows;
  /** Where the next batch continues; null after the last batch. */
  cursor: bigint | null;
}

/**
 * Removes a batch of a workspace's old deliveries from the log, with their attempts. Events without any other delivery are
 * removed as well, with their subjects. All of this is one transaction that waits for no lock: rows that another transaction has
 * locked, such as a dead letter that is being retried or an event that is being resent, are left to a later call.
 *
 * The log is walked by id, in which the times of creation rise, up to the first delivery that is too young. Deliveries that ended
 * late stay: they were on hold or retried for long, so their admin has not had the time to see them.
 *
 * @param cursor the `cursor` of the previous batch, or 0.
 */
export function removeOldDeliveries(
  db: Pick<Database, 'transaction'>,
  { companyId, before }: OldDeliveries,
  cursor: bigint,
): Promise<RemovedBatch> {
  return db.transaction(async (tx) => {
    const { count, last, ids, eventIds } = await lockOld(tx, { companyId, before }, cursor);
    return {
      removed: await remove(tx, companyId, ids, eventIds),
      cursor: count === RETENTION_BATCH ? last : null,
    };
  });
}

interface Locked {
  /** The number of deliveries that were visited, and the last of them. */
  count: number;
  last: bigint | null;
  /** The old deliveries that were locked, and their events. */
  ids: bigint[];
  eventIds: string[];
}

/**
 * Locks the old ones among the next deliveries, so that none of them is retried, and their events, so that none of them is resent
 * or rewritten. A delivered one is as old as its arrival. A dead one is as old as its last attempt, or as the delivery if it had
 * no attempt.
 */
async function lockOld(
  tx: Transaction,
  { companyId, before }: OldDeliveries,
  cursor: bigint,
): Promise<Locked> {
  const [locked] = await tx.$queryRaw<[Locked]>`
    WITH visited AS MATERIALIZED (
      SELECT id, event_id,
        coalesce(delivered_at, (
          SELECT started_at FROM webhook_attempts
          WHERE company_id = ${companyId} AND delivery_id = webhook_deliveries.id
          ORDER BY number DESC LIMIT 1
        ), created_at) < ${before} AS is_old
      FROM webhook_deliveries
      WHERE company_id = ${companyId} AND id > ${cursor} AND id < ${firstIdAt(before)}
      ORDER BY id LIMIT ${RETENTION_BATCH}
    ), locked AS MATERIALIZED (
      SELECT visited.id, visited.event_id FROM visited
      CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries WHERE company_id = ${companyId} AND id = visited.id
        FOR UPDATE SKIP LOCKED
      ) AS delivery
      CROSS JOIN LATERAL (
        SELECT FROM webhook_events WHERE company_id = ${companyId} AND id = visited.event_id
        FOR UPDATE SKIP LOCKED
      ) AS event
      WHERE is_old
    )
    SELECT (SELECT count(*) FROM visited)::int AS count, (SELECT max(id) FROM visited) AS last,
      ARRAY(SELECT id FROM locked) AS ids, ARRAY(SELECT DISTINCT event_id FROM locked)::text[] AS "eventIds"`;
  return locked;
}

/** Removes locked deliveries, and the rows that belong only to them. */
async function remove(
  tx: Transaction,
  companyId: number,
  ids: readonly bigint[],
  eventIds: readonly string[],
): Promise<RemovedRows> {
  if (ids.length === 0) return { webhook_deliveries: 0, webhook_attempts: 0, webhook_events: 0 };
  const attempts =
    await tx.$executeRaw`DELETE FROM webhook_attempts WHERE company_id = ${companyId} AND delivery_id = ANY (${[...ids]}::bigint[])`;
  const deliveries = await tx.$executeRaw`
    DELETE FROM webhook_deliveries WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::bigint[])`;
  // One statement reads both the queue and the log, since other deliveries of the events may move between them. Each row is
  // looked up by its full key. A join might read all subjects of the workspace.
  const [{ events }] = await tx.$queryRaw<[{ events: number }]>`
    WITH removed AS (
      DELETE FROM webhook_events
      WHERE company_id = ${companyId} AND id = ANY (ARRAY(
        SELECT event.id FROM unnest(${[...eventIds]}::uuid[]) AS event (id)
        WHERE NOT EXISTS (
          SELECT FROM webhook_delivery_subjects AS range
          CROSS JOIN LATERAL (
            SELECT FROM deliveries
            WHERE company_id = ${companyId}
              AND deliveries.id BETWEEN range.first_delivery_id AND range.first_delivery_id + range.deliveries - 1
            LIMIT 1
          ) AS left_over
          WHERE range.company_id = ${companyId} AND range.kind = 'event' AND range.subject = event.id
          OFFSET 0
        )
      ))
      RETURNING id, type, buyer_space_id, call_id, identity
    ), subjects AS (
      DELETE FROM webhook_delivery_subjects WHERE ctid = ANY (ARRAY(
        SELECT own.ctid FROM removed
        CROSS JOIN LATERAL (
          SELECT first_delivery_id FROM webhook_delivery_subjects
          WHERE company_id = ${companyId} AND kind = 'event' AND subject = removed.id OFFSET 0
        ) AS range
        CROSS JOIN LATERAL delivery_subjects(removed.id, removed.type, removed.buyer_space_id, removed.call_id, removed.identity) AS s
        CROSS JOIN LATERAL (
          SELECT subject.ctid FROM webhook_delivery_subjects AS subject
          WHERE company_id = ${companyId} AND subject.kind = s.kind AND subject.subject = s.subject
            AND subject.first_delivery_id = range.first_delivery_id
          LIMIT 1
        ) AS own
      ))
    )
    SELECT count(*)::int AS events FROM removed`;
  return { webhook_deliveries: deliveries, webhook_attempts: attempts, webhook_events: events };
}
