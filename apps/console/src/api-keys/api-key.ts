import type { components, paths } from '../api/generated/integration.ts';

/** An API key as the API returns it. */
export type ApiKey = components['schemas']['ApiKey'];
/** The request body that creates a key. */
export type NewApiKey = paths['/api-keys']['post']['requestBody']['content']['application/json'];
/** A permission of a key. */
export type Scope = NonNullable<NewApiKey['scopes']>[number];

/** How long before its expiry a key counts as expiring soon. The API's overview uses the same time. */
const SOON_MS = 14 * 86_400_000;

/** The state of a key. */
export type KeyState = 'revoked' | 'expired' | 'replaced' | 'expiring' | 'active';

/** Returns the state of a key at a given time. A replaced key still works until it expires. */
export function getKeyState({ revokedAt, expiresAt, rotatedAt }: ApiKey, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now.getTime();
  if (leftMs <= 0) return 'expired';
  if (rotatedAt !== null) return 'replaced';
  return leftMs < SOON_MS ? 'expiring' : 'active';
}

/** Whether a key in this state still works. */
export function isWorking(state: KeyState): boolean {
  return state !== 'revoked' && state !== 'expired';
}

/** A description of each scope. */
export const SCOPE_MEANINGS: Record<Scope, string> = {
  read: 'Everything in the workspace',
  'read:calls': 'Calls with their summaries',
  'read:engagement': 'Engagement events, views, share links and their heat-maps',
  'read:rooms': 'Rooms with their metrics, people, documents and contracts',
  'read:deliveries': 'The delivery log of the webhooks',
  webhooks: 'Register webhook endpoints for the data it may read, and test and remove them',
};

/** The scopes that each cover one kind of data. */
export const KINDS = (Object.keys(SCOPE_MEANINGS) as Scope[]).filter((scope) => scope.startsWith('read:'));

/** Returns a first request with a key, for a terminal. */
export function curlWith(key: string, origin: string): string {
  return `curl -H 'Authorization: Bearer ${key}' ${origin}/api/v1/status`;
}
