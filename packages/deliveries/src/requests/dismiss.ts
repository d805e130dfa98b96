import type { Transaction } from '@deal-signals/db/database';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

/** How many dead letters one call dismisses at most. It does so in one transaction, which locks the endpoint's row. */
export const MOST_DISMISSED = 10_000;

/**
 * Dismisses dead letters of an endpoint, oldest first: they stay in the log as dead, but are no longer counted, and
 * `retryDead` leaves them alone. Failed test events are not counted anyway, so they are not dismissed.
 *
 * @param before dismisses only deliveries of events created earlier; null dismisses all.
 * @returns how many were dismissed, at most `MOST_DISMISSED`; or why none was.
 */
export async function dismissDead(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  before: Date | null,
): Promise<number | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  // As in `retryDead`: dead letters change only under the endpoint's lock.
  return tx.$executeRaw`
    UPDATE webhook_deliveries
    SET dismissed_at = clock_timestamp()
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND status = 'dead'
        AND dismissed_at IS NULL AND event_type <> 'integration.ping'
        AND created_at < coalesce(${before}::timestamptz, 'infinity')
      ORDER BY created_at, id
      LIMIT ${MOST_DISMISSED}
    ))`;
}
