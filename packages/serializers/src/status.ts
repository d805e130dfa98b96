import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from './date-time.ts';

/**
 * Maximum count of deliveries. Counting takes time for every delivery, and a counter that is updated with the rows would be
 * locked by every capture and attempt.
 */
export const MAX_COUNTED = 5_000;

const isExact = z.boolean().meta({
  description: 'False if there are more than the count, which is then the maximum that is counted',
});

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
      pendingDeliveries: z.int().meta({ description: 'Counted up to 5,000' }),
      pendingDeliveriesExact: isExact,
      deadDeliveries: z.int().meta({
        description:
          'Dead deliveries that have not been dismissed, without test events and those of removed endpoints. Counted up to 5,000',
      }),
      deadDeliveriesExact: isExact,
      lastDeliveredAt: dateTime.nullable(),
    }),
    rateLimit: z.object({ perMinute: z.int() }),
  })
  .meta({ id: 'Status' });

/** The status response in the API. */
export type Status = z.infer<typeof status>;

/** Counts of a workspace's webhook endpoints and deliveries. */
export interface WebhookTotals {
  endpoints: number;
  enabledEndpoints: number;
  pendingDeliveries: number;
  pendingDeliveriesExact: boolean;
  deadDeliveries: number;
  deadDeliveriesExact: boolean;
  lastDeliveredAt: Date | null;
}

/** The counts, at most `MAX_COUNTED + 1`. */
type TotalsRow = Pick<WebhookTotals, 'endpoints' | 'enabledEndpoints' | 'lastDeliveredAt'> & {
  pending: number;
  dead: number;
};

/** The parts a status object is built from. */
export interface StatusParts {
  apiVersion: string;
  company: { id: number; name: string };
  key: { prefix: string; name: string; scopes: string[]; createdAt: Date; lastUsedAt: Date | null };
  webhooks: WebhookTotals;
  rateLimitPerMinute: number;
}

/** Counts the webhook endpoints of one workspace, and its deliveries up to `MAX_COUNTED`. */
export async function findWebhookTotals(db: Queryable, companyId: number): Promise<WebhookTotals> {
  const read = MAX_COUNTED + 1;
  // The sort orders match the indexes. Otherwise the planner could scan the table until it has found enough rows.
  const query = Prisma.sql`
    SELECT endpoint.total AS endpoints, endpoint.enabled AS "enabledEndpoints",
           (SELECT count(*)::int
            FROM (SELECT FROM pending_deliveries WHERE company_id = ${companyId}
                  ORDER BY company_id, id LIMIT ${read}) AS counted) AS pending,
           (SELECT count(*)::int
            FROM (SELECT FROM webhook_endpoints AS present
                  CROSS JOIN LATERAL (
                    SELECT FROM webhook_deliveries
                    WHERE company_id = present.company_id AND endpoint_id = present.id AND ${OPEN_DEAD_LETTER}
                    ORDER BY created_at, id LIMIT ${read}
                  ) AS dead
                  WHERE present.company_id = ${companyId} AND present.removed_at IS NULL
                  LIMIT ${read}) AS counted) AS dead,
           endpoint.last_success_at AS "lastDeliveredAt"
    FROM (SELECT (count(*) FILTER (WHERE removed_at IS NULL))::int AS total,
                 (count(*) FILTER (WHERE removed_at IS NULL AND enabled))::int AS enabled,
                 max(last_success_at) AS last_success_at
          FROM webhook_endpoints WHERE company_id = ${companyId}) AS endpoint`;
  const [row] = await db.query<TotalsRow>(query);
  if (row === undefined) throw new Error('counting returned no row');
  const { pending, dead, ...rest } = row;
  return {
    ...rest,
    pendingDeliveries: Math.min(pending, MAX_COUNTED),
    pendingDeliveriesExact: pending <= MAX_COUNTED,
    deadDeliveries: Math.min(dead, MAX_COUNTED),
    deadDeliveriesExact: dead <= MAX_COUNTED,
  };
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
