import jwt from 'jsonwebtoken';

export interface SessionClaims {
  userId: number;
  companyId: number;
  permissions: string[];
  ttlSeconds: number;
}

/** The permission that the management endpoints require. */
export const ADMIN_PERMISSION = 'integrations.crm';

/** The values that the API may require of a session token, from its environment variables. */
export interface SessionParties {
  /** The `iss` of the token; left out by default. */
  issuer?: string;
  /** The `aud` of the token; left out by default. */
  audience?: string;
}

/** Returns the issuer and the audience that the API requires in an environment. An empty variable counts as not set. */
export function sessionParties(environment: NodeJS.ProcessEnv): SessionParties {
  const { SESSION_JWT_ISSUER: issuer, SESSION_JWT_AUDIENCE: audience } = environment;
  return { ...(issuer && { issuer }), ...(audience && { audience }) };
}

/** Signs an admin session token with HS256, as the product's login would. */
export function signSessionToken(
  claims: SessionClaims,
  secret: string,
  parties: SessionParties = {},
): string {
  return jwt.sign({ companyId: claims.companyId, permissions: claims.permissions }, secret, {
    algorithm: 'HS256',
    subject: String(claims.userId),
    expiresIn: claims.ttlSeconds,
    ...parties,
  });
}
