import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';

/** Who asked for a change, a user or an API key, and by which request. */
export interface Requester {
  userId: number | null;
  apiKeyId: number | null;
  /** The id of the request in the log of the API, which the caller may have chosen. */
  requestId: string;
  /** The id that the API gave the request itself. */
  serverRequestId: string;
  ipAddress: string | null;
}

/** What the audit log says about a change. It must contain no key, no signing secret and no URL: a URL may contain a secret. */
export interface AuditedChange {
  action: string;
  objectType: string;
  objectId: string;
  details?: object;
}

/**
 * Writes an audit record in the transaction of the change.
 *
 * @param requester null if the system acted by itself.
 */
export async function recordAudit(
  { tx, companyId, at, takeIds }: AnyFeedTransaction,
  requester: Requester | null,
  { action, objectType, objectId, details = {} }: AuditedChange,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_records (company_id, id, at, user_id, api_key_id, request_id, server_request_id, ip_address, action,
      object_type, object_id, details)
    VALUES (${companyId}, ${takeIds('audit_records', 1)}, ${at}, ${requester?.userId ?? null}::int,
      ${requester?.apiKeyId ?? null}::int, ${requester?.requestId ?? null}, ${requester?.serverRequestId ?? null},
      ${requester?.ipAddress ?? null}, ${action}, ${objectType}, ${objectId}, ${JSON.stringify(details)}::jsonb)`;
}
