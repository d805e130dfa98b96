import type { WebhookEndpoint as WebhookEndpointRow } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';

/** A webhook endpoint. It never contains the signing secret. */
export const webhookEndpoint = z
  .object({
    id: z.int(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()).meta({ description: 'Event type names, or `*` for all' }),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    createdAt: dateTime,
    lastSuccessAt: dateTime.nullable(),
    lastErrorAt: dateTime.nullable(),
    lastError: z.string().nullable(),
    consecutiveFailures: z.int(),
    awaitingVerification: z.boolean().meta({
      description:
        'True while nothing but test events is sent to the endpoint, because no test event has succeeded at its host yet; only where verification is required',
    }),
  })
  .meta({ id: 'WebhookEndpoint' });

/** A webhook endpoint as the API shows it. */
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** Builds the API object of an endpoint. */
export function serializeWebhookEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    lastSuccessAt: dateTimeOrNull(row.lastSuccessAt),
    lastErrorAt: dateTimeOrNull(row.lastErrorAt),
    lastError: row.lastError,
    consecutiveFailures: row.consecutiveFailures,
    awaitingVerification: row.awaitingVerification,
  };
}
