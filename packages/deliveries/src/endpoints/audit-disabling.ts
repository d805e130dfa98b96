import type { Transaction } from '@deal-signals/db/database';

/** Why the system disabled an endpoint by itself. */
export type DisablingReason = 'gone' | 'failures';

/** Why and how the system disabled an endpoint. */
export interface Disabling {
  reason: DisablingReason;
  /** The reason in the words that the endpoint's owner reads. */
  disabledReason: string;
  consecutiveFailures: number;
}

/**
 * Locks a workspace's row until the end of the transaction, as management writes do. Ids of audit records then follow the
 * order of commits. It comes before the lock of an endpoint.
 */
export async function lockWorkspace(tx: Transaction, companyId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
}

/**
 * Writes the audit record of an endpoint that the system disabled by itself. The caller has locked the workspace.
 *
 * @returns the time of the record.
 */
export async function auditDisabling(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  { reason, consecutiveFailures }: Disabling,
): Promise<Date> {
  const [record] = await tx.$queryRaw<[{ at: Date }]>`
    INSERT INTO audit_records (company_id, at, user_id, request_id, action, object_type, object_id, details)
    VALUES (${companyId}, clock_timestamp(), NULL, NULL, 'webhook.disabled', 'webhook', ${String(endpointId)},
      ${JSON.stringify({ reason, consecutiveFailures })}::jsonb)
    RETURNING at`;
  return record.at;
}
