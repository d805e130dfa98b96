import { hash, randomBytes } from 'node:crypto';

const LIVE_PREFIX = 'dsk_live_';
const RANDOM_BYTES = 32;
/** Number of leading characters of a key that are stored in plain text, to identify it. */
const SHOWN_CHARACTERS = 13;

const FORM = new RegExp(`^${LIVE_PREFIX}[A-Za-z0-9_-]{43}$`);

/** A newly created API key. */
export interface GeneratedKey {
  /** The key itself. It is shown to its owner once and never stored. */
  key: string;
  prefix: string;
  /** SHA-256 of the key, which is stored instead of it. The key has 256 random bits, so a slow password hash would add nothing. */
  hash: Buffer<ArrayBuffer>;
}

/** Creates an API key: the live prefix and 32 random bytes as 43 base64url characters. */
export function generateApiKey(): GeneratedKey {
  const key = LIVE_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return { key, prefix: key.slice(0, SHOWN_CHARACTERS), hash: hash('sha256', key, 'buffer') };
}

/** Reports whether text has the form of an API key. Other text need not be looked up. */
export function looksLikeApiKey(text: string): boolean {
  return FORM.test(text);
}
