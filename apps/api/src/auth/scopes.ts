import { ApiError } from '../http/errors.ts';

/** What a key may do: read everything, read the feeds of one kind, look after webhook endpoints of its own. */
export const SCOPES = [
  'read',
  'read:calls',
  'read:engagement',
  'read:rooms',
  'read:deliveries',
  'webhooks',
] as const;

/** The scope that a route requires. `read` contains all of them except `webhooks`, which is the only one to change anything. */
export type Scope = Exclude<(typeof SCOPES)[number], 'read'>;

/**
 * The scopes of which a key needs one to see the hash of an erased person's address. They let it read addresses anyway, and the
 * hash confirms a guessed address.
 */
export const EMAIL_HASH_SCOPES = ['read:rooms', 'read:engagement'] as const satisfies readonly Scope[];

/** Whether a key has one of some scopes; true without any. */
export function allowsOne(scopes: readonly string[], required: readonly (typeof SCOPES)[number][]): boolean {
  return required.length === 0 || required.some((scope) => allowsScope(scopes, scope));
}

/** Whether a key may see the hash of an erased person's address. */
export function allowsEmailHash(scopes: readonly string[]): boolean {
  return allowsOne(scopes, EMAIL_HASH_SCOPES);
}

/** Whether a key may use what requires a scope. */
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
  throw new ApiError('PERMISSION_DENIED', `the API key needs the scope ${required}`);
}
