import type { Queryable } from '@deal-signals/db/queryable';
import { idsOf } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { directionOf } from '../feed-page.ts';

/**
 * The recorded actions: management writes, rejected requests, and actions of the system: `webhook.disabled` and those of the
 * workspace.
 */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.removed',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.pinged',
  'webhook.url_tested',
  'delivery.retried',
  'deliveries.retried',
  'deliveries.dismissed',
  'delivery.resent',
  'deliveries.resent',
  'alert_channel.created',
  'alert_channel.updated',
  'alert_channel.removed',
  'alert_channel.tested',
  'deliveries.replayed',
  'erasure.requested',
  'request.refused',
  'workspace.api_disabled',
  'workspace.api_enabled',
] as const;

/** The name of an action. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of objects of audit records. An operation is the object of a rejected request. */
export const AUDIT_OBJECT_TYPES = [
  'api_key',
  'webhook',
  'delivery',
  'alert_channel',
  'erasure',
  'operation',
  'workspace',
] as const;

/** The kind of the object of an audit record. */
export type AuditObjectType = (typeof AUDIT_OBJECT_TYPES)[number];

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** One record: who did what to which object, and when. */
export const auditRecord = z
  .object({
    id: integerId,
    at: dateTime,
    userId: z.int().nullable().meta({
      description: 'The user who did it, from the session token; null if an API key or the system did it',
    }),
    apiKeyId: z.int().nullable().meta({
      description: 'The API key that did it, with the scope `webhooks`; null if a user or the system did it',
    }),
    action: z.string().meta({
      description: `What was done: ${quoted(AUDIT_ACTIONS)}. Open enumeration: new values may appear`,
    }),
    objectType: z.string().meta({
      description: `The kind of object: ${quoted(AUDIT_OBJECT_TYPES)}. Open enumeration: new values may appear`,
    }),
    objectId: z.string().meta({
      description:
        'Id of the object, as a string; for a rejected request, the `operationId` of this document',
    }),
    requestId: z.string().nullable().meta({
      description:
        'The `X-Request-Id` of the request, which identifies it in our logs; null if the system did it',
    }),
    serverRequestId: z.string().nullable().meta({
      description:
        'The id that we gave the request, which the caller cannot choose; null if the system did it, and in old records',
    }),
    ipAddress: z.string().nullable().meta({
      description: 'The IP address of the caller; null if it is unknown or the system did it',
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Further details, such as the names of the changed fields. Never contains a secret or a URL',
    }),
  })
  .meta({ id: 'AuditRecord' });

/** A record of the audit log in the API. */
export type AuditRecord = z.infer<typeof auditRecord>;

/** The columns an audit record object is built from. */
export interface AuditRecordRow {
  id: bigint;
  at: Date;
  userId: number | null;
  apiKeyId: number | null;
  action: string;
  objectType: string;
  objectId: string;
  requestId: string | null;
  serverRequestId: string | null;
  ipAddress: string | null;
  details: unknown;
}

/** Selects audit records to read. */
export interface AuditRecordFilter {
  /** Only records on this side of an id: with greater ones or, newest first, with smaller ones. */
  position: bigint;
  /** Reverses the order of the ids. */
  isNewestFirst?: boolean;
  action?: AuditAction | undefined;
  /** Only records of this user. */
  userId?: number | undefined;
  object?: { type: AuditObjectType; id: string } | undefined;
  /** Only records of this time or later. */
  since?: Date | undefined;
  /** Only records before this time. */
  until?: Date | undefined;
  /** Maximum number of rows. */
  limit: number;
}

/**
 * Reads audit records of one workspace, by id, in either order. Ids are derived from time, so a filter by time is a range of ids.
 */
export async function findAuditRecords(
  db: Queryable,
  companyId: number,
  { position, isNewestFirst = false, action, userId, object, since, until, limit }: AuditRecordFilter,
): Promise<AuditRecordRow[]> {
  const conditions = [Prisma.sql`a.company_id = ${companyId}`];
  const { first, end } = idsOf({
    ...(isNewestFirst ? { before: position } : { after: position }),
    since,
    until,
  });
  if (first !== undefined) conditions.push(Prisma.sql`a.id >= ${first}`);
  // Compared as rows: for two plain bounds that are unknown at planning time, the planner assumes that they leave almost no rows.
  if (end !== undefined) conditions.push(Prisma.sql`(a.id, 0) < (${end}::bigint, 0)`);
  if (action !== undefined) conditions.push(Prisma.sql`a.action = ${action}`);
  if (userId !== undefined) conditions.push(Prisma.sql`a.user_id = ${userId}`);
  if (object !== undefined) {
    conditions.push(Prisma.sql`a.object_type = ${object.type} AND a.object_id = ${object.id}`);
  }
  const order = Prisma.sql`ORDER BY a.id ${directionOf(isNewestFirst)} LIMIT ${limit}`;
  // Finds the ids first, in the index of the filter. If whole rows were selected directly, the planner would sometimes scan all
  // records in id order, expecting to find enough matching ones soon.
  return db.$queryRaw<AuditRecordRow[]>`
    SELECT a.id, a.at, a.user_id AS "userId", a.api_key_id AS "apiKeyId", a.action, a.object_type AS "objectType",
           a.object_id AS "objectId", a.request_id AS "requestId", a.server_request_id AS "serverRequestId",
           a.ip_address AS "ipAddress", a.details
    FROM audit_records a
    WHERE a.company_id = ${companyId}
      AND a.id IN (SELECT a.id FROM audit_records a WHERE ${Prisma.join(conditions, ' AND ')} ${order})
    ${order}`;
}

/** Builds the API object of an audit record. */
export function serializeAuditRecord(row: AuditRecordRow): AuditRecord {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    userId: row.userId,
    apiKeyId: row.apiKeyId,
    action: row.action,
    objectType: row.objectType,
    objectId: row.objectId,
    requestId: row.requestId,
    serverRequestId: row.serverRequestId,
    ipAddress: row.ipAddress,
    // A check constraint ensures that details is an object.
    details: row.details as Record<string, unknown>,
  };
}
