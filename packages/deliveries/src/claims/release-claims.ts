import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { hasKey } from '../queue-key.ts';
import type { Claim } from './claim.ts';

/**
 * Releases claims: their deliveries return to the ready queue, or stay on hold if their endpoint was disabled in the meantime. A
 * claim that has ended, or that is now held under another token, does not change.
 *
 * @returns the number of released claims.
 */
export async function releaseClaims(db: Database, claims: readonly Claim[]): Promise<number> {
  if (claims.length === 0) return 0;
  const companyIds = claims.map(({ companyId }) => companyId);
  const deliveryIds = claims.map(({ deliveryId }) => deliveryId);
  const claimTokens = claims.map(({ claimToken }) => claimToken);
  return db.$executeRaw`
    WITH held AS MATERIALIZED (
      SELECT claim.company_id, claim.id FROM (
        SELECT * FROM unnest(${companyIds}::int[], ${deliveryIds}::bigint[], ${claimTokens}::uuid[])
          AS claim (company_id, id, token)
        ORDER BY company_id, id
      ) AS claim
      CROSS JOIN LATERAL (
        SELECT claim_token FROM pending_deliveries WHERE company_id = claim.company_id AND id = claim.id
        LIMIT 1 FOR NO KEY UPDATE
      ) AS delivery
      WHERE delivery.claim_token = claim.token
    )
    UPDATE pending_deliveries AS delivery
    SET ready = next_attempt_at IS NOT NULL, claim_token = NULL, lease_expires_at = NULL, retry_requested_at = NULL
    FROM held
    WHERE ${hasKey(Prisma.sql`held.company_id`, Prisma.sql`held.id`)}`;
}
