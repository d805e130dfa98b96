import type { Queryable } from '@deal-signals/db/queryable';
import { idsOf } from '@deal-signals/db/feeds/position';
import { type DeliverySubjectKind, type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { directionOf, limitTo } from '../feed-page.ts';
import { emailIdentity } from '../rooms/identity.ts';

/** The states of a delivery. */
export const deliveryStatus = z.enum(['pending', 'delivered', 'dead']);

/** The delivery of one event to one endpoint. */
export const webhookDelivery = z
  .object({
    id: integerId,
    endpointId: z.int(),
    eventId: z.guid(),
    eventType: z.string(),
    buyerSpaceId: z.guid().nullable().meta({
      description: 'The Decision Room that the event is about; null if there is none',
    }),
    callId: z.guid().nullable().meta({
      description: 'The call or recording that the event is about; null if there is none',
    }),
    status: deliveryStatus,
    attempts: z.int(),
    nextAttemptAt: dateTime.nullable().meta({
      description: 'Null once `status` is `delivered` or `dead`, and while the endpoint is disabled',
    }),
    createdAt: dateTime,
    deliveredAt: dateTime.nullable(),
    lastStatusCode: z.int().nullable(),
    lastError: z.string().nullable(),
    dismissedAt: dateTime.nullable().meta({
      description:
        'When an admin dismissed the dead delivery; it is then no longer counted or retried with the others',
    }),
  })
  .meta({ id: 'WebhookDelivery' });

/** A delivery in the API. */
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** The columns a delivery object is built from. */
export interface WebhookDeliveryRow {
  id: bigint;
  endpointId: number;
  eventId: string;
  eventType: string;
  buyerSpaceId: string | null;
  callId: string | null;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  dismissedAt: Date | null;
}

/** A type with at most this many events is rare: all its deliveries are scanned, regardless of the other filters. */
const MAX_OF_RARE_TYPE = 1_000;

/** Selects deliveries to read, and their order. An omitted field does not filter. */
export interface WebhookDeliveryFilter {
  id?: bigint;
  /** Only deliveries with a greater id. */
  after?: bigint | undefined;
  /** Only deliveries with a smaller id. */
  before?: bigint | undefined;
  /** Only deliveries that were created at this time or later. */
  since?: Date | undefined;
  /** Only deliveries that were created before this time. */
  until?: Date | undefined;
  status?: DeliveryStatus | undefined;
  endpointId?: number | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  /** The room that the event is about. */
  roomId?: string | undefined;
  /** The call or recording that the event is about. */
  callId?: string | undefined;
  /** The email address of the person that the event is about. */
  person?: string | undefined;
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit?: number;
}

/** Reads deliveries of one workspace, by id. */
export function findWebhookDeliveries(
  db: Queryable,
  companyId: number,
  filter: WebhookDeliveryFilter,
): Promise<WebhookDeliveryRow[]> {
  return db.query<WebhookDeliveryRow>(deliveriesQuery(companyId, filter));
}

/** A scan of the ids of deliveries in the order of a list. */
interface Walk {
  /** A query for `id` and the columns that `order` sorts by. */
  ids: Prisma.Sql;
  /** Sorts `page`, the rows of that query, by id. */
  order: Prisma.Sql;
}

/**
 * Builds the query for the deliveries that match a filter. It finds their ids in the order of an index, and looks up each by its
 * key until the page is full.
 */
function deliveriesQuery(companyId: number, filter: WebhookDeliveryFilter): Prisma.Sql {
  const { id, endpointId, status, eventType } = filter;
  if (id !== undefined) {
    const given = { ids: Prisma.sql`SELECT ${id}::bigint AS id`, order: Prisma.sql`page.id` };
    return pageOf(companyId, filter, given);
  }
  const subject = subjectOf(filter);
  if (subject !== undefined) return pageOf(companyId, filter, walkSubject(companyId, filter, subject));
  if (!eventType) return pageOf(companyId, filter, walkState(companyId, filter));
  const type: Subject = { kind: 'type', value: Prisma.sql`(SELECT text_subject(${eventType}))` };
  const byType = walkSubject(companyId, filter, type);
  if (endpointId === undefined && status === undefined) return pageOf(companyId, filter, byType);
  // For a rare type, it is best to scan all its deliveries for those of an endpoint; for a common type, to scan those of the
  // endpoint. Its events are counted to decide which.
  const range = idRange(Prisma.sql`s.first_delivery_id`, idsOf(filter));
  return Prisma.sql`
    WITH type AS MATERIALIZED (
      SELECT count(*) <= ${MAX_OF_RARE_TYPE} AS is_rare FROM (
        SELECT FROM webhook_delivery_subjects s WHERE ${Prisma.join([ofSubject(companyId, type), ...range], ' AND ')}
        ORDER BY s.first_delivery_id LIMIT ${MAX_OF_RARE_TYPE + 1}
      ) AS counted
    )
    SELECT * FROM (
      (${pageOf(companyId, filter, byType, Prisma.sql`(SELECT is_rare FROM type)`)})
      UNION ALL
      (${pageOf(companyId, filter, walkState(companyId, filter), Prisma.sql`NOT (SELECT is_rare FROM type)`)})
    ) AS page
    ORDER BY id ${directionOf(filter.isNewestFirst)}`;
}

/**
 * Returns the query for a page of the deliveries of a scan that match the filter. With OFFSET 0, they are looked up one by one,
 * regardless of the planner's estimate of their number.
 *
 * @param condition must hold for the scan to begin.
 */
function pageOf(
  companyId: number,
  filter: WebhookDeliveryFilter,
  { ids, order }: Walk,
  condition?: Prisma.Sql,
): Prisma.Sql {
  const { eventId, roomId, callId, person } = filter;
  const conditions = [Prisma.sql`d.company_id = ${companyId} AND d.id = page.id`, ...ownConditions(filter)];
  if (eventId) conditions.push(Prisma.sql`d.event_id = ${eventId}::uuid`);
  if (roomId) conditions.push(Prisma.sql`event.buyer_space_id = ${roomId}::uuid`);
  if (callId) conditions.push(Prisma.sql`event.call_id = ${callId}::uuid`);
  if (person) conditions.push(Prisma.sql`event.identity = ${emailIdentity(person)}`);
  return Prisma.sql`
    SELECT d.* FROM (${ids}) AS page
    CROSS JOIN LATERAL (
      SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType",
             event.buyer_space_id AS "buyerSpaceId", event.call_id AS "callId", d.status::text, d.attempts,
             d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
             d.last_status_code AS "lastStatusCode", d.last_error AS "lastError", d.dismissed_at AS "dismissedAt"
      FROM deliveries d
      JOIN webhook_events event ON event.company_id = d.company_id AND event.id = d.event_id
      WHERE ${Prisma.join(conditions, ' AND ')}
      OFFSET 0
    ) AS d
    ${condition === undefined ? Prisma.empty : Prisma.sql`WHERE ${condition}`}
    ORDER BY ${order} ${limitTo(filter.limit)}`;
}

/** Returns the conditions of a filter on the row of a delivery, except those on its id and event. */
function ownConditions({ status, endpointId, eventType }: WebhookDeliveryFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (status) conditions.push(Prisma.sql`d.status = ${status}::delivery_status`);
  if (endpointId !== undefined) conditions.push(Prisma.sql`d.endpoint_id = ${endpointId}`);
  if (eventType) conditions.push(Prisma.sql`d.event_type = ${eventType}`);
  return conditions;
}

/**
 * Scans all deliveries, or those with one status, or to one endpoint, or both. Only ids are selected, which come from an index.
 * For whole rows, the planner would sometimes scan all deliveries, expecting to find enough matching ones soon.
 */
function walkState(companyId: number, filter: WebhookDeliveryFilter): Walk {
  const direction = directionOf(filter.isNewestFirst);
  const order = Prisma.sql`page.id ${direction}`;
  const conditions = [
    Prisma.sql`d.company_id = ${companyId}`,
    ...idRange(Prisma.sql`d.id`, idsOf(filter)),
    ...ownConditions({ status: filter.status, endpointId: filter.endpointId }),
  ];
  // The planner's estimate covers all workspaces, and it would rather read everything than skip the rows of others. For this form
  // of the condition, it assumes that half of the rows match.
  if (filter.eventType) {
    conditions.push(Prisma.sql`CASE WHEN d.event_type = ${filter.eventType} THEN true ELSE false END`);
  }
  const walk = (where: Prisma.Sql[]) => Prisma.sql`
    SELECT d.id FROM deliveries d WHERE ${Prisma.join(where, ' AND ')} ORDER BY d.id ${direction} ${limitTo(filter.limit)}`;
  if (filter.endpointId === undefined || filter.status) return { ids: walk(conditions), order };
  // The index of an endpoint's deliveries is in id order only within each status.
  const ids = Prisma.sql`
    SELECT of_status.id FROM unnest(enum_range(NULL::delivery_status)) AS each (status)
    CROSS JOIN LATERAL (${walk([...conditions, Prisma.sql`d.status = each.status`])}) AS of_status
    ORDER BY of_status.id ${direction} ${limitTo(filter.limit)}`;
  return { ids, order };
}

interface Subject {
  kind: DeliverySubjectKind;
  /** The value of `webhook_delivery_subjects.subject`. */
  value: Prisma.Sql;
}

/** Returns the subject of a filter that usually has the fewest deliveries. The event type is not a subject. */
function subjectOf({ eventId, person, callId, roomId }: WebhookDeliveryFilter): Subject | undefined {
  if (eventId) return { kind: 'event', value: Prisma.sql`${eventId}::uuid` };
  if (person) return { kind: 'person', value: Prisma.sql`(SELECT text_subject(${emailIdentity(person)}))` };
  if (callId) return { kind: 'call', value: Prisma.sql`${callId}::uuid` };
  return roomId ? { kind: 'room', value: Prisma.sql`${roomId}::uuid` } : undefined;
}

/** Returns the condition that a row of `webhook_delivery_subjects s` belongs to a subject. */
function ofSubject(companyId: number, { kind, value }: Subject): Prisma.Sql {
  return Prisma.sql`
    s.company_id = ${companyId} AND s.kind = ${kind}::delivery_subject_kind AND s.subject = ${value}`;
}

/**
 * Scans the deliveries of a subject: ranges of ids, which do not overlap. They include ids whose delivery was removed. The range
 * in which a page begins may begin before the page.
 */
function walkSubject(companyId: number, filter: WebhookDeliveryFilter, subject: Subject): Walk {
  const direction = directionOf(filter.isNewestFirst);
  const { first, end } = idsOf(filter);
  const own = ofSubject(companyId, subject);
  const entry =
    first === undefined
      ? undefined
      : Prisma.sql`coalesce(
          (SELECT max(s.first_delivery_id) FROM webhook_delivery_subjects s WHERE ${own} AND s.first_delivery_id <= ${first}::bigint),
          ${first}::bigint)`;
  const ranges = [own, ...idRange(Prisma.sql`s.first_delivery_id`, { first: entry, end })];
  const from = Prisma.sql`greatest(range.first_delivery_id, ${first ?? null}::bigint)`;
  const to = Prisma.sql`least(range.first_delivery_id + range.deliveries, ${end ?? null}::bigint) - 1`;
  const series =
    filter.isNewestFirst === true
      ? Prisma.sql`generate_series(${to}, ${from}, -1)`
      : Prisma.sql`generate_series(${from}, ${to})`;
  return {
    ids: Prisma.sql`
      SELECT range.first_delivery_id AS range, series.id FROM (
        SELECT s.first_delivery_id, s.deliveries FROM webhook_delivery_subjects s
        WHERE ${Prisma.join(ranges, ' AND ')} ORDER BY s.first_delivery_id ${direction} OFFSET 0
      ) AS range
      CROSS JOIN LATERAL ${series} AS series (id)`,
    // The ranges are read in this order, so only the ids of a few of them have to be sorted at a time.
    order: Prisma.sql`page.range ${direction}, page.id ${direction}`,
  };
}

/**
 * Returns the conditions for an id: at most one lower and one upper bound, because an index scan starts at one.
 *
 * The upper bound compares rows, which is equivalent for the index. For two plain bounds that are unknown at planning time, the
 * planner assumes that they leave almost no rows, and would read and sort everything instead of scanning to the end of the page.
 */
function idRange(
  column: Prisma.Sql,
  { first, end }: { first: bigint | Prisma.Sql | undefined; end: bigint | undefined },
): Prisma.Sql[] {
  const range: Prisma.Sql[] = [];
  if (first !== undefined) range.push(Prisma.sql`${column} >= ${first}`);
  if (end !== undefined) range.push(Prisma.sql`(${column}, 0) < (${end}::bigint, 0)`);
  return range;
}

/** Builds the API object of a delivery. */
export function serializeWebhookDelivery(row: WebhookDeliveryRow): WebhookDelivery {
  return {
    id: String(row.id),
    endpointId: row.endpointId,
    eventId: row.eventId,
    eventType: row.eventType,
    buyerSpaceId: row.buyerSpaceId,
    callId: row.callId,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: dateTimeOrNull(row.nextAttemptAt),
    createdAt: row.createdAt.toISOString(),
    deliveredAt: dateTimeOrNull(row.deliveredAt),
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    dismissedAt: dateTimeOrNull(row.dismissedAt),
  };
}
