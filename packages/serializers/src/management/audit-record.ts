import type { Queryable } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';

/** The management writes that are recorded, and what the system does by itself: `webhook.disabled`. */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.removed',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.pinged',
  'delivery.retried',
  'deliveries.retried',
  'deliveries.dismissed',
  'delivery.resent',
  'deliveries.resent',
] as const;

/** The name of a management write. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const OBJECT_TYPES = ['api_key', 'webhook', 'delivery'] as const;

/** The kind of object that a management write changed. */
export type AuditObjectType = (typeof OBJECT_TYPES)[number];

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** One management write, or one change that the system made by itself: who did what to which object, and when. */
export const auditRecord = z
  .object({
    id: integerId,
    at: dateTime,
    userId: z.int().nullable().meta({
      description:
        'The user who made the change, from the session token; null if the system made it by itself',
    }),
    action: z.string().meta({
      description: `What was done: ${quoted(AUDIT_ACTIONS)}. Open enumeration: new values may appear`,
    }),
    objectType: z.string().meta({
      description: `The kind of object: ${quoted(OBJECT_TYPES)}. Open enumeration: new values may appear`,
    }),
    objectId: z.string().meta({ description: 'Id of the object, as a string' }),
    requestId: z.string().nullable().meta({
      description:
        'The `X-Request-Id` of the request, which identifies it in our logs; null if the system made the change by itself',
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
  details: unknown;
}

/**
 * Reads audit records of one workspace, by id.
 *
 * @param after only records with a greater id.
 * @param limit maximum number of rows.
 */
export function findAuditRecords(
  db: Queryable,
  companyId: number,
  { after, limit }: { after: bigint; limit: number },
): Promise<AuditRecordRow[]> {
  return db.$queryRaw<AuditRecordRow[]>`
    SELECT a.id, a.at, a.user_id AS "userId", a.action, a.object_type AS "objectType", a.object_id AS "objectId",
           a.request_id AS "requestId", a.details
    FROM audit_records a
    WHERE a.company_id = ${companyId} AND a.id > ${after}
    ORDER BY a.id LIMIT ${limit}`;
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
    // A check constraint ensures that details is an object.
    details: row.details as Record<string, unknown>,
  };
}
