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
