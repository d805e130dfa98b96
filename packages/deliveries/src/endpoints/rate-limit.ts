import type { Transaction } from '@deal-signals/db/database';

/** The maximum rate limit of an endpoint. It bounds the numbers, not the load, which other limits bound. */
export const MAX_PER_MINUTE = 10_000;

/**
 * Sets the maximum number of deliveries of an endpoint in any minute; null removes the limit. If the endpoint already had a rate
 * limit, the claims of the last minute still count. The caller has locked the endpoint's row.
 */
export async function setRateLimit(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  maxPerMinute: number | null,
): Promise<void> {
  if (maxPerMinute === null) {
    await tx.$executeRaw`
      DELETE FROM endpoint_rate_limits WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO endpoint_rate_limits (company_id, endpoint_id, max_per_minute)
    VALUES (${companyId}, ${endpointId}, ${maxPerMinute})
    ON CONFLICT (company_id, endpoint_id) DO UPDATE SET max_per_minute = excluded.max_per_minute`;
}
