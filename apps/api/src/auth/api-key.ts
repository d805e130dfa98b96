import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { ApiError } from '../http/errors.ts';
import { bearerChallenge, type Credential } from './credential.ts';
import type { CredentialLookup } from './credential-lookup.ts';

/** A valid API key, and the workspace it can read. */
export interface AuthenticatedKey {
  id: number;
  name: string;
  prefix: string;
  scopes: string[];
  /** The networks that the key may be used from. Empty: all networks. */
  allowedNetworks: string[];
  createdAt: Date;
  /** When the key was last used before this request, to the minute. */
  lastUsedAt: Date | null;
  /**
   * The first key in this key's chain of rotations, possibly the key itself. It owns the objects that any key of the chain
   * created.
   */
  originId: number;
  company: { id: number; name: string; apiEnabled: boolean };
}

interface KeyRow extends Omit<AuthenticatedKey, 'company'> {
  isStale: boolean;
  companyId: number;
  companyName: string;
  apiEnabled: boolean;
}

/**
 * Authenticates an API key. Every request looks up its key in the database, so a key that was revoked or has expired fails
 * from the next request on.
 *
 * @throws ApiError API_KEY_INVALID if the key is missing, malformed, unknown, revoked or expired.
 */
export async function authenticateKey(
  { token, isApiKey, digest }: Credential,
  db: Database,
  logger: Logger,
  lookup: CredentialLookup<AuthenticatedKey>,
): Promise<AuthenticatedKey> {
  if (!isApiKey) throw invalidKey(token);
  return lookup(digest, () => findKey(db, logger, token, digest));
}

async function findKey(
  db: Database,
  logger: Logger,
  token: string,
  digest: string,
): Promise<AuthenticatedKey> {
  const hash = Buffer.from(digest, 'base64url');
  const query = Prisma.sql`
    SELECT k.id, k.name, k.prefix, k.scopes, k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt",
           k.allowed_networks AS "allowedNetworks", coalesce(k.origin_id, k.id) AS "originId",
           coalesce(k.last_used_at < now() - interval '1 minute', true) AS "isStale",
           c.id AS "companyId", c.name AS "companyName", c.api_enabled AS "apiEnabled"
    FROM api_keys k
    JOIN companies c ON c.id = k.company_id
    WHERE k.key_hash = ${hash} AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`;
  const [row] = await db.query<KeyRow>(query);
  if (row === undefined) throw invalidKey(token);
  // Not awaited: the request must neither wait for this update nor fail because of it.
  if (row.isStale && !recording.has(digest)) void recordUse(db, logger, row, digest);
  const { isStale: _isStale, companyId, companyName, apiEnabled, ...key } = row;
  return { ...key, company: { id: companyId, name: companyName, apiEnabled } };
}

/** The digests of keys whose use is being recorded. If the row is locked, only one request of a busy key waits for it. */
const recording = new Set<string>();

/** Updates `lastUsedAt`. The statement checks the age again, because several processes may have read the stale value at once. */
async function recordUse(
  db: Database,
  logger: Logger,
  { companyId, id: keyId }: Pick<KeyRow, 'companyId' | 'id'>,
  digest: string,
): Promise<void> {
  recording.add(digest);
  try {
    await db.$executeRaw`
      UPDATE api_keys SET last_used_at = now()
      WHERE company_id = ${companyId} AND id = ${keyId}
        AND coalesce(last_used_at < now() - interval '1 minute', true)`;
  } catch (error) {
    logger.warn('could not record the last use of an API key', { keyId, ...describeError(error) });
  } finally {
    recording.delete(digest);
  }
}

function invalidKey(token: string): ApiError {
  return new ApiError('API_KEY_INVALID', 'a valid API key is required', {
    headers: { 'WWW-Authenticate': bearerChallenge(token) },
  });
}
