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
