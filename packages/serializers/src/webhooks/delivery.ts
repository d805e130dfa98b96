import type { Queryable } from '@deal-signals/db/database';
import { type DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { readRows } from '@deal-signals/db/read-rows';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { limitTo } from '../feed-page.ts';

/** The states of a delivery. */
export const deliveryStatus = z.enum(['pending', 'delivered', 'dead']);

/** The delivery of one event to one endpoint. */
export const webhookDelivery = z
  .object({
    id: integerId,
    endpointId: z.int(),
    eventId: z.uuid(),
    eventType: z.string(),
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
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  dismissedAt: Date | null;
}

/** Which deliveries to read. A field that is left out does not filter. */
export interface WebhookDeliveryFilter {
  id?: bigint;
  /** Only deliveries with a greater id. */
  after?: bigint;
  status?: DeliveryStatus | undefined;
  endpointId?: number | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  /** Maximum number of rows. */
  limit?: number;
}

/** Reads deliveries of one workspace, by id. */
export function findWebhookDeliveries(
  db: Queryable,
  companyId: number,
  { id, after, status, endpointId, eventType, eventId, limit }: WebhookDeliveryFilter,
): Promise<WebhookDeliveryRow[]> {
  const conditions = [Prisma.sql`d.company_id = ${companyId}`];
  if (id !== undefined) conditions.push(Prisma.sql`d.id = ${id}`);
  if (after !== undefined) conditions.push(Prisma.sql`d.id > ${after}`);
  if (status) conditions.push(Prisma.sql`d.status = ${status}::delivery_status`);
  if (endpointId !== undefined) conditions.push(Prisma.sql`d.endpoint_id = ${endpointId}`);
  if (eventType) conditions.push(Prisma.sql`d.event_type = ${eventType}`);
  if (eventId) conditions.push(Prisma.sql`d.event_id = ${eventId}::uuid`);
  const order = Prisma.sql`ORDER BY d.id ${limitTo(limit)}`;
  // Find the ids first, in the index of the filter. If whole rows were selected directly, the planner would sometimes
  // walk all deliveries in id order, expecting to find enough matching ones soon.
  const query = Prisma.sql`
    SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType", d.status::text,
           d.attempts, d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt",
           d.delivered_at AS "deliveredAt", d.last_status_code AS "lastStatusCode", d.last_error AS "lastError",
           d.dismissed_at AS "dismissedAt"
    FROM webhook_deliveries d
    WHERE d.company_id = ${companyId}
      AND d.id IN (SELECT d.id FROM webhook_deliveries d WHERE ${Prisma.join(conditions, ' AND ')} ${order})
    ${order}`;
  return readRows<WebhookDeliveryRow>(db, query);
}

/** Builds the API object of a delivery. */
export function serializeWebhookDelivery(row: WebhookDeliveryRow): WebhookDelivery {
  return {
    id: String(row.id),
    endpointId: row.endpointId,
    eventId: row.eventId,
    eventType: row.eventType,
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
