import type { Transaction } from '@deal-signals/db/database';

/** Why the system disabled an endpoint by itself. */
export type DisablingReason = 'gone' | 'failures';

/**
 * Locks a workspace's row until the end of the transaction, as management writes do. Ids of audit records then follow the
 * order of commits. It comes before the lock of an endpoint.
 */
export async function lockWorkspace(tx: Transaction, companyId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
}

/** Writes the audit record of an endpoint that the system disabled by itself. The caller has locked the workspace. */
export async function auditDisabling(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  reason: DisablingReason,
  consecutiveFailures: number,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_records (company_id, at, user_id, request_id, action, object_type, object_id, details)
    VALUES (${companyId}, clock_timestamp(), NULL, NULL, 'webhook.disabled', 'webhook', ${String(endpointId)},
      ${JSON.stringify({ reason, consecutiveFailures })}::jsonb)`;
}
