import type { Queryable } from '@deal-signals/db/database';
import { idsOf } from '@deal-signals/db/feeds/position';
import { type DeliverySubjectKind, type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { limitTo } from '../feed-page.ts';
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
      description: 'The Decision Room that the event is about; null if it is about none',
    }),
    callId: z.guid().nullable().meta({
      description: 'The call or recording that the event is about; null if it is about none',
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

/** A delivery as the API shows it. */
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

/** Which deliveries to read, and in which order. A field that is left out does not filter. */
export interface WebhookDeliveryFilter {
  id?: bigint;
  /** Only deliveries with a greater id. */
  after?: bigint | undefined;
  /** Only deliveries with a smaller id. */
  before?: bigint | undefined;
  /** Only deliveries that were created then or later. */
  since?: Date | undefined;
  /** Only deliveries that were created earlier. */
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
  const direction = filter.isNewestFirst === true ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  // Find the ids first, in the index of the filter. If whole rows were selected directly, the planner would sometimes
  // walk all deliveries in id order, expecting to find enough matching ones soon. With OFFSET 0, the rows of the page are
  // looked up one by one, whatever the planner assumes about their number.
  const query = Prisma.sql`
    SELECT d.* FROM (${deliveryIds(companyId, filter, direction)}) AS page
    CROSS JOIN LATERAL (
      SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType",
             event.buyer_space_id AS "buyerSpaceId", event.call_id AS "callId", d.status::text, d.attempts,
             d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
             d.last_status_code AS "lastStatusCode", d.last_error AS "lastError", d.dismissed_at AS "dismissedAt"
      FROM webhook_deliveries d
      JOIN webhook_events event ON event.company_id = d.company_id AND event.id = d.event_id
      WHERE d.company_id = ${companyId} AND d.id = page.id
      OFFSET 0
    ) AS d
    ORDER BY page.id ${direction}`;
  return db.query<WebhookDeliveryRow>(query);
}

/** The query for the ids of the deliveries that match a filter. */
function deliveryIds(companyId: number, filter: WebhookDeliveryFilter, direction: Prisma.Sql): Prisma.Sql {
  const { status, endpointId, eventType, eventId, limit } = filter;
  const conditions: Prisma.Sql[] = [];
  if (status) conditions.push(Prisma.sql`d.status = ${status}::delivery_status`);
  if (endpointId !== undefined) conditions.push(Prisma.sql`d.endpoint_id = ${endpointId}`);
  if (eventType) conditions.push(Prisma.sql`d.event_type = ${eventType}`);
  if (eventId) conditions.push(Prisma.sql`d.event_id = ${eventId}::uuid`);
  const subjects = subjectsOf(filter);
  // An event has few deliveries. Otherwise walk those of one subject, the one that usually has the fewest.
  const walked = eventId ? undefined : subjects.shift();
  conditions.push(...subjects.map((subject) => isAbout(companyId, subject)));
  if (walked === undefined) {
    const all = [
      Prisma.sql`d.company_id = ${companyId}`,
      ...idRange(Prisma.sql`d.id`, filter),
      ...conditions,
    ];
    return Prisma.sql`
      SELECT d.id FROM webhook_deliveries d WHERE ${Prisma.join(all, ' AND ')}
      ORDER BY d.id ${direction} ${limitTo(limit)}`;
  }
  const own = [ofSubject(companyId, walked), ...idRange(Prisma.sql`s.delivery_id`, filter)];
  // OFFSET 0 keeps the planner from changing the order of the two look-ups.
  const matching =
    conditions.length === 0
      ? Prisma.empty
      : Prisma.sql`
        CROSS JOIN LATERAL (
          SELECT FROM webhook_deliveries d
          WHERE d.company_id = ${companyId} AND d.id = walked.id AND ${Prisma.join(conditions, ' AND ')}
          OFFSET 0
        ) AS matching`;
  return Prisma.sql`
    SELECT walked.id FROM (
      SELECT s.delivery_id AS id FROM webhook_delivery_subjects s
      WHERE ${Prisma.join(own, ' AND ')} ORDER BY s.delivery_id ${direction} OFFSET 0
    ) AS walked ${matching}
    ORDER BY walked.id ${direction} ${limitTo(limit)}`;
}

interface Subject {
  kind: DeliverySubjectKind;
  /** The value of `webhook_delivery_subjects.subject`. */
  value: Prisma.Sql;
}

/** The subjects of a filter; first the one that usually has the fewest deliveries. */
function subjectsOf({ person, roomId, callId }: WebhookDeliveryFilter): Subject[] {
  const subjects: Subject[] = [];
  if (person)
    subjects.push({ kind: 'person', value: Prisma.sql`(SELECT person_subject(${emailIdentity(person)}))` });
  if (roomId) subjects.push({ kind: 'room', value: Prisma.sql`${roomId}::uuid` });
  if (callId) subjects.push({ kind: 'call', value: Prisma.sql`${callId}::uuid` });
  return subjects;
}

/** The condition that a row of `webhook_delivery_subjects s` is of a subject. */
function ofSubject(companyId: number, { kind, value }: Subject): Prisma.Sql {
  return Prisma.sql`
    s.company_id = ${companyId} AND s.kind = ${kind}::delivery_subject_kind AND s.subject = ${value}`;
}

/** The condition that a delivery `d` has a subject. OFFSET 0 makes it a look-up for each delivery that is asked about. */
function isAbout(companyId: number, subject: Subject): Prisma.Sql {
  return Prisma.sql`
    EXISTS (SELECT FROM webhook_delivery_subjects s WHERE ${ofSubject(companyId, subject)} AND s.delivery_id = d.id OFFSET 0)`;
}

/**
 * The conditions for the id of a delivery: at most one lower and one upper bound, because an index is entered at one.
 *
 * The upper bound compares rows, which is the same to the index. Of two plain bounds that it does not know, the planner
 * assumes that they leave next to nothing, and would read and sort everything instead of walking to the end of the page.
 */
function idRange(column: Prisma.Sql, filter: WebhookDeliveryFilter): Prisma.Sql[] {
  const range: Prisma.Sql[] = [];
  if (filter.id !== undefined) range.push(Prisma.sql`${column} = ${filter.id}`);
  const { first, end } = idsOf(filter);
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
