import type { Queryable } from '@deal-signals/db/queryable';
import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import type { About } from './about.ts';
import { deriveEventId, type EventSource } from './event-id.ts';
import { API_VERSION, type EventType } from './event-types.ts';
import {
  createFilterBudget,
  type Filter,
  type FilterBudget,
  matchesFilter,
  UNFILTERED_TYPES,
} from './filter/filter.ts';

/** An event, and the object that describes it. */
export interface NewEvent extends EventSource {
  /** Built by the resource's serializer, so an object is identical pushed and pulled. An object, or its JSON text. */
  data: object | string;
  /** The objects that the event is about, as in `data`. */
  about: About;
  /**
   * The `traceparent` (version 00) of the request that caused the event. The deliveries belong to its trace. Without it, the
   * event's id is the id of their trace.
   */
  traceparent?: string | null;
}

/** An endpoint that receives events. */
export interface Subscriber {
  id: number;
  /** The event types that it subscribes to; `*` stands for all. */
  events: string[];
  /** Which of their events it gets; null for all. */
  filter: Filter | null;
}

/** Reads the endpoints of a workspace that receive events, in id order. */
export function findSubscribers(tx: Queryable, companyId: number): Promise<Subscriber[]> {
  return tx.$queryRaw<Subscriber[]>`SELECT id, events, filter FROM subscribers_of(${companyId})`;
}

/**
 * Writes the outbox in the transaction of the change: one row per event, and one delivery for each enabled endpoint that
 * subscribes to it and whose filter it matches, with the objects that it is about. An event without such an endpoint is not
 * stored, because it would never be read.
 *
 * @param subscribers the enabled endpoints of the workspace.
 */
export async function recordEvents(
  feed: AnyFeedTransaction,
  events: readonly NewEvent[],
  subscribers: readonly Subscriber[],
): Promise<void> {
  const outbox = buildOutbox(feed, events, subscribers);
  if (outbox !== null) await feed.tx.$executeRaw`WITH ${outbox} SELECT`;
}

/**
 * Returns what `recordEvents` writes, as common table expressions for a statement of the same transaction; null if there is
 * nothing to write. Exactly one statement must include them.
 */
export function buildOutbox(
  { companyId, at, takeIds }: AnyFeedTransaction,
  events: readonly NewEvent[],
  subscribers: readonly Subscriber[],
): Prisma.Sql | null {
  const budget = createFilterBudget();
  const rows = events
    .map((event) => ({ event, endpointIds: findRecipients(event, subscribers, budget) }))
    .filter(({ endpointIds }) => endpointIds.length > 0)
    .map(({ event, endpointIds }) => {
      const { type, data, traceparent } = event;
      const id = deriveEventId(companyId, event);
      const body = envelope(id, type, at, companyId, data);
      const { roomId, callId, identity } = event.about;
      const [, traceId, ...span] = traceparent?.split('-') ?? [];
      const captureSpan = traceId && span.join('-');
      const firstDeliveryId = String(takeIds('webhook_deliveries', endpointIds.length));
      return { id, type, body, traceId, captureSpan, roomId, callId, identity, endpointIds, firstDeliveryId };
    });
  if (rows.length === 0) return null;
  // One JSON parameter, because binding a parameter for each value costs ten times as much as the insert itself.
  return Prisma.sql`
    n AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n
        (id uuid, type text, body text, "traceId" uuid, "captureSpan" text, "roomId" uuid, "callId" uuid,
          identity text, "endpointIds" int[], "firstDeliveryId" bigint)
    ), recorded AS (
      INSERT INTO webhook_events
        (company_id, id, type, created_at, body, trace_id, capture_span, buyer_space_id, call_id, identity)
      SELECT ${companyId}, n.id, n.type, ${at}, n.body, n."traceId", n."captureSpan", n."roomId", n."callId", n.identity
      FROM n
    ), queued AS (
      INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
      SELECT ${companyId}, n."firstDeliveryId" + endpoint.ordinal - 1, endpoint.id, n.id, n.type, ${at}, ${at}
      FROM n CROSS JOIN unnest(n."endpointIds") WITH ORDINALITY AS endpoint (id, ordinal)
    ), subjects AS (
      INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
      SELECT ${companyId}, s.kind, s.subject, n."firstDeliveryId", cardinality(n."endpointIds")
      FROM n CROSS JOIN LATERAL delivery_subjects(n.id, n.type, n."roomId", n."callId", n.identity) AS s
    )`;
}

/** Returns the endpoints that subscribe to an event type, before their filters are applied. */
export function subscribersTo(type: EventType, endpoints: readonly Subscriber[]): Subscriber[] {
  return endpoints.filter(({ events }) => events.includes('*') || events.includes(type));
}

/** Returns the ids of the endpoints that get an event. Its data is parsed only if one of them has a filter. */
export function findRecipients(
  { type, data }: Pick<NewEvent, 'type' | 'data'>,
  endpoints: readonly Subscriber[],
  budget: FilterBudget,
): number[] {
  const subscribed = subscribersTo(type, endpoints);
  const isFiltered = subscribed.some(({ filter }) => filter !== null) && !UNFILTERED_TYPES.has(type);
  if (!isFiltered) return subscribed.map(({ id }) => id);
  const sent: unknown = JSON.parse(textOf(data));
  return subscribed
    .filter(({ filter }) => filter === null || matchesFilter(filter, sent, budget))
    .map(({ id }) => id);
}

/**
 * Returns the body of every delivery of an event, as the exact text that is signed and sent.
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
  return `${JSON.stringify(head).slice(0, -1)},"data":${textOf(data)}}`;
}

function textOf(data: object | string): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
