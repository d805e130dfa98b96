import type { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { recordAudit } from '@deal-signals/outbox/record-audit';
import type { ErrorCode } from '../http/errors.ts';
import { type Manager, requesterOf } from './management-transaction.ts';

/** At most this many refused requests of a workspace are recorded in 24 hours. */
const MOST_REFUSALS_PER_DAY = 1_000;

/**
 * Records that a management request with a valid credential was refused with 403.
 *
 * Refused requests must not fill the audit log, so those of one user or key and operation are recorded once an hour,
 * and the workspace has a daily limit. That is read first, without a lock: repeated requests cost a short index scan.
 * Even the scan waits for its turn, so a burst of refused requests cannot take the connection pool.
 */
export async function recordRefusal(
  db: Database,
  manager: Manager,
  operationId: string,
  code: ErrorCode,
): Promise<void> {
  await manager.inTurn(async () => {
    if (await isRecorded(db, manager, operationId)) return;
    await inFeedTransaction(db, manager.companyId, async (feed) => {
      // Two processes at once leave one record.
      if (await isRecorded(feed.tx, manager, operationId)) return;
      await recordAudit(feed, requesterOf(manager), {
        action: 'request.refused',
        objectType: 'operation',
        objectId: operationId,
        details: { code },
      });
    });
  });
}

/** Whether a refused request needs no record: there is one already, or there are too many. */
async function isRecorded(
  db: Pick<Database, '$queryRaw'>,
  manager: Manager,
  operationId: string,
): Promise<boolean> {
  const { userId, apiKeyId } = requesterOf(manager);
  const [{ isRecorded: found }] = await db.$queryRaw<[{ isRecorded: boolean }]>`
    SELECT count(*) = ${MOST_REFUSALS_PER_DAY}::int
      OR coalesce(bool_or(r.user_id IS NOT DISTINCT FROM ${userId}::int AND r.api_key_id IS NOT DISTINCT FROM ${apiKeyId}::int
           AND r.object_id = ${operationId} AND r.at > clock_timestamp() - interval '1 hour'), false) AS "isRecorded"
    FROM (
      SELECT a.user_id, a.api_key_id, a.object_id, a.at FROM audit_records a
      WHERE a.company_id = ${manager.companyId} AND a.action = 'request.refused'
      ORDER BY a.id DESC LIMIT ${MOST_REFUSALS_PER_DAY}
    ) AS r
    WHERE r.at > clock_timestamp() - interval '1 day'`;
  return found;
}
