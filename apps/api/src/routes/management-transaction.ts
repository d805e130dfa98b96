import type { Database } from '@deal-signals/db/database';
import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import type { Prisma } from '@deal-signals/db/generated/client';
import { recordAudit } from '@deal-signals/outbox/record-audit';
import type { AuditAction, AuditObjectType } from '@deal-signals/serializers/management/audit-record';
import { requireFeature, unavailable } from '../http/errors.ts';
import type { Caller } from '../http/route.ts';

/**
 * What the audit log records about a management write, in addition to who made it and when. It must not contain a key,
 * a signing secret, or a URL, because a URL may contain a secret. The host of a URL is allowed.
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
 * How long a management write waits for the feed clock, which every capture of the workspace takes too. A capture takes
 * milliseconds. While one takes longer, the admin can try again; the write must not keep a database connection for that time.
 */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Runs a management write and its audit record in one transaction.
 *
 * The writes of a workspace take turns before they take a connection, so those that wait for each other never hold the
 * connection pool. Between processes the feed clock does the same: the audit log is a feed. So counting the keys or endpoints
 * before adding one is safe, and what is read of the workspace does not change until the commit.
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
    // The API may have been switched off since the session was checked. An endpoint added now would not be suspended.
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
