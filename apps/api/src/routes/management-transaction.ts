import type { Database } from '@deal-signals/db/database';
import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { Prisma } from '@deal-signals/db/generated/client';
import { recordAudit } from '@deal-signals/outbox/record-audit';
import type { AuditAction, AuditObjectType } from '@deal-signals/serializers/management/audit-record';
import { requireFeature, unavailable } from '../http/errors.ts';
import type { Caller } from '../http/route.ts';

/**
 * The record of a management write in the audit log, without who made it and when. It must not contain a key, a signing secret,
 * or a URL, because a URL may contain a secret. The host of a URL is allowed.
 */
export interface AuditEntry {
  action: AuditAction;
  objectType: AuditObjectType;
  objectId: number | bigint | string;
  details?: Prisma.InputJsonObject;
}

/** The result of a management write, and its audit entry: null if the write changed nothing. */
export interface ManagementWrite<Result> {
  result: Result;
  audit: AuditEntry | null;
}

/**
 * Maximum time that a management write waits for the feed clock, which every capture of the workspace takes as well. A capture
 * takes milliseconds. If one takes longer, the admin can try again; the write must not hold a database connection for that time.
 */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Runs a management write and its audit record in one transaction.
 *
 * The writes of a workspace run one at a time and wait before they take a connection, so waiting writes do not exhaust the
 * connection pool. Between processes, the feed clock serializes them, because the audit log is a feed. So it is safe to count the
 * keys or endpoints before adding one, and the data of the workspace does not change until the commit.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if another transaction holds the clock or a row for too long.
 */
export async function inManagementTransaction<Result>(
  db: Database,
  { companyId, requester, slot }: Caller,
  write: (feed: FeedTransaction) => Promise<ManagementWrite<Result>>,
): Promise<Result> {
  const writeAudited = async (feed: FeedTransaction): Promise<Result> => {
    const [company] = await feed.tx.$queryRaw<{ apiEnabled: boolean }[]>`
      SELECT api_enabled AS "apiEnabled" FROM companies WHERE id = ${companyId}`;
    // The API may have been switched off since the session was authenticated. A new endpoint would not be suspended.
    if (company !== undefined) requireFeature(company);
    const { result, audit } = await write(feed);
    if (audit !== null) await recordAudit(feed, requester, { ...audit, objectId: String(audit.objectId) });
    return result;
  };
  try {
    return await slot.write(() =>
      inFeedTransaction(db, companyId, writeAudited, { lockTimeoutMs: LOCK_TIMEOUT_MS }),
    );
  } catch (error) {
    if (databaseFailure(error)?.sqlState === LOCK_NOT_AVAILABLE) {
      throw unavailable('data of this workspace is being captured; try again later', error);
    }
    throw error;
  }
}
