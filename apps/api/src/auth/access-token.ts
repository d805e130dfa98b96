import { hash } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import { SCOPES } from '@deal-signals/serializers/management/scopes';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { type Company, companyId, findCompany } from './company.ts';
import { bearerChallenge, type Credential } from './credential.ts';
import { type TokenVerification, verifyToken } from './verify-token.ts';

/** The scopes that an access token can have. It cannot change anything. */
export const TOKEN_SCOPES = SCOPES.filter((scope) => scope !== 'webhooks');

/** An assistant that acts for a user of a workspace, according to its access token. */
export interface AuthenticatedToken {
  /** Identifies the assistant in the log. */
  clientId: string;
  /** Identifies the assistant within its workspace, for limits. */
  digest: string;
  scopes: string[];
  company: Company;
}

const claims = z.object({
  companyId,
  scope: z.string().default(''),
  // RFC 9068 has `client_id`; OpenID Connect has `azp`.
  client_id: z.string().optional(),
  azp: z.string().optional(),
  sub: z.string().optional(),
  // Such a token is bound to a key of its client, so whoever merely has the token may have stolen it (RFC 9449).
  cnf: z.undefined().optional(),
});

/**
 * Authenticates an OAuth access token, a JSON Web Token.
 *
 * @throws ApiError API_KEY_INVALID if the token is missing, malformed, wrongly signed, expired, not yet valid, valid for too
 *   long, for another audience, or of no known workspace; SERVICE_UNAVAILABLE if its key cannot be fetched now.
 */
export async function authenticateAccessToken(
  { token }: Credential,
  db: Database,
  verification: TokenVerification,
): Promise<AuthenticatedToken> {
  const verified = await verifyToken(token, verification);
  if (verified === 'expired') throw invalidToken(token, { isCallerKnown: true });
  const { data } = claims.safeParse(verified);
  const clientId = data?.client_id ?? data?.azp ?? data?.sub;
  const company = data && (await findCompany(db, data.companyId));
  if (clientId === undefined || company === undefined) throw invalidToken(token);
  const granted = new Set(data!.scope.split(' '));
  return {
    clientId: clientId.slice(0, 200),
    digest: hash('sha256', `${company.id} ${clientId}`, 'base64url'),
    scopes: TOKEN_SCOPES.filter((scope) => granted.has(scope)),
    company,
  };
}

function invalidToken(token: string, options: { isCallerKnown?: boolean } = {}): ApiError {
  return new ApiError('API_KEY_INVALID', 'a valid API key or access token is required', {
    headers: { 'WWW-Authenticate': bearerChallenge(token) },
    ...options,
  });
}
