import type { KeyObject } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { bearerToken } from './bearer.ts';

/** How session tokens are verified. The configuration sets the algorithm; a token cannot choose it. */
export interface SessionVerification {
  algorithm: 'HS256' | 'RS256' | 'ES256';
  key: KeyObject;
}

/** An admin of a workspace, as stated by their session token. */
export interface AuthenticatedSession {
  userId: number;
  company: { id: number; apiEnabled: boolean };
}

const ADMIN_PERMISSION = 'integrations.crm';
const MOST_INTEGER = 2_147_483_647;

const claims = z.object({
  sub: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((id) => id <= MOST_INTEGER),
  companyId: z.int().positive().max(MOST_INTEGER),
  permissions: z.array(z.string()),
  // `jwt.verify` checks the value, but accepts a token without one, which would never expire.
  exp: z.number(),
});

/**
 * Authenticates the session token in an `Authorization` header.
 *
 * @throws ApiError SESSION_INVALID if the token is missing, malformed, wrongly signed, expired, not yet valid, or of an
 *   unknown workspace; PERMISSION_DENIED if it lacks the permission to manage integrations.
 */
export async function authenticateSession(
  db: Database,
  verification: SessionVerification,
  authorization: string | undefined,
): Promise<AuthenticatedSession> {
  const token = bearerToken(authorization);
  if (token === undefined) throw invalidSession();
  const { data } = claims.safeParse(verifiedPayload(token, verification));
  if (data === undefined) throw invalidSession();
  const company = await db.company.findUnique({
    where: { id: data.companyId },
    select: { id: true, apiEnabled: true },
  });
  if (company === null) throw invalidSession();
  if (!data.permissions.includes(ADMIN_PERMISSION)) {
    throw new ApiError('PERMISSION_DENIED', `the session needs the permission ${ADMIN_PERMISSION}`);
  }
  return { userId: data.sub, company };
}

/** The payload of a token whose signature, `exp` and `nbf` are valid; undefined otherwise. */
function verifiedPayload(token: string, { algorithm, key }: SessionVerification): unknown {
  try {
    return jwt.verify(token, key, { algorithms: [algorithm] });
  } catch {
    return undefined;
  }
}

function invalidSession(): ApiError {
  return new ApiError('SESSION_INVALID', 'a valid admin session token is required', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
