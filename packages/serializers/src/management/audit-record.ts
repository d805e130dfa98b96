import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { directionOf } from '../feed-page.ts';

/** What is recorded: management writes, requests that were refused, and what the system did: `webhook.disabled` and those of the workspace. */
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
  'request.refused',
  'workspace.api_disabled',
  'workspace.api_enabled',
] as const;

/** The name of what was done. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of objects of audit records. An operation is what a refused request asked for. */
export const AUDIT_OBJECT_TYPES = ['api_key', 'webhook', 'delivery', 'operation', 'workspace'] as const;

/** The kind of the object of an audit record. */
export type AuditObjectType = (typeof AUDIT_OBJECT_TYPES)[number];

/** Times of records may be out of order by a fraction of a second, if the system has written one of them. */
const TIME_MARGIN_SECONDS = 60;

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** One record: who did what to which object, and when. */
export const auditRecord = z
  .object({
    id: integerId,
    at: dateTime,
    userId: z.int().nullable().meta({
      description: 'The user who did it, from the session token; null if the system did it by itself',
    }),
    action: z.string().meta({
      description: `What was done: ${quoted(AUDIT_ACTIONS)}. Open enumeration: new values may appear`,
    }),
    objectType: z.string().meta({
      description: `The kind of object: ${quoted(AUDIT_OBJECT_TYPES)}. Open enumeration: new values may appear`,
    }),
    objectId: z.string().meta({
      description: 'Id of the object, as a string; of a refused request, the `operationId` of this document',
    }),
    requestId: z.string().nullable().meta({
      description:
        'The `X-Request-Id` of the request, which identifies it in our logs; null if the system did it by itself',
    }),
    serverRequestId: z.string().nullable().meta({
      description:
        'The id that we gave the request, which the caller cannot choose; null if the system did it by itself, and in old records',
    }),
    ipAddress: z.string().nullable().meta({
      description: 'The IP address of the caller; null if it is unknown or the system did it by itself',
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Further details, such as the names of the changed fields. Never contains a secret or a URL',
    }),
  })
  .meta({ id: 'AuditRecord' });

/** A record of the audit log as the API shows it. */
export type AuditRecord = z.infer<typeof auditRecord>;

/** The columns an audit record object is built from. */
export interface AuditRecordRow {
  id: bigint;
  at: Date;
  userId: number | null;
  action: string;
  objectType: string;
  objectId: string;
  requestId: string | null;
  serverRequestId: string | null;
  ipAddress: string | null;
  details: unknown;
}

/** Which audit records to read. */
export interface AuditRecordFilter {
  /** Only records on this side of an id: with greater ones or, newest first, with smaller ones. */
  position: bigint;
  /** Reverses the order of the ids. */
  isNewestFirst?: boolean;
  action?: AuditAction | undefined;
  /** Only what this user did. */
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
 * Reads audit records of one workspace, by id, or in the reverse.
 *
 * Ids follow the times of the records (see `recordAudit`), so a filter by time is a range of ids. The range is looked up
 * first: with the look-ups inside the statement, the planner would take the range for a short one, and sort it.
 */
export async function findAuditRecords(
  db: Queryable,
  companyId: number,
  { position, isNewestFirst = false, action, userId, object, since, until, limit }: AuditRecordFilter,
): Promise<AuditRecordRow[]> {
  const conditions = [Prisma.sql`a.company_id = ${companyId}`];
  let after = isNewestFirst ? null : position;
  let before = isNewestFirst ? position : null;
  if (since !== undefined || until !== undefined) {
    const range = await findIdRange(db, companyId, since, until);
    if (range === null) return [];
    // One bound on each side: PostgreSQL uses only one of several to enter the index.
    if (after === null || range.first > after) after = range.first - 1n;
    if (range.end !== null && (before === null || range.end < before)) before = range.end;
    // Nothing but a filter: as a plain condition, the planner would enter the index by time, and sort what it finds by id.
    conditions.push(Prisma.sql`CASE WHEN a.at >= coalesce(${since ?? null}::timestamptz, '-infinity')
      AND a.at < coalesce(${until ?? null}::timestamptz, 'infinity') THEN true ELSE false END`);
  }
  if (after !== null) conditions.push(Prisma.sql`a.id > ${after}`);
  if (before !== null) conditions.push(Prisma.sql`a.id < ${before}`);
  if (action !== undefined) conditions.push(Prisma.sql`a.action = ${action}`);
  if (userId !== undefined) conditions.push(Prisma.sql`a.user_id = ${userId}`);
  if (object !== undefined) {
    conditions.push(Prisma.sql`a.object_type = ${object.type} AND a.object_id = ${object.id}`);
  }
  const order = Prisma.sql`ORDER BY a.id ${directionOf(isNewestFirst)} LIMIT ${limit}`;
  // Find the ids first, in the index of the filter. If whole rows were selected directly, the planner would sometimes
  // walk all records in id order, expecting to find enough matching ones soon.
  return db.$queryRaw<AuditRecordRow[]>`
    SELECT a.id, a.at, a.user_id AS "userId", a.action, a.object_type AS "objectType", a.object_id AS "objectId",
           a.request_id AS "requestId", a.server_request_id AS "serverRequestId", a.ip_address AS "ipAddress", a.details
    FROM audit_records a
    WHERE a.company_id = ${companyId}
      AND a.id IN (SELECT a.id FROM audit_records a WHERE ${Prisma.join(conditions, ' AND ')} ${order})
    ${order}`;
}

/**
 * Finds the ids that the records of a time have.
 *
 * @returns the first id, and the one that follows the last, or null if it is the end of the log; null if there are none.
 */
async function findIdRange(
  db: Queryable,
  companyId: number,
  since: Date | undefined,
  until: Date | undefined,
): Promise<{ first: bigint; end: bigint | null } | null> {
  const firstAt = (at: Date | undefined, marginSeconds: number) => Prisma.sql`(
    SELECT a.id FROM audit_records a
    WHERE a.company_id = ${companyId}
      AND a.at >= coalesce(${at ?? null}::timestamptz + ${marginSeconds}::int * interval '1 second', '-infinity')
    ORDER BY a.at, a.id LIMIT 1)`;
  const end = until === undefined ? Prisma.sql`NULL::bigint` : firstAt(until, TIME_MARGIN_SECONDS);
  const [range] = await db.$queryRaw<{ first: bigint | null; end: bigint | null }[]>`
    SELECT ${firstAt(since, -TIME_MARGIN_SECONDS)} AS first, ${end} AS end`;
  if (range === undefined || range.first === null) return null;
  return { first: range.first, end: range.end };
}

/** Builds the API object of an audit record. */
export function serializeAuditRecord(row: AuditRecordRow): AuditRecord {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    userId: row.userId,
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
