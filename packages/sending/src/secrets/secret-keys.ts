import { z } from 'zod';

const KEY_BYTES = 32;
const KEY_MESSAGE = 'must be 32 bytes, as base64 or as 64 hexadecimal digits';
/** A key id is stored with each text. */
export const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const KEYS_MESSAGE =
  'must be id:key pairs separated by commas, with distinct ids of up to 32 letters, digits, hyphens and underscores, ' +
  'and keys of 32 bytes, as base64 or as 64 hexadecimal digits; one key may have no id';

/** The keys that encrypt signing secrets and custom headers at rest. */
export interface SecretKeys {
  /** The key that encrypts. If it has no id, its texts do not name it. */
  readonly current: { readonly id: string | null; readonly key: Buffer };
  /** The keys with ids, which decrypt the texts that name them. */
  readonly named: ReadonlyMap<string, Buffer>;
  /** The key without an id; null if there is none. */
  readonly unnamed: Buffer | null;
}

/** Parses `SECRETS_KEY`: one key, or several with ids. The first one encrypts, and all of them decrypt. */
export const secretKeys = z.string({ error: KEY_MESSAGE }).transform((text, context): SecretKeys => {
  const keys = decodeKeys(text);
  if (keys !== null) return keys;
  context.addIssue({ code: 'custom', message: /[:,]/.test(text) ? KEYS_MESSAGE : KEY_MESSAGE });
  return z.NEVER;
});

/** Returns the keys of a process with a single key, without an id. */
export function singleKey(key: Buffer): SecretKeys {
  return { current: { id: null, key }, named: new Map(), unnamed: key };
}

function decodeKeys(text: string): SecretKeys | null {
  const keys = text.includes(',')
    ? text.split(',').map((entry) => decodeEntry(entry.trim()))
    : [decodeEntry(text)];
  const known = keys.filter((key) => key !== null);
  const [current] = known;
  const ids = new Set(known.map(({ id }) => id));
  if (current === undefined || known.length < keys.length || ids.size < known.length) return null;
  return {
    current,
    named: new Map(known.flatMap(({ id, key }) => (id === null ? [] : [[id, key]]))),
    unnamed: known.find(({ id }) => id === null)?.key ?? null,
  };
}

function decodeEntry(entry: string): SecretKeys['current'] | null {
  const separator = entry.indexOf(':');
  const id = separator === -1 ? null : entry.slice(0, separator).trim();
  const key = decodeKey(id === null ? entry : entry.slice(separator + 1).trim());
  return key === null || (id !== null && !KEY_ID.test(id)) ? null : { id, key };
}

function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 characters and an optional padding character, in either alphabet.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}
