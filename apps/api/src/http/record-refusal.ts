import type { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { recordAudit } from '@deal-signals/outbox/record-audit';
import type { ErrorCode } from './errors.ts';
import type { Caller } from './route.ts';

/** Maximum number of rejected requests of a workspace that are recorded in 24 hours. */
const MAX_REFUSALS_PER_DAY = 1_000;

/**
 * Records that a management request with a valid credential was rejected with 403.
 *
 * Rejected requests must not fill the audit log, so those of one user or key and operation are recorded once an hour, and the
 * workspace has a daily limit. Both are checked first, without a lock, so a repeated request costs a short index scan. Even the
 * scan acquires a slot, so a burst of rejected requests cannot take the connection pool.
 */
export async function recordRefusal(
  db: Database,
  caller: Caller,
  operationId: string,
  code: ErrorCode,
): Promise<void> {
  await caller.slot.write(async () => {
    if (await isRecorded(db, caller, operationId)) return;
    await inFeedTransaction(db, caller.companyId, async (feed) => {
      // Checked again under the lock, so that two processes write one record.
      if (await isRecorded(feed.tx, caller, operationId)) return;
      await recordAudit(feed, caller.requester, {
        action: 'request.refused',
        objectType: 'operation',
        objectId: operationId,
        details: { code },
      });
    });
  });
}

/** Reports whether a rejected request needs no record, because there is one already, or there are too many. */
async function isRecorded(
  db: Pick<Database, '$queryRaw'>,
  { companyId, requester: { userId, apiKeyId } }: Caller,
  operationId: string,
): Promise<boolean> {
  const [{ isRecorded: found }] = await db.$queryRaw<[{ isRecorded: boolean }]>`
    SELECT count(*) = ${MAX_REFUSALS_PER_DAY}::int
      OR coalesce(bool_or(r.user_id IS NOT DISTINCT FROM ${userId}::int AND r.api_key_id IS NOT DISTINCT FROM ${apiKeyId}::int
           AND r.object_id = ${operationId} AND r.at > clock_timestamp() - interval '1 hour'), false) AS "isRecorded"
    FROM (
      SELECT a.user_id, a.api_key_id, a.object_id, a.at FROM audit_records a
      WHERE a.company_id = ${companyId} AND a.action = 'request.refused'
      ORDER BY a.id DESC LIMIT ${MAX_REFUSALS_PER_DAY}
    ) AS r
    WHERE r.at > clock_timestamp() - interval '1 day'`;
  return found;
}
