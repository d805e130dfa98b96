import type { KeyObject } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import type { Credential } from './credential.ts';

/** How session tokens are verified. The configuration sets the algorithm and the keys; a token cannot choose them. */
export interface SessionVerification {
  algorithm: 'HS256' | 'RS256' | 'ES256';
  /** The current key and, during a rotation, the previous one. */
  keys: readonly KeyObject[];
  /** The `iss` that a token must have; null if it is not checked. */
  issuer: string | null;
  /** The `aud` that a token must have, alone or in its list; null if it is not checked. */
  audience: string | null;
}

/** An admin of a workspace, according to their session token. */
export interface AuthenticatedSession {
  userId: number;
  /** Whether the admin may manage integrations. */
  mayManage: boolean;
  expiresAt: Date;
  company: { id: number; apiEnabled: boolean };
}

/** The permission that admins need. */
export const ADMIN_PERMISSION = 'integrations.crm';
const MAX_INTEGER = 2_147_483_647;
/**
 * Maximum lifetime of a token. Tokens cannot be revoked, and the console keeps its token in the browser tab, so a token ends
 * within a day. The login issues a new one on request.
 */
const MAX_AGE_SECONDS = 24 * 60 * 60;

const claims = z.object({
  sub: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((id) => id <= MAX_INTEGER),
  companyId: z.int().positive().max(MAX_INTEGER),
  permissions: z.array(z.string()),
  // `jwt.verify` checks `exp` if present, but accepts a token without it, which would never expire.
  exp: z.number(),
});

/**
 * Authenticates a session token.
 *
 * @throws ApiError SESSION_INVALID if the token is missing, malformed, wrongly signed, expired, not yet valid, valid for
 *   too long, for another audience, or of an unknown workspace.
 */
export async function authenticateSession(
  { token }: Credential,
  db: Database,
  verification: SessionVerification,
): Promise<AuthenticatedSession> {
  const verified = verifyToken(token, verification);
  if (verified === 'expired') throw invalidSession({ isCallerKnown: true });
  const { data } = claims.safeParse(verified);
  if (data === undefined) throw invalidSession();
  if (data.exp - Date.now() / 1000 > MAX_AGE_SECONDS) throw invalidSession();
  const query = Prisma.sql`SELECT id, api_enabled AS "apiEnabled" FROM companies WHERE id = ${data.companyId}`;
  const [company] = await db.query<AuthenticatedSession['company']>(query);
  if (company === undefined) throw invalidSession();
  return {
    userId: data.sub,
    mayManage: data.permissions.includes(ADMIN_PERMISSION),
    expiresAt: new Date(data.exp * 1000),
    company,
  };
}

/** @throws ApiError PERMISSION_DENIED if a session lacks the permission to manage integrations. */
export function requirePermission({ mayManage }: AuthenticatedSession): void {
  if (!mayManage) {
    throw new ApiError('PERMISSION_DENIED', `the session needs the permission ${ADMIN_PERMISSION}`);
  }
}

/**
 * Returns the payload of a token whose signature, `exp`, `nbf`, `iss` and `aud` are valid; `expired` if only `exp` is not;
 * otherwise undefined.
 */
function verifyToken(token: string, verification: SessionVerification): unknown {
  const { algorithm, keys, issuer, audience } = verification;
  for (const key of keys) {
    try {
      const { header, payload } = jwt.verify(token, key, {
        algorithms: [algorithm],
        complete: true,
        ...(issuer !== null && { issuer }),
        ...(audience !== null && { audience }),
      });
      // `crit` lists the header extensions that a verifier must understand (RFC 7515, section 4.1.11). None is supported.
      if ('crit' in header || !hasExactNumbers(payload)) return undefined;
      return payload;
    } catch (error) {
      // The signature is checked before the times.
      if (error instanceof jwt.TokenExpiredError) return 'expired';
      // Another key may verify the token.
    }
  }
  return undefined;
}

/**
 * Reports whether all numbers in a claim are safe for every JSON reader. 1e300 is no valid time or id, and JavaScript reads 1e400
 * as Infinity.
 */
function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasExactNumbers);
}

function invalidSession(options: { isCallerKnown?: boolean } = {}): ApiError {
  return new ApiError('SESSION_INVALID', 'a valid admin session token is required', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    ...options,
  });
}
