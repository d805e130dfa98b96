import type { Database } from '@deal-signals/db/database';
import type { Claim } from './claim.ts';

/**
 * Releases claims: their deliveries return to the ready queue, or stay on hold if their endpoint was disabled in the meantime.
 * A claim that has ended, or that is held under another token by now, is left alone.
 *
 * @returns how many claims were released.
 */
export async function releaseClaims(db: Database, claims: readonly Claim[]): Promise<number> {
  if (claims.length === 0) return 0;
  const companyIds = claims.map(({ companyId }) => companyId);
  const deliveryIds = claims.map(({ deliveryId }) => deliveryId);
  const claimTokens = claims.map(({ claimToken }) => claimToken);
  return db.$executeRaw`
    WITH held AS MATERIALIZED (
      SELECT delivery.company_id, delivery.id
      FROM pending_deliveries AS delivery
      JOIN unnest(${companyIds}::int[], ${deliveryIds}::bigint[], ${claimTokens}::uuid[])
        AS claim (company_id, id, token)
        ON delivery.company_id = claim.company_id AND delivery.id = claim.id AND delivery.claim_token = claim.token
      ORDER BY delivery.company_id, delivery.id
      FOR NO KEY UPDATE OF delivery
    )
    UPDATE pending_deliveries AS delivery
    SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested_at = NULL
    FROM held
    WHERE delivery.company_id = held.company_id AND delivery.id = held.id`;
}
