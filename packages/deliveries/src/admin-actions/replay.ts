import type { Queryable } from '@deal-signals/db/queryable';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { deriveEventId } from '@deal-signals/outbox/event-id';
import { envelope, type NewEvent } from '@deal-signals/outbox/record-events';
import { insertResent } from './resend.ts';

// A replay queues events that were never queued for an endpoint, because it was disabled. The events of an object at one position have
// the same id for all endpoints, so an event that the endpoint has a delivery of is not queued again.

/** Finds the events that an endpoint has a delivery of, in any status. */
export async function findDelivered(
  db: Queryable,
  companyId: number,
  endpointId: number,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(Prisma.sql`
    SELECT event.id FROM unnest(${[...eventIds]}::uuid[]) AS event (id)
    WHERE EXISTS (
      SELECT FROM webhook_delivery_subjects AS range
      CROSS JOIN LATERAL (
        SELECT FROM deliveries
        WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
          AND deliveries.id BETWEEN range.first_delivery_id AND range.first_delivery_id + range.deliveries - 1
        LIMIT 1
      ) AS delivery
      WHERE range.company_id = ${companyId} AND range.kind = 'event' AND range.subject = event.id
      OFFSET 0
    )`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Records events and queues a delivery of each to an endpoint, behind everything fresh. An event that was recorded for another
 * endpoint is not changed, and gets one more delivery.
 *
 * The caller has locked the endpoint, and has found no delivery of these events in the same transaction: the feed clock prevents
 * others from queueing them.
 *
 * @param isOpen whether deliveries are sent to the endpoint now; otherwise they are on hold.
 * @returns how many deliveries were queued.
 */
export async function queueReplayed(
  feed: FeedTransaction,
  endpointId: number,
  isOpen: boolean,
  events: readonly NewEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { tx, companyId, at, takeIds } = feed;
  const rows = events.map((event) => {
    const id = deriveEventId(companyId, event);
    return {
      id,
      type: event.type,
      body: envelope(id, event.type, at, companyId, event.data),
      ...event.about,
    };
  });
  await tx.$executeRaw`
    INSERT INTO webhook_events (company_id, id, type, created_at, body, buyer_space_id, call_id, identity)
    SELECT ${companyId}, n.id, n.type, ${at}, n.body, n."roomId", n."callId", n.identity
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
      (id uuid, type text, body text, "roomId" uuid, "callId" uuid, identity text)
    ON CONFLICT (company_id, id) DO NOTHING`;
  const firstId = takeIds('webhook_deliveries', rows.length);
  const [{ count }] = await tx.$queryRaw<[{ count: number }]>`
    WITH chosen AS MATERIALIZED (
      SELECT event_id, ${firstId} + nth - 1 AS new_id
      FROM unnest(${rows.map(({ id }) => id)}::uuid[]) WITH ORDINALITY AS chosen (event_id, nth)
    ), ${insertResent(companyId, endpointId, at, isOpen)}
    SELECT count(*)::int AS count FROM resent`;
  return count;
}
