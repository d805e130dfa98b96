import type { Queryable } from '@deal-signals/db/database';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';

/** Every management write that leaves a record. */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.removed',
  'webhook.secret_rotated',
  'webhook.pinged',
  'delivery.retried',
  'deliveries.retried',
] as const;

/** What was done. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const OBJECT_TYPES = ['api_key', 'webhook', 'delivery'] as const;

/** What kind of object it was done to. */
export type AuditObjectType = (typeof OBJECT_TYPES)[number];

/** One management write: who, what, when, to which object. */
export const auditRecord = z
  .object({
    id: integerId,
    at: dateTime,
    userId: z.int().meta({ description: 'Who: the user of the session token' }),
    action: z.string().meta({
      description: `What: ${AUDIT_ACTIONS.map((action) => `\`${action}\``).join(', ')}. Open: new values may appear`,
    }),
    objectType: z.string().meta({
      description: `To which kind of object: ${OBJECT_TYPES.map((type) => `\`${type}\``).join(', ')}. Open`,
    }),
    objectId: z.string().meta({ description: 'The id of the object, as text' }),
    requestId: z
      .string()
      .meta({ description: 'The `X-Request-Id` of the request, which finds it in our log' }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'What more there is to say, such as the names of changed fields. Never a secret or a URL',
    }),
  })
  .meta({ id: 'AuditRecord' });

/** A record of the audit log as the API shows it. */
export type AuditRecord = z.infer<typeof auditRecord>;

/** The columns that an audit record's object is made of. */
export interface AuditRecordRow {
  id: bigint;
  at: Date;
  userId: number;
  action: string;
  objectType: string;
  objectId: string;
  requestId: string;
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
    // The column's check sees to it that it is an object.
    details: row.details as Record<string, unknown>,
  };
}
