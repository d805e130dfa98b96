import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { GREATEST_ID, idsOf } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

// A resend is a new delivery of an old event: the same envelope, a new delivery id, its own schedule. Delivery ids are a
// feed, so it takes the feed clock, like the outbox. It is claimed after the fresh deliveries of its workspace.
//
// It locks the events until its commit: retention removes none of them meanwhile, and an erasure that rewrites whom they are about
// waits, and then finds the new deliveries. An event that has just been removed is not resent.

/** How many deliveries one batch looks at. Each batch is a transaction, and captures of the workspace wait for it. */
export const RESEND_BATCH = 1_000;

/**
 * Creates a new delivery of the event of another one, whatever became of that one. If the endpoint is disabled, the new
 * delivery is on hold.
 *
 * @returns the id of the new delivery, or why there is none.
 */
export async function resendDelivery(
  { tx, companyId, at, takeIds }: FeedTransaction,
  endpointId: number,
  deliveryId: bigint,
): Promise<bigint | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  const isEnabled = state === 'enabled';
  const delivery = { companyId, endpointId, id: deliveryId };
  if ((await tx.delivery.count({ where: delivery })) === 0) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const [resent] = await tx.$queryRaw<{ id: bigint }[]>`
    WITH chosen AS MATERIALIZED (
      SELECT event_id, ${takeIds('webhook_deliveries', 1)}::bigint AS new_id FROM deliveries
      WHERE company_id = ${companyId} AND id = ${deliveryId}
    ), ${resentOf(companyId, endpointId, at, isEnabled)}
    SELECT id FROM resent`;
  return resent?.id ?? 'unknown';
}

/** Which events of an endpoint to resend. */
export interface ResendFilter {
  /** Only events created then or later; null for all. */
  since: Date | null;
  /** Only events created before; null for all. */
  until: Date | null;
  /** Only events of these types; null for all. */
  eventTypes: readonly string[] | null;
  /** Only deliveries with a greater id are looked at: the `cursor` of the previous batch, or 0. */
  cursor: bigint;
}

/** What one batch has done. */
export interface ResentBatch {
  /** How many new deliveries it created. */
  count: number;
  /** Where the next batch continues; null if there is nothing left. */
  cursor: bigint | null;
}

/**
 * Resends a batch of the events that an endpoint was sent, oldest first, each as `resendDelivery` does, and once each. Test
 * events are left out, and so are events that have a pending delivery to the endpoint: they are about to be sent anyway.
 *
 * A batch looks at a bounded number of deliveries, so it may create few or none and still not be the last.
 */
export async function resendBatch(
  { tx, companyId, at, takeIds }: FeedTransaction,
  endpointId: number,
  { since, until, eventTypes, cursor }: ResendFilter,
): Promise<ResentBatch | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const isEnabled = state === 'enabled';
  const { first, end = GREATEST_ID } = idsOf({
    after: cursor,
    since: since ?? undefined,
    until: until ?? undefined,
  });
  const firstNewId = takeIds('webhook_deliveries', RESEND_BATCH);
  const [batch] = await tx.$queryRaw<[{ count: number; looked_at: number; last: bigint | null }]>`
    WITH looked_at AS MATERIALIZED (
      SELECT id, event_id, event_type FROM deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND id >= ${first} AND (id, 0) < (${end}::bigint, 0)
      ORDER BY id LIMIT ${RESEND_BATCH}
    ), chosen AS MATERIALIZED (
      SELECT event_id, ${firstNewId} + row_number() OVER (ORDER BY id) - 1 AS new_id
      FROM looked_at
      WHERE event_type <> ${PING}
        AND (${eventTypes}::text[] IS NULL OR event_type = ANY (${eventTypes}::text[]))
        -- Deliveries of the event to the endpoint, of which there is one in each range at most.
        AND NOT EXISTS (
          SELECT FROM webhook_delivery_subjects AS range
          CROSS JOIN LATERAL (
            SELECT FROM deliveries AS other
            WHERE other.company_id = ${companyId} AND other.endpoint_id = ${endpointId}
              AND other.id BETWEEN range.first_delivery_id AND range.first_delivery_id + range.deliveries - 1
              AND (other.id < looked_at.id OR other.status = 'pending')
            LIMIT 1
          ) AS other
          WHERE range.company_id = ${companyId} AND range.kind = 'event' AND range.subject = looked_at.event_id
          OFFSET 0
        )
    ), ${resentOf(companyId, endpointId, at, isEnabled)}
    SELECT (SELECT count(*) FROM resent)::int AS count, count(*)::int AS looked_at, max(id) AS last FROM looked_at`;
  return { count: batch.count, cursor: batch.looked_at === RESEND_BATCH ? batch.last : null };
}

/**
 * Common table expressions that insert a delivery `resent` of each event `chosen` (event_id, new_id) that is still there,
 * and what it is about, as the outbox does for those of captures.
 */
export function resentOf(companyId: number, endpointId: number, at: Date, isEnabled: boolean): Prisma.Sql {
  return Prisma.sql`
    locked AS MATERIALIZED (
      -- In the order in which an erasure locks them.
      SELECT chosen.new_id, event.* FROM (SELECT * FROM chosen ORDER BY event_id) AS chosen
      CROSS JOIN LATERAL (
        SELECT id, type, buyer_space_id, call_id, identity FROM webhook_events
        WHERE company_id = ${companyId} AND id = chosen.event_id
        FOR SHARE
      ) AS event
    ), resent AS (
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, requeued)
      SELECT ${companyId}, new_id, ${endpointId}, id, type, ${at}, CASE WHEN ${isEnabled} THEN ${at}::timestamptz END, ${isEnabled}, true
      FROM locked
      RETURNING id
    ), subjects AS (
      INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
      SELECT ${companyId}, s.kind, s.subject, new_id, 1
      FROM locked CROSS JOIN LATERAL delivery_subjects(id, type, buyer_space_id, call_id, identity) AS s
    )`;
}
