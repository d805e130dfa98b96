import type { components, paths } from '../api/generated/integration.ts';

/** The record of an API key. */
export type ApiKey = components['schemas']['ApiKey'];
/** The body that creates a key. */
export type NewApiKey = paths['/api-keys']['post']['requestBody']['content']['application/json'];
/** What a key may do. */
export type Scope = NonNullable<NewApiKey['scopes']>[number];

/** How long before its end a key is said to expire soon, as in the overview of the API. */
const SOON_MS = 14 * 86_400_000;

/** Whether a key works, and for how long. */
export type KeyState = 'revoked' | 'expired' | 'replaced' | 'expiring' | 'active';

/** Whether a key works at a given moment. A replaced one still does, until it expires. */
export function stateOf({ revokedAt, expiresAt, rotatedAt }: ApiKey, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now.getTime();
  if (leftMs <= 0) return 'expired';
  if (rotatedAt !== null) return 'replaced';
  return leftMs < SOON_MS ? 'expiring' : 'active';
}

/** Whether a key in this state works. */
export function isWorking(state: KeyState): boolean {
  return state !== 'revoked' && state !== 'expired';
}

/** What each scope allows to read, and to do. */
export const SCOPE_MEANINGS: Record<Scope, string> = {
  read: 'Everything in the workspace',
  'read:calls': 'Calls with their summaries',
  'read:engagement': 'Engagement events, views, share links and their heat-maps',
  'read:rooms': 'Rooms with their metrics, people, documents and contracts',
  'read:deliveries': 'The delivery log of the webhooks',
  webhooks: 'Register webhook endpoints for what it may read, and test and remove them',
};

/** The scopes of kinds of data. */
export const KINDS = (Object.keys(SCOPE_MEANINGS) as Scope[]).filter((scope) => scope.startsWith('read:'));

/** A first request with a key, to be pasted into a terminal. */
export function curlWith(key: string, origin: string): string {
  return `curl -H 'Authorization: Bearer ${key}' ${origin}/api/v1/status`;
}
