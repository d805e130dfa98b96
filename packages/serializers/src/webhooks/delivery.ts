import type { Queryable } from '@deal-signals/db/database';
import type { DeliveryStatus, Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';

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
}

/**
 * Reads deliveries of one workspace.
 *
 * @param rest what follows `WHERE company_id = …`: further conditions on the table alias `d`, order and limit.
 */
export function findWebhookDeliveries(
  db: Queryable,
  companyId: number,
  rest: Prisma.Sql,
): Promise<WebhookDeliveryRow[]> {
  return db.$queryRaw<WebhookDeliveryRow[]>`
    SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType", d.status::text,
           d.attempts, d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt",
           d.delivered_at AS "deliveredAt", d.last_status_code AS "lastStatusCode", d.last_error AS "lastError"
    FROM webhook_deliveries d
    WHERE d.company_id = ${companyId} ${rest}`;
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
  };
}
