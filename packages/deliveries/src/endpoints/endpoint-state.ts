import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';

// The lock order: a transaction that changes an endpoint's state or counters first locks its row and then its deliveries, in id
// order, so two of them never deadlock. The lock does not conflict with foreign-key checks, so capturing an event for an endpoint
// does not wait for an attempt that is being recorded.

/**
 * The state of an endpoint, and its effect on the deliveries.
 * - `open`: they are attempted when due.
 * - `closed`: pending ones are on hold, which means that they have no time for a next attempt. The endpoint is disabled, or
 *   suspended because its workspace has the API switched off, or has not been verified yet.
 * - `removed`: pending ones are dead. This state is final.
 */
export type EndpointState = 'open' | 'closed' | 'removed';

/** The condition, on the columns of `webhook_endpoints`, that an endpoint's state is `open`. */
export const OPEN = Prisma.sql`enabled AND NOT suspended AND NOT awaiting_verification`;

/** The column `state` for a query of `webhook_endpoints`. */
export const STATE = Prisma.sql`
  CASE WHEN removed_at IS NOT NULL THEN 'removed' WHEN ${OPEN} THEN 'open' ELSE 'closed' END AS state`;

/** Locks an endpoint until the end of the transaction. Returns its state, or null if the workspace has no such endpoint. */
export async function lockEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<EndpointState | null> {
  const [endpoint] = await tx.$queryRaw<{ state: EndpointState }[]>`
    SELECT ${STATE} FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId}
    FOR NO KEY UPDATE`;
  return endpoint?.state ?? null;
}
