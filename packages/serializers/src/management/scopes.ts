/** The scopes of a key: read everything, read the feeds of one kind, manage its own webhook endpoints. */
export const SCOPES = [
  'read',
  'read:calls',
  'read:engagement',
  'read:rooms',
  'read:deliveries',
  'webhooks',
] as const;

/** The scope that a route requires. `read` includes all of them except `webhooks`, which is the only one that allows changes. */
export type Scope = Exclude<(typeof SCOPES)[number], 'read'>;

/**
 * The scopes, one of which a key needs to see the hash of an erased person's address. They allow reading addresses anyway, and
 * the hash would confirm a guessed address.
 */
export const EMAIL_HASH_SCOPES = ['read:rooms', 'read:engagement'] as const satisfies readonly Scope[];
