import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';

/** Who asked for a change, a user or an API key, and in which request. */
export interface Requester {
  userId: number | null;
  apiKeyId: number | null;
  /** The id of the request in the API's log. The caller may have chosen it. */
  requestId: string;
  /** The id that the API generated for the request. */
  serverRequestId: string;
  ipAddress: string | null;
}

/** The entry of a change in the audit log. It must not contain keys, signing secrets or URLs: a URL may contain a secret. */
export interface AuditedChange {
  action: string;
  objectType: string;
  objectId: string;
  details?: object;
}

/**
 * Writes an audit record in the transaction of the change.
 *
 * @param requester null for a change by the system.
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
