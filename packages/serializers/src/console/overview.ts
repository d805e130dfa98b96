import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { status, type WebhookTotals } from '../status.ts';
import { DISABLED_BY_ADMIN } from '../webhooks/endpoint.ts';
import { attention, type EndpointStateRow, isFailing, type KeyRow, whatNeedsAttention } from './attention.ts';
import { type BacklogRow, bounded } from './endpoint-health.ts';

/** The overview of a workspace. */
export const overview = z
  .object({
    webhooks: status.shape.webhooks.extend({
      disabledEndpoints: z.int(),
      failingEndpoints: z.int().meta({
        description: 'Enabled endpoints whose last three attempts or more have all failed',
      }),
    }),
    oldestDue: z
      .object({
        deliveryId: integerId,
        endpointId: z.int(),
        createdAt: dateTime,
        dueAt: dateTime.meta({ description: 'When it became due' }),
      })
      .nullable()
      .meta({
        description: 'The delivery that has been due longest without being delivered; null if none is due',
      }),
    deadLetters: z
      .array(
        z.object({
          endpointId: z.int(),
          count: z.int().meta({ description: 'Counted up to 1,000' }),
          countExact: z.boolean(),
          oldestAt: dateTime
            .nullable()
            .meta({ description: 'When the oldest event of these deliveries was created' }),
        }),
      )
      .meta({ description: 'The endpoints that have dead deliveries, those with the most first' }),
    attention,
  })
  .meta({ id: 'Overview' });

/** The overview in the API. */
export type Overview = z.infer<typeof overview>;

/** The data of an overview. */
export interface OverviewParts {
  totals: WebhookTotals;
  endpoints: readonly EndpointStateRow[];
  /** The backlogs of the same endpoints. */
  backlogs: readonly BacklogRow[];
  keys: readonly KeyRow[];
  /** Number of consecutive failures that disable an endpoint. */
  disableAfter: number;
  now: Date;
}

/** Number of the latest audit records of an endpoint in which the record of its disabling is searched. */
const MAX_SEARCHED = 200;

/** Reads the state of each endpoint that was not removed, and when the system disabled it, by id. */
export function findEndpointStates(db: Queryable, companyId: number): Promise<EndpointStateRow[]> {
  return db.query<EndpointStateRow>(Prisma.sql`
      SELECT endpoint.id, endpoint.url, endpoint.description, endpoint.enabled, endpoint.disabled_reason AS "disabledReason",
        endpoint.consecutive_failures AS "consecutiveFailures", endpoint.failing_since AS "failingSince",
        endpoint.last_error AS "lastError", endpoint.awaiting_verification AS "awaitingVerification",
        endpoint.created_at AS "createdAt", disabling.at AS "disabledAt"
      FROM webhook_endpoints AS endpoint
      LEFT JOIN LATERAL (
        SELECT at FROM (
          SELECT id, at, action FROM audit_records
          WHERE company_id = endpoint.company_id AND object_type = 'webhook' AND object_id = endpoint.id::text
          ORDER BY company_id DESC, object_type DESC, object_id DESC, id DESC LIMIT ${MAX_SEARCHED}
        ) AS latest
        WHERE action = 'webhook.disabled' AND NOT endpoint.enabled
          AND endpoint.disabled_reason IS DISTINCT FROM ${DISABLED_BY_ADMIN}
        ORDER BY id DESC LIMIT 1
      ) AS disabling ON true
      WHERE endpoint.company_id = ${companyId} AND endpoint.removed_at IS NULL
      ORDER BY endpoint.id`);
}

/** More keys than a workspace can have active at a time. */
const MAX_KEYS = 500;

/** Reads the active API keys of a workspace. */
export function findActiveKeys(db: Queryable, companyId: number): Promise<KeyRow[]> {
  return db.query<KeyRow>(Prisma.sql`
      SELECT id, name, prefix, expires_at AS "expiresAt", rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt"
      FROM api_keys
      WHERE company_id = ${companyId} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > statement_timestamp())
      ORDER BY id DESC LIMIT ${MAX_KEYS}`);
}

/** Builds the overview. */
export function serializeOverview({
  totals,
  endpoints,
  backlogs,
  keys,
  disableAfter,
  now,
}: OverviewParts): Overview {
  const { lastDeliveredAt, ...counts } = totals;
  const due = backlogs
    .flatMap(({ endpointId, oldestDue }) => (oldestDue === null ? [] : [{ endpointId, ...oldestDue }]))
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  const [oldest] = due;
  return {
    webhooks: {
      ...counts,
      lastDeliveredAt: dateTimeOrNull(lastDeliveredAt),
      disabledEndpoints: endpoints.filter(({ enabled }) => !enabled).length,
      failingEndpoints: endpoints.filter(isFailing).length,
    },
    oldestDue:
      oldest === undefined
        ? null
        : {
            deliveryId: String(oldest.id),
            endpointId: oldest.endpointId,
            createdAt: oldest.createdAt.toISOString(),
            dueAt: oldest.dueAt.toISOString(),
          },
    deadLetters: backlogs
      .filter(({ dead }) => dead > 0)
      .toSorted((one, other) => other.dead - one.dead)
      .map(({ endpointId, dead, oldestDeadAt }) => {
        const { count, isExact } = bounded(dead);
        return { endpointId, count, countExact: isExact, oldestAt: dateTimeOrNull(oldestDeadAt) };
      }),
    attention: whatNeedsAttention({ endpoints, backlogs, keys, disableAfter, now }),
  };
}
