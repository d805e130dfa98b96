import type { Database, Transaction } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import type { AuditAction, AuditObjectType } from '@deal-signals/serializers/management/audit-record';
import { requireFeature } from '../http/errors.ts';
import type { AdminRequest } from '../http/route.ts';

/** The parts of an admin's request that a management write needs. */
export type Admin = Pick<
  AdminRequest,
  'companyId' | 'session' | 'requestId' | 'serverRequestId' | 'ipAddress' | 'inTurn'
>;

/**
 * What the audit log records about a management write, in addition to the user and the time. It must not contain a key,
 * a signing secret, or a URL, because a URL may contain a secret. The host of a URL is allowed.
 */
export interface AuditEntry {
  action: AuditAction;
  objectType: AuditObjectType;
  objectId: number | bigint | string;
  details?: Prisma.InputJsonObject;
}

/** The result of a management write, and its audit entry: null if the write changed nothing. */
export interface Written<Result> {
  result: Result;
  audit: AuditEntry | null;
}

/**
 * Runs a management write and its audit record in one transaction.
 *
 * The writes of a workspace take turns before they take a connection, so those that wait for each other never hold the
 * connection pool. Between processes the lock does the same.
 *
 * The transaction locks the workspace's row first, so the management writes of a workspace run one at a time. Counting
 * the keys or endpoints before adding one is therefore safe, and the ids of audit records follow commit order, so a
 * cursor never misses a record. Locks are always taken in the same order: feed clock, workspace, endpoint, deliveries.
 * This lock does not conflict with foreign-key checks, so captures continue meanwhile.
 */
export function inManagementTransaction<Result>(
  db: Database,
  admin: Admin,
  write: (tx: Transaction) => Promise<Written<Result>>,
): Promise<Result> {
  return admin.inTurn(() => db.$transaction((tx) => writeAudited(tx, admin, () => write(tx))));
}

/** Like `inManagementTransaction`, but in a transaction that is already open, for a write that needs the feed clock. */
export async function writeAudited<Result>(
  tx: Transaction,
  admin: Omit<Admin, 'inTurn'>,
  write: () => Promise<Written<Result>>,
): Promise<Result> {
  const [company] = await tx.$queryRaw<{ apiEnabled: boolean }[]>`
    SELECT api_enabled AS "apiEnabled" FROM companies WHERE id = ${admin.companyId} FOR NO KEY UPDATE`;
  // The API may have been switched off since the session was checked. An endpoint added now would not be suspended.
  if (company !== undefined) requireFeature(company);
  const { result, audit } = await write();
  if (audit !== null) await recordAudit(tx, admin, audit);
  return result;
}

/**
 * Writes an audit record. The caller holds the lock of the workspace.
 *
 * The times of a workspace never go back, even if the system clock does, so that a filter by time can be a range of ids.
 */
export async function recordAudit(
  tx: Transaction,
  { companyId, session, requestId, serverRequestId, ipAddress }: Omit<Admin, 'inTurn'>,
  { action, objectType, objectId, details = {} }: AuditEntry,
): Promise<void> {
  // now() would be the start of the transaction, which may have waited for the lock.
  await tx.$executeRaw`
    INSERT INTO audit_records (company_id, at, user_id, request_id, server_request_id, ip_address, action, object_type,
      object_id, details)
    VALUES (${companyId},
      greatest(clock_timestamp(),
        (SELECT a.at FROM audit_records a WHERE a.company_id = ${companyId} ORDER BY a.id DESC LIMIT 1)),
      ${session.userId}, ${requestId}, ${serverRequestId}, ${ipAddress}, ${action}, ${objectType}, ${String(objectId)},
      ${JSON.stringify(details)}::jsonb)`;
}
