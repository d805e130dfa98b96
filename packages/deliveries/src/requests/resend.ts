import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { idsOf } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { GREATEST_ID } from '../claims/claim-ready.ts';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';
import { keepOldDeliveries } from '../retention/retention-lock.ts';

// A resend is a new delivery of an old event: the same envelope, a new delivery id, its own schedule. Delivery ids are a
// feed, so it takes the feed clock, like the outbox. It is claimed after the fresh deliveries of its workspace.

/** How many deliveries one batch looks at. Each batch is a transaction, and captures of the workspace wait for it. */
export const RESEND_BATCH = 1_000;

/**
 * Creates a new delivery of the event of another one, whatever became of that one. If the endpoint is disabled, the new
 * delivery is parked.
 *
 * @returns the id of the new delivery, or why there is none.
 */
export async function resendDelivery(
  { tx, companyId, at, takeIds }: FeedTransaction,
  endpointId: number,
  deliveryId: bigint,
): Promise<bigint | 'unknown' | 'endpoint removed'> {
  await keepOldDeliveries(tx, companyId);
  const state = await lockEndpoint(tx, companyId, endpointId);
  const isEnabled = state === 'enabled';
  const delivery = { companyId, endpointId, id: deliveryId };
  if ((await tx.webhookDelivery.count({ where: delivery })) === 0) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const [resent] = await tx.$queryRaw<{ id: bigint }[]>`
    WITH resent AS (
      INSERT INTO webhook_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, requeued)
      SELECT company_id, ${takeIds('webhook_deliveries', 1)}, endpoint_id, event_id, event_type, ${at}, CASE WHEN ${isEnabled} THEN ${at}::timestamptz END,
        ${isEnabled}, true
      FROM webhook_deliveries
      WHERE company_id = ${companyId} AND id = ${deliveryId}
      RETURNING id, event_id
    ), ${subjectsOf(companyId)}
    SELECT id FROM resent`;
  if (resent === undefined) throw new Error('the new delivery was not inserted');
  return resent.id;
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
  await keepOldDeliveries(tx, companyId);
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
      SELECT id, event_id, event_type FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND id >= ${first} AND (id, 0) < (${end}::bigint, 0)
      ORDER BY id LIMIT ${RESEND_BATCH}
    ), resent AS (
      INSERT INTO webhook_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, requeued)
      SELECT ${companyId}, ${firstNewId} + row_number() OVER (ORDER BY looked_at.id) - 1, ${endpointId}, event_id, event_type, ${at}, CASE WHEN ${isEnabled} THEN ${at}::timestamptz END,
        ${isEnabled}, true
      FROM looked_at
      WHERE event_type <> ${PING}
        AND (${eventTypes}::text[] IS NULL OR event_type = ANY (${eventTypes}::text[]))
        AND NOT EXISTS (
          SELECT FROM webhook_deliveries AS other
          WHERE other.company_id = ${companyId} AND other.event_id = looked_at.event_id
            AND other.endpoint_id = ${endpointId} AND (other.id < looked_at.id OR other.status = 'pending'))
      RETURNING id, event_id
    ), ${subjectsOf(companyId)}
    SELECT (SELECT count(*) FROM resent)::int AS count, count(*)::int AS looked_at, max(id) AS last FROM looked_at`;
  return { count: batch.count, cursor: batch.looked_at === RESEND_BATCH ? batch.last : null };
}

/** A common table expression that stores what the deliveries `resent` are about, as the outbox does for those of captures. */
function subjectsOf(companyId: number): Prisma.Sql {
  return Prisma.sql`subjects AS (
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, delivery_id)
    SELECT ${companyId}, s.kind, s.subject, resent.id
    FROM resent
    JOIN webhook_events AS event ON event.company_id = ${companyId} AND event.id = resent.event_id
    CROSS JOIN LATERAL delivery_subjects(event.buyer_space_id, event.call_id, event.identity) AS s
  )`;
}
