import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { Filter } from '@deal-signals/outbox/filter/filter';
import {
  type RateLimited,
  rateLimitOf,
  type RateLimitRow,
  serializeRateLimited,
} from '../endpoint-health.ts';

/** Maximum number of endpoints that are examined: all that a workspace can have, or fewer and some removed ones. */
const MAX_ENDPOINTS = 100;
/** Maximum number of audit records of each object that are examined, newest first. */
const MAX_RECORDS = 200;

/** The columns of an endpoint that decide what is sent to it. */
export interface WhyEndpointRow {
  id: number;
  url: string;
  description: string | null;
  events: string[];
  filter: Filter | null;
  enabled: boolean;
  disabledReason: string | null;
  awaitingVerification: boolean;
  suspended: boolean;
  /** The rate limit that deliveries wait for, and their number; null if none waits only for a limit. */
  rateLimited: RateLimited | null;
  createdAt: Date;
  removedAt: Date | null;
}

/** A change that an audit record describes. */
export interface ChangeRow {
  id: bigint;
  at: Date;
  action: string;
  userId: number | null;
  userName: string | null;
  details: Record<string, unknown>;
}

/** The recorded changes of an object. */
export interface History {
  /** Oldest first. */
  changes: ChangeRow[];
  /** The time since which all changes are recorded; null if all of them are. */
  knownSince: Date | null;
}

/** Reads the endpoints of a workspace, including those removed after a point in time. */
export async function findWhyEndpoints(
  db: Queryable,
  companyId: number,
  since: Date,
): Promise<WhyEndpointRow[]> {
  const rows = await db.query<Omit<WhyEndpointRow, 'rateLimited'> & RateLimitRow>(Prisma.sql`
    SELECT endpoint.id, url, description, events, filter, enabled, disabled_reason AS "disabledReason",
           awaiting_verification AS "awaitingVerification", suspended, created_at AS "createdAt", removed_at AS "removedAt",
           rate_limit.max_per_minute AS "maxPerMinute", rate_limit.waiting
    FROM (
      SELECT * FROM webhook_endpoints
      WHERE company_id = ${companyId} AND (removed_at IS NULL OR removed_at >= ${since})
      ORDER BY removed_at DESC NULLS FIRST, id LIMIT ${MAX_ENDPOINTS}
    ) AS endpoint
    LEFT JOIN LATERAL (${rateLimitOf(Prisma.sql`endpoint`)}) AS rate_limit ON true
    ORDER BY removed_at DESC NULLS FIRST, id`);
  return rows.map(({ maxPerMinute, waiting, ...row }) => ({
    ...row,
    rateLimited: serializeRateLimited({ maxPerMinute, waiting }),
  }));
}

/** Reads the changes of endpoints of one workspace that affect what is sent to them, by endpoint. */
export function findEndpointHistories(
  db: Queryable,
  companyId: number,
  endpointIds: readonly number[],
): Promise<Map<string, History>> {
  return findHistories(db, companyId, 'webhook', endpointIds.map(String), [
    'webhook.created',
    'webhook.updated',
    'webhook.disabled',
    'webhook.removed',
  ]);
}

/** Reads when the API was switched off and on for a workspace. */
export async function findWorkspaceHistory(db: Queryable, companyId: number): Promise<History> {
  const actions = ['workspace.api_enabled', 'workspace.api_disabled'];
  const histories = await findHistories(db, companyId, 'workspace', [String(companyId)], actions);
  return histories.get(String(companyId)) ?? { changes: [], knownSince: null };
}

interface HistoryRow {
  objectId: string;
  walked: number;
  oldest: Date | null;
  changes: (Omit<ChangeRow, 'id' | 'at'> & { id: string; at: string })[] | null;
}

async function findHistories(
  db: Queryable,
  companyId: number,
  objectType: string,
  objectIds: readonly string[],
  actions: readonly string[],
): Promise<Map<string, History>> {
  const rows = await db.query<HistoryRow>(Prisma.sql`
    SELECT object.id AS "objectId", walked.*
    FROM unnest(${objectIds}::text[]) AS object (id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS walked, min(a.at) AS oldest,
             json_agg(json_build_object('id', a.id::text, 'at', a.at, 'action', a.action, 'userId', a.user_id,
                                        'userName', u.name, 'details', a.details) ORDER BY a.id)
               FILTER (WHERE a.action = ANY (${actions}::text[])) AS changes
      FROM (
        SELECT id, at, action, user_id, details FROM audit_records
        WHERE company_id = ${companyId} AND object_type = ${objectType} AND object_id = object.id
        ORDER BY id DESC LIMIT ${MAX_RECORDS}
      ) AS a
      LEFT JOIN users u ON u.company_id = ${companyId} AND u.id = a.user_id
    ) AS walked`);
  return new Map(
    rows.map(({ objectId, walked, oldest, changes }) => [
      objectId,
      {
        changes: (changes ?? []).map(({ id, at, ...change }) => ({
          ...change,
          id: BigInt(id),
          at: new Date(at),
        })),
        knownSince: walked === MAX_RECORDS ? oldest : null,
      },
    ]),
  );
}
