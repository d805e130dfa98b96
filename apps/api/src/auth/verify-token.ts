import type { KeyObject } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../http/errors.ts';

/** The algorithms of published keys. With a shared secret among them, a published key could serve as the secret. */
export const PUBLIC_KEY_ALGORITHMS =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Maximum lifetime of a token. Tokens cannot be revoked, and the console keeps its token in the browser tab, so a token ends
 * within a day. The issuer issues a new one on request. A minute more allows for the issuer's clock.
 */
const MAX_AGE_SECONDS = 24 * 60 * 60 + 60;

/** How tokens are verified. The configuration sets the algorithms and where the keys come from; a token cannot choose them. */
export interface TokenVerification {
  algorithms: readonly string[];
  /** Keys that are tried one after the other, or a function that finds the key which a token names. */
  keys: readonly (KeyObject | JWTVerifyGetKey)[];
  /** The `iss` that a token must have; null if it is not checked. */
  issuer: string | null;
  /** The `aud` that a token must have, alone or in its list; null if it is not checked. */
  audience: string | null;
}

/**
 * Verifies a JSON Web Token.
 *
 * @returns its payload if the signature, `exp`, `nbf`, `iss` and `aud` are valid; `expired` if only `exp` is not; otherwise
 *   undefined.
 * @throws ApiError SERVICE_UNAVAILABLE if its key cannot be fetched now.
 */
export async function verifyToken(
  token: string,
  { algorithms, keys, issuer, audience }: TokenVerification,
): Promise<JWTPayload | 'expired' | undefined> {
  const expected = {
    algorithms: [...algorithms],
    requiredClaims: ['exp'],
    ...(issuer !== null && { issuer }),
    ...(audience !== null && { audience }),
  };
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key as JWTVerifyGetKey, expected);
      const isShortLived = payload.exp! - Date.now() / 1_000 <= MAX_AGE_SECONDS;
      return isShortLived && hasExactNumbers(payload) ? payload : undefined;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // The signature and the other claims are checked before the times.
      if (error instanceof errors.JWTExpired) return 'expired';
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
