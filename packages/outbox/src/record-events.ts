import { randomUUID } from 'node:crypto';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { API_VERSION, type EventType } from './event-types.ts';

/** Something that happened, and the object that describes it. */
export interface NewEvent {
  type: EventType;
  /** Built by the resource's serialiser, so an object is identical pushed and pulled. An object, or its JSON text. */
  data: object | string;
}

/**
 * Writes the outbox in the transaction of the change: one row per event, and one delivery per enabled endpoint that
 * subscribes to it. An event without subscribers leaves no row, because nothing would ever read it.
 */
export async function recordEvents(feed: FeedTransaction, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { tx, companyId, at } = feed;
  const endpoints = await tx.webhookEndpoint.findMany({
    where: { companyId, enabled: true, company: { apiEnabled: true } },
    select: { id: true, events: true },
    orderBy: { id: 'asc' },
  });
  const fanOut = events
    .map((event) => ({
      event: { ...event, id: randomUUID() },
      endpointIds: endpoints
        .filter((endpoint) => subscribes(endpoint.events, event.type))
        .map(({ id }) => id),
    }))
    .filter(({ endpointIds }) => endpointIds.length > 0);
  if (fanOut.length === 0) return;
  const rows = fanOut.map(({ event, endpointIds }) => ({
    id: event.id,
    type: event.type,
    body: envelope(event.id, event.type, at, companyId, event.data),
    endpointIds,
  }));
  // One JSON parameter: a bind parameter per value would cost ten times as much as the insert itself. Deliveries get
  // their ids in the order of the events.
  await tx.$executeRaw`
    WITH recorded AS (
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      SELECT ${companyId}, n.id, n.type, ${at}, n.body
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, type text, body text))
    INSERT INTO webhook_deliveries (company_id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    SELECT ${companyId}, endpoint.id::int, n.id, n.type, ${at}, ${at}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, type text, "endpointIds" json)
    CROSS JOIN json_array_elements_text(n."endpointIds") AS endpoint (id)`;
}

/** Whether a list of subscriptions includes an event type. */
function subscribes(subscriptions: string[], type: EventType): boolean {
  return subscriptions.includes('*') || subscriptions.includes(type);
}

/**
 * The body of every delivery of an event, as the exact text that is signed and sent.
 *
 * @param data an object, or its JSON text.
 */
export function envelope(
  id: string,
  type: EventType,
  createdAt: Date,
  companyId: number,
  data: object | string,
): string {
  const head = { id, type, apiVersion: API_VERSION, createdAt: createdAt.toISOString(), companyId };
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${JSON.stringify(head).slice(0, -1)},"data":${text}}`;
}
