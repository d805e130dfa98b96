import jwt from 'jsonwebtoken';

export interface SessionClaims {
  userId: number;
  companyId: number;
  permissions: string[];
  ttlSeconds: number;
}

/** What the management endpoints ask for. */
export const ADMIN_PERMISSION = 'integrations.crm';

/** Signs an admin session token as the product's own login would (HS256). */
export function signSessionToken(claims: SessionClaims, secret: string): string {
  return jwt.sign({ companyId: claims.companyId, permissions: claims.permissions }, secret, {
    algorithm: 'HS256',
    subject: String(claims.userId),
    expiresIn: claims.ttlSeconds,
  });
}
