import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { EVENTS } from '../../events/events.ts';
import type { WebhookDeliveryRow } from '../../webhooks/delivery.ts';

/** The types whose events are distinguished by the id in their data, because one object has many of them. */
const WITH_ID: readonly string[] = EVENT_TYPES.filter((type) => {
  const { object } = EVENTS[type];
  return object === 'event' || object === 'view';
});

/** Facts that the deliveries themselves do not contain. */
export interface DeliveryFacts {
  /** The ids of the engagement events and views that events are about, by event. */
  engagementIds: Map<string, string>;
  /** The deliveries whose attempt is in progress or about to begin. */
  claimed: Set<bigint>;
}

/** Reads the facts about deliveries of one workspace, and their events, that are needed to compare them with the occurrences. */
export async function findDeliveryFacts(
  db: Queryable,
  companyId: number,
  deliveries: readonly WebhookDeliveryRow[],
): Promise<DeliveryFacts> {
  const eventIds = [
    ...new Set(
      deliveries.filter(({ eventType }) => WITH_ID.includes(eventType)).map(({ eventId }) => eventId),
    ),
  ];
  const pending = deliveries.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const engagement =
    eventIds.length === 0
      ? []
      : await db.query<{ id: string; engagementId: string | null }>(Prisma.sql`
          SELECT id::text, substring(left(body, 1000) FROM '"data":[{]"id":"([0-9]+)"') AS "engagementId"
          FROM webhook_events WHERE company_id = ${companyId} AND id = ANY (${eventIds}::uuid[])`);
  const claimed =
    pending.length === 0
      ? []
      : await db.query<{ id: bigint }>(Prisma.sql`
          SELECT id FROM pending_deliveries
          WHERE company_id = ${companyId} AND id = ANY (${pending}::bigint[])
            AND claim_token IS NOT NULL AND lease_expires_at > clock_timestamp()`);
  return {
    engagementIds: new Map(
      engagement.flatMap(({ id, engagementId }) => (engagementId === null ? [] : [[id, engagementId]])),
    ),
    claimed: new Set(claimed.map(({ id }) => id)),
  };
}
