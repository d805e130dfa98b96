import { ApiError } from '../http/errors.ts';

/** What a key may read: everything, or the feeds of one kind. */
export const SCOPES = ['read', 'read:calls', 'read:engagement', 'read:rooms', 'read:deliveries'] as const;

/** The scope that a route requires. `read` contains all of them. */
export type Scope = Exclude<(typeof SCOPES)[number], 'read'>;

/** Whether a key may use what requires a scope. */
export function allowsScope(scopes: readonly string[], required: Scope): boolean {
  return scopes.includes('read') || scopes.includes(required);
}

/**
 * Checks that a key may use a route.
 *
 * @param required null for a route that every key may use.
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScope(scopes: readonly string[], required: Scope | null): void {
  if (required === null || allowsScope(scopes, required)) return;
  throw new ApiError('PERMISSION_DENIED', `the API key needs the scope ${required}`);
}
