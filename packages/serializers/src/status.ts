import type { Queryable } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from './date-time.ts';

/** The response of `GET /status`: the workspace, the API key, the workspace's webhooks and the rate limit. */
export const status = z
  .object({
    ok: z.boolean(),
    apiVersion: z.iso.date(),
    company: z.object({ id: z.int(), name: z.string() }),
    key: z.object({
      prefix: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      createdAt: dateTime,
      lastUsedAt: dateTime.nullable(),
    }),
    webhooks: z.object({
      endpoints: z.int(),
      enabledEndpoints: z.int(),
      pendingDeliveries: z.int(),
      deadDeliveries: z.int().meta({
        description:
          'Dead deliveries that nobody has dismissed, without test events and those of removed endpoints',
      }),
      lastDeliveredAt: dateTime.nullable(),
    }),
    rateLimit: z.object({ perMinute: z.int() }),
  })
  .meta({ id: 'Status' });

/** The status response as the API shows it. */
export type Status = z.infer<typeof status>;

/** Counts of a workspace's webhook endpoints and deliveries. */
export interface WebhookTotals {
  endpoints: number;
  enabledEndpoints: number;
  pendingDeliveries: number;
  deadDeliveries: number;
  lastDeliveredAt: Date | null;
}

/** The parts a status object is built from. */
export interface StatusParts {
  apiVersion: string;
  company: { id: number; name: string };
  key: { prefix: string; name: string; scopes: string[]; createdAt: Date; lastUsedAt: Date | null };
  webhooks: WebhookTotals;
  rateLimitPerMinute: number;
}

/** Counts the webhook endpoints and deliveries of one workspace. */
export async function findWebhookTotals(db: Queryable, companyId: number): Promise<WebhookTotals> {
  const rows = await db.$queryRaw<[WebhookTotals]>`
    SELECT endpoint.total AS endpoints, endpoint.enabled AS "enabledEndpoints",
           (SELECT count(*)::int FROM webhook_deliveries
            WHERE company_id = ${companyId} AND status = 'pending') AS "pendingDeliveries",
           (SELECT coalesce(sum(dead.count), 0)::int
            FROM webhook_endpoints AS present
            CROSS JOIN LATERAL (
              SELECT count(*) FROM webhook_deliveries
              WHERE company_id = present.company_id AND endpoint_id = present.id AND status = 'dead'
                AND dismissed_at IS NULL AND event_type <> 'integration.ping'
            ) AS dead
            WHERE present.company_id = ${companyId} AND present.removed_at IS NULL) AS "deadDeliveries",
           (SELECT max(delivered_at) FROM webhook_deliveries
            WHERE company_id = ${companyId} AND status = 'delivered') AS "lastDeliveredAt"
    FROM (SELECT count(*)::int AS total, (count(*) FILTER (WHERE enabled))::int AS enabled
          FROM webhook_endpoints WHERE company_id = ${companyId} AND removed_at IS NULL) AS endpoint`;
  return rows[0];
}

/** Builds the status object. */
export function serializeStatus({
  apiVersion,
  company,
  key,
  webhooks,
  rateLimitPerMinute,
}: StatusParts): Status {
  return {
    ok: true,
    apiVersion,
    company: { id: company.id, name: company.name },
    key: {
      prefix: key.prefix,
      name: key.name,
      scopes: key.scopes,
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: dateTimeOrNull(key.lastUsedAt),
    },
    webhooks: { ...webhooks, lastDeliveredAt: dateTimeOrNull(webhooks.lastDeliveredAt) },
    rateLimit: { perMinute: rateLimitPerMinute },
  };
}
