import type { Database } from '@deal-signals/db/database';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { type Company, companyId, findCompany, MAX_INTEGER } from './company.ts';
import { bearerChallenge, type Credential } from './credential.ts';
import { type TokenVerification, verifyToken } from './verify-token.ts';

/** An admin of a workspace, according to their session token. */
export interface AuthenticatedSession {
  userId: number;
  /** Whether the admin may manage integrations. */
  mayManage: boolean;
  expiresAt: Date;
  company: Company;
}

/** The permission that admins need. */
export const ADMIN_PERMISSION = 'integrations.crm';

const claims = z.object({
  sub: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((id) => id <= MAX_INTEGER),
  companyId,
  permissions: z.array(z.string()),
  exp: z.number(),
});

/**
 * Authenticates a session token.
 *
 * @throws ApiError SESSION_INVALID if the token is missing, malformed, wrongly signed, expired, not yet valid, valid for
 *   too long, for another audience, or of an unknown workspace; SERVICE_UNAVAILABLE if its key cannot be fetched now.
 */
export async function authenticateSession(
  { token }: Credential,
  db: Database,
  verification: TokenVerification,
): Promise<AuthenticatedSession> {
  const verified = await verifyToken(token, verification);
  if (verified === 'expired') throw invalidSession(token, { isCallerKnown: true });
  const { data } = claims.safeParse(verified);
  const company = data && (await findCompany(db, data.companyId));
  if (data === undefined || company === undefined) throw invalidSession(token);
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

function invalidSession(token: string, options: { isCallerKnown?: boolean } = {}): ApiError {
  return new ApiError('SESSION_INVALID', 'a valid admin session token is required', {
    headers: { 'WWW-Authenticate': bearerChallenge(token) },
    ...options,
  });
}
