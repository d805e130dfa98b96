import type { WebhookEndpoint as WebhookEndpointColumns } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';

/** The `disabledReason` of an endpoint that an admin has disabled. The system uses other texts. */
export const DISABLED_BY_ADMIN = 'disabled by an admin';

/** A webhook endpoint. It never contains the signing secret or a value of a custom header. */
export const webhookEndpoint = z
  .object({
    id: z.int(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()).meta({ description: 'Event type names, or `*` for all' }),
    filter: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'Which of these events are sent, by their `data`; null for all. The guide on deliveries lists the operators',
    }),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    createdAt: dateTime,
    lastSuccessAt: dateTime.nullable(),
    lastErrorAt: dateTime.nullable(),
    lastError: z.string().nullable(),
    consecutiveFailures: z.int(),
    awaitingVerification: z.boolean().meta({
      description:
        'True while only test events are sent to the endpoint, because no test event has succeeded at its host yet; only where verification is required',
    }),
    headerNames: z.array(z.string()).meta({
      description: 'The names of the custom headers of every request. Their values are never shown',
    }),
    maxPerMinute: z.int().nullable().meta({
      description: 'Maximum number of deliveries that start in any minute; null for no such limit',
    }),
    honorRetryAfter: z.boolean().meta({
      description:
        'Whether the next attempt after a 429 or 503 waits as long as its `Retry-After` asks, if that is later than the schedule says; at most two hours later',
    }),
    previousSecretExpiresAt: dateTime.nullable().meta({
      description:
        'Until when events are also signed with the secret before the last rotation, which may be in the past; null if that rotation had no overlap',
    }),
    apiKeyId: z.int().nullable().meta({
      description:
        'The API key that registered the endpoint, or the first one if that key had replaced others; null if an administrator did',
    }),
  })
  .meta({ id: 'WebhookEndpoint' });

/** A webhook endpoint in the API. */
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The columns an endpoint object is built from, with its rate limit. */
export type WebhookEndpointRow = WebhookEndpointColumns & { rateLimit: { maxPerMinute: number } | null };

/** Builds the API object of an endpoint. */
export function serializeWebhookEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    filter: row.filter as WebhookEndpoint['filter'],
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    lastSuccessAt: dateTimeOrNull(row.lastSuccessAt),
    lastErrorAt: dateTimeOrNull(row.lastErrorAt),
    lastError: row.lastError,
    consecutiveFailures: row.consecutiveFailures,
    awaitingVerification: row.awaitingVerification,
    headerNames: row.headerNames,
    maxPerMinute: row.rateLimit?.maxPerMinute ?? null,
    honorRetryAfter: row.honorRetryAfter,
    previousSecretExpiresAt: dateTimeOrNull(row.previousSecretUntil),
    apiKeyId: row.ownerKeyId,
  };
}
