import { EMAIL_HASH_SCOPES, type Scope, SCOPES } from '@deal-signals/serializers/management/scopes';
import { ApiError } from '../http/errors.ts';

/** Reports whether a key has one of the required scopes; true if none is required. */
export function allowsOne(scopes: readonly string[], required: readonly (typeof SCOPES)[number][]): boolean {
  return required.length === 0 || required.some((scope) => allowsScope(scopes, scope));
}

/** Reports whether a key may see the hash of an erased person's address. */
export function allowsEmailHash(scopes: readonly string[]): boolean {
  return allowsOne(scopes, EMAIL_HASH_SCOPES);
}

/** Reports whether a key may use what requires a scope. */
export function allowsScope(scopes: readonly string[], required: (typeof SCOPES)[number]): boolean {
  return scopes.includes(required) || (required !== 'webhooks' && scopes.includes('read'));
}

/**
 * Checks that a key may use a route.
 *
 * @param required null for a route that every key may use.
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScope(scopes: readonly string[], required: Scope | null): void {
  if (required === null || allowsScope(scopes, required)) return;
  throw insufficientScope(scopes, [required], `the API key needs the scope ${required}`);
}

/** Returns the error for a credential without a scope, which says how to ask for it (RFC 6750) beside those that it has. */
export function insufficientScope(
  scopes: readonly string[],
  missing: readonly Scope[],
  message: string,
): ApiError {
  const challenge = `Bearer error="insufficient_scope", scope="${[...scopes, ...missing].join(' ')}"`;
  return new ApiError('PERMISSION_DENIED', message, { headers: { 'WWW-Authenticate': challenge } });
}
