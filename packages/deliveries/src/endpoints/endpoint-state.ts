import type { Transaction } from '@deal-signals/db/database';

// Whoever changes an endpoint's state or counters first locks its row and then its deliveries, in id order, so two of them
// never deadlock. The lock does not conflict with foreign-key checks: capturing an event for an endpoint does not wait for
// an attempt that is being recorded.

/**
 * What an endpoint means for its deliveries.
 * - `enabled`: they are attempted when due.
 * - `disabled`: pending ones are parked, which means that they have no time for a next attempt. So are those of a
 *   suspended endpoint, whose workspace has the API switched off, and of one that has not been verified yet.
 * - `removed`: pending ones are dead. This state is final.
 */
export type EndpointState = 'enabled' | 'disabled' | 'removed';

/** The error of a delivery that is dead because its endpoint was removed, as the delivery log shows it. */
export const REMOVED_ERROR = 'the endpoint was removed';

/** The columns that an endpoint's state follows from. */
export interface EndpointStateRow {
  enabled: boolean;
  suspended: boolean;
  awaitingVerification: boolean;
  removed: boolean;
}

/** The state that the columns of an endpoint stand for; null without a row. */
export function stateOf(endpoint: EndpointStateRow | undefined): EndpointState | null {
  if (endpoint === undefined) return null;
  if (endpoint.removed) return 'removed';
  const { enabled, suspended, awaitingVerification } = endpoint;
  return enabled && !suspended && !awaitingVerification ? 'enabled' : 'disabled';
}

/** Locks an endpoint until the end of the transaction; null if the workspace has no such endpoint. */
export async function lockEndpoint(
  tx: Transaction,
  companyId: number,
  endpointId: number,
): Promise<EndpointState | null> {
  const [endpoint] = await tx.$queryRaw<EndpointStateRow[]>`
    SELECT enabled, suspended, awaiting_verification AS "awaitingVerification", removed_at IS NOT NULL AS removed
    FROM webhook_endpoints
    WHERE company_id = ${companyId} AND id = ${endpointId}
    FOR NO KEY UPDATE`;
  return stateOf(endpoint);
}
