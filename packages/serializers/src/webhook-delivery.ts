import type { WebhookDelivery as WebhookDeliveryRow } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from './date-time.ts';
import { integerId } from './engagement-event.ts';

/** The states of a delivery. */
export const deliveryStatus = z.enum(['pending', 'delivered', 'dead']);

/** One event on its way to one endpoint. */
export const webhookDelivery = z
  .object({
    id: integerId,
    endpointId: z.int(),
    eventId: z.uuid(),
    eventType: z.string(),
    status: deliveryStatus,
    attempts: z.int(),
    nextAttemptAt: dateTime
      .nullable()
      .meta({ description: 'Null once finished, and while the endpoint is disabled' }),
    createdAt: dateTime,
    deliveredAt: dateTime.nullable(),
    lastStatusCode: z.int().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

/** A delivery as the API shows it. */
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

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
