import type { Transaction } from '@deal-signals/db/database';

/** The greatest pace that an endpoint can have. It bounds the numbers, not the load: the other limits do that. */
export const MOST_PER_MINUTE = 10_000;

/**
 * Sets how many deliveries of an endpoint may be claimed in any minute; null for no such limit. What was claimed within
 * the last minute still counts if the endpoint had a rate limit before. The caller has locked the endpoint's row.
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
