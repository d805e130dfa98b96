import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { GREATEST_ID, idsOf } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

// A resend is a new delivery of an old event, with the same envelope, a new delivery id and its own schedule. Delivery ids form a
// feed, so a resend takes the feed clock, like the outbox. It is claimed after the fresh deliveries of its workspace.
//
// The events are locked until the commit. Retention skips locked events. An erasure that rewrites them waits, and then finds the
// new deliveries. An event that has just been removed is not resent.

/** How many deliveries one batch visits. Each batch is a transaction, and captures of the workspace wait for it. */
export const RESEND_BATCH = 1_000;

/**
 * Creates a new delivery of the event of a delivery in any state. If the endpoint is disabled, the new delivery is on hold.
 *
 * @returns the id of the new delivery, or the reason why there is none.
 */
export async function resendDelivery(
  { tx, companyId, at, takeIds }: FeedTransaction,
  endpointId: number,
  deliveryId: bigint,
): Promise<bigint | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  const isOpen = state === 'open';
  const delivery = { companyId, endpointId, id: deliveryId };
  if ((await tx.delivery.count({ where: delivery })) === 0) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const [resent] = await tx.$queryRaw<{ id: bigint }[]>`
    WITH chosen AS MATERIALIZED (
      SELECT event_id, ${takeIds('webhook_deliveries', 1)}::bigint AS new_id FROM deliveries
      WHERE company_id = ${companyId} AND id = ${deliveryId}
    ), ${insertResent(companyId, endpointId, at, isOpen)}
    SELECT id FROM resent`;
  return resent?.id ?? 'unknown';
}

/** Which events of an endpoint to resend. */
export interface ResendFilter {
  /** Only events created at this time or later; null for all. */
  since: Date | null;
  /** Only events created before this time; null for all. */
  until: Date | null;
  /** Only events of these types; null for all. */
  eventTypes: readonly string[] | null;
  /** Only deliveries with a greater id are visited: the `cursor` of the previous batch, or 0. */
  cursor: bigint;
}

/** The result of one batch. */
export interface ResentBatch {
  /** The number of new deliveries. */
  count: number;
  /** Where the next batch continues; null after the last batch. */
  cursor: bigint | null;
}

/**
 * Resends a batch of the events that were delivered to an endpoint, oldest first and each event once, as `resendDelivery` does.
 * It skips test events, and events that have a pending delivery to the endpoint, because they will be sent anyway.
 *
 * A batch visits a limited number of deliveries, so it may create few or none and still not be the last.
 */
export async function resendBatch(
  { tx, companyId, at, takeIds }: FeedTransaction,
  endpointId: number,
  { since, until, eventTypes, cursor }: ResendFilter,
): Promise<ResentBatch | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const isOpen = state === 'open';
  const { first, end = GREATEST_ID } = idsOf({
    after: cursor,
    since: since ?? undefined,
    until: until ?? undefined,
  });
  const firstNewId = takeIds('webhook_deliveries', RESEND_BATCH);
  const [batch] = await tx.$queryRaw<[{ count: number; visited: number; last: bigint | null }]>`
    WITH visited AS MATERIALIZED (
      SELECT id, event_id, event_type FROM deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND id >= ${first} AND (id, 0) < (${end}::bigint, 0)
      ORDER BY id LIMIT ${RESEND_BATCH}
    ), chosen AS MATERIALIZED (
      SELECT event_id, ${firstNewId} + row_number() OVER (ORDER BY id) - 1 AS new_id
      FROM visited
      WHERE event_type <> ${PING}
        AND (${eventTypes}::text[] IS NULL OR event_type = ANY (${eventTypes}::text[]))
        -- At most one delivery of the event to the endpoint is in each range.
        AND NOT EXISTS (
          SELECT FROM webhook_delivery_subjects AS range
          CROSS JOIN LATERAL (
            SELECT FROM deliveries AS other
            WHERE other.company_id = ${companyId} AND other.endpoint_id = ${endpointId}
              AND other.id BETWEEN range.first_delivery_id AND range.first_delivery_id + range.deliveries - 1
              AND (other.id < visited.id OR other.status = 'pending')
            LIMIT 1
          ) AS other
          WHERE range.company_id = ${companyId} AND range.kind = 'event' AND range.subject = visited.event_id
          OFFSET 0
        )
    ), ${insertResent(companyId, endpointId, at, isOpen)}
    SELECT (SELECT count(*) FROM resent)::int AS count, count(*)::int AS visited, max(id) AS last FROM visited`;
  return { count: batch.count, cursor: batch.visited === RESEND_BATCH ? batch.last : null };
}

/**
 * Returns the common table expressions that insert a delivery `resent` of each event in `chosen` (event_id, new_id) that still
 * exists, with its subjects, as the outbox does for captures.
 */
export function insertResent(companyId: number, endpointId: number, at: Date, isOpen: boolean): Prisma.Sql {
  return Prisma.sql`
    locked AS MATERIALIZED (
      -- An erasure locks events in the same order.
      SELECT chosen.new_id, event.* FROM (SELECT * FROM chosen ORDER BY event_id) AS chosen
      CROSS JOIN LATERAL (
        SELECT id, type, buyer_space_id, call_id, identity FROM webhook_events
        WHERE company_id = ${companyId} AND id = chosen.event_id
        FOR SHARE
      ) AS event
    ), resent AS (
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, requeued)
      SELECT ${companyId}, new_id, ${endpointId}, id, type, ${at}, CASE WHEN ${isOpen} THEN ${at}::timestamptz END, ${isOpen}, true
      FROM locked
      RETURNING id
    ), subjects AS (
      INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
      SELECT ${companyId}, s.kind, s.subject, new_id, 1
      FROM locked CROSS JOIN LATERAL delivery_subjects(id, type, buyer_space_id, call_id, identity) AS s
    )`;
}
