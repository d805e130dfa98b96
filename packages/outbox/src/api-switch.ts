import type { Database } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';

/**
 * Suspends the endpoints of a workspace when its API is switched off, and ends that when it is switched on again. Runs in
 * the transaction that changes `companies.api_enabled`, after that change.
 *
 * It only marks the endpoints: the workspace may have a million pending deliveries, and the next ticks of the dispatcher
 * park them or make them due. Whoever is about to send a delivery or to record an outcome reads the mark under the lock
 * of the endpoint's row, which this statement takes as well. So nothing is sent by an attempt that begins after the commit.
 */
export function switchEndpoints(
  db: Database,
  companyId: number,
  apiEnabled: boolean,
): Prisma.PrismaPromise<number> {
  return db.$executeRaw`
    UPDATE webhook_endpoints
    SET suspended = ${!apiEnabled}, settling = true
    WHERE company_id = ${companyId} AND removed_at IS NULL AND suspended = ${apiEnabled}`;
}

/**
 * Records in the audit log that the API is switched off or on for a workspace, as a change by the system: the host product
 * does it, and who did it there is not known here. Runs in the transaction that changes `companies.api_enabled`, before that
 * change. If the workspace does not exist yet, or the value stays the same, nothing is recorded.
 *
 * The first statement locks the workspace's row, as management writes do, so that ids of audit records follow the order of
 * commits. The second one sees what was recorded while the first waited for that lock.
 */
export function auditApiSwitch(
  db: Database,
  companyId: number,
  apiEnabled: boolean,
): Prisma.PrismaPromise<number>[] {
  const action = apiEnabled ? 'workspace.api_enabled' : 'workspace.api_disabled';
  return [
    db.$executeRaw`SELECT id FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`,
    db.$executeRaw`
      INSERT INTO audit_records (company_id, at, user_id, request_id, action, object_type, object_id, details)
      SELECT id,
        greatest(clock_timestamp(),
          (SELECT a.at FROM audit_records a WHERE a.company_id = ${companyId} ORDER BY a.id DESC LIMIT 1)),
        NULL, NULL, ${action}, 'workspace', id::text, '{}'
      FROM companies WHERE id = ${companyId} AND api_enabled <> ${apiEnabled}`,
  ];
}
