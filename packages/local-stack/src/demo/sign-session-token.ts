import jwt from 'jsonwebtoken';

export interface SessionClaims {
  userId: number;
  companyId: number;
  permissions: string[];
  ttlSeconds: number;
}

/** The permission that the management endpoints require. */
export const ADMIN_PERMISSION = 'integrations.crm';

/** Signs an admin session token with HS256, as the product's login would. */
export function signSessionToken(claims: SessionClaims, secret: string): string {
  return jwt.sign({ companyId: claims.companyId, permissions: claims.permissions }, secret, {
    algorithm: 'HS256',
    subject: String(claims.userId),
    expiresIn: claims.ttlSeconds,
  });
}
