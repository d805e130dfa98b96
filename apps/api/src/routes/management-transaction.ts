import type { Database, Transaction } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import type { AuditAction, AuditObjectType } from '@deal-signals/serializers/management/audit-record';
import type { AdminRequest } from '../http/route.ts';

/** Who asks for a management write. */
export type Admin = Pick<AdminRequest, 'companyId' | 'session' | 'requestId'>;

/**
 * What the audit log says of a management write, beside who and when. Nothing in it may be secret: no key, no signing
 * secret, and no URL, whose query may hold one.
 */
export interface AuditEntry {
  action: AuditAction;
  objectType: AuditObjectType;
  objectId: number | bigint;
  details?: Prisma.InputJsonObject;
}

/** What a management write came to; without an entry when it found nothing to change. */
export interface Written<Result> {
  result: Result;
  audit: AuditEntry | null;
}

/**
 * Runs a management write in a transaction of its own, together with its audit record.
 *
 * The workspace's row is locked first. So whoever counts the keys or endpoints before adding one does so one after the
 * other, and the ids of audit records follow the order of commits, which is what lets a cursor miss none. Locks come in
 * the same order everywhere: feed clock, workspace, endpoint, deliveries. The lock leaves foreign-key checks alone, so
 * captures go on meanwhile.
 */
export function inManagementTransaction<Result>(
  db: Database,
  admin: Admin,
  write: (tx: Transaction) => Promise<Written<Result>>,
): Promise<Result> {
  return db.$transaction((tx) => writeAudited(tx, admin, () => write(tx)));
}

/** The same inside a transaction that is open already, for a write that needs the feed clock. */
export async function writeAudited<Result>(
  tx: Transaction,
  admin: Admin,
  write: () => Promise<Written<Result>>,
): Promise<Result> {
  await tx.$queryRaw`SELECT id FROM companies WHERE id = ${admin.companyId} FOR NO KEY UPDATE`;
  const { result, audit } = await write();
  if (audit !== null) await recordAudit(tx, admin, audit);
  return result;
}

async function recordAudit(
  tx: Transaction,
  { companyId, session, requestId }: Admin,
  { action, objectType, objectId, details = {} }: AuditEntry,
): Promise<void> {
  // Not the start of the transaction, which may have waited for the lock.
  await tx.$executeRaw`
    INSERT INTO audit_records (company_id, at, user_id, request_id, action, object_type, object_id, details)
    VALUES (${companyId}, clock_timestamp(), ${session.userId}, ${requestId}, ${action}, ${objectType},
      ${String(objectId)}, ${JSON.stringify(details)}::jsonb)`;
}
