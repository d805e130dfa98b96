import { z } from 'zod';

const KEY_BYTES = 32;
const KEY_FORM = 'must be 32 bytes, as base64 or as 64 hexadecimal digits';
/** A key id is stored next to each text. */
export const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const KEYS_FORM =
  'must be id:key pairs separated by commas, with distinct ids of up to 32 letters, digits, hyphens and underscores, ' +
  'and keys of 32 bytes, as base64 or as 64 hexadecimal digits';

/** The keys that encrypt signing secrets and custom headers at rest. */
export interface SecretKeys {
  /** The key that encrypts. Without an id, texts do not name their key, as in the versions that had only one. */
  readonly current: { readonly id: string | null; readonly key: Buffer };
  /** The keys that decrypt the texts that name them. */
  readonly named: ReadonlyMap<string, Buffer>;
  /** The key of `SECRETS_KEY`; null without it. */
  readonly unnamed: Buffer | null;
}

/** `SECRETS_KEY`: the only key, or the key of texts that name none. */
export const secretsKey = z
  .string({ error: KEY_FORM })
  .refine((value) => decodeKey(value) !== null, KEY_FORM)
  .transform((value) => decodeKey(value) ?? Buffer.alloc(0));

/** `SECRETS_KEYS`: several keys with their ids. The first one encrypts, and all decrypt. */
export const secretsKeys = z
  .string()
  .refine((value) => decodeKeys(value) !== null, KEYS_FORM)
  .transform((value): readonly NamedKey[] => decodeKeys(value) ?? []);

type NamedKey = readonly [id: string, key: Buffer];

/** The environment variables of a process that reads secrets. */
export const secretVariables = { SECRETS_KEY: secretsKey.optional(), SECRETS_KEYS: secretsKeys.optional() };

const variables = z.object(secretVariables);

const NO_KEY = `${KEY_FORM}, unless SECRETS_KEYS is set`;
/** What to say if there is no key. */
export const NO_SECRET_KEYS = `SECRETS_KEY: ${NO_KEY}`;

/** For `refine`: whether there is a key. */
export function hasSecretKey(given: z.infer<typeof variables>): boolean {
  return given.SECRETS_KEY !== undefined || given.SECRETS_KEYS !== undefined;
}

/** For `refine`: the issue of an environment without a key. It is reported also if other variables are wrong. */
export const NO_KEY_ISSUE = {
  path: ['SECRETS_KEY'],
  error: NO_KEY,
  when: ({ issues }: z.core.ParsePayload) =>
    !issues.some(({ path }) => String(path?.[0]).startsWith('SECRETS_KEY')),
};

/** The keys of an environment; null if there are none. */
export function secretKeys({
  SECRETS_KEY: unnamed,
  SECRETS_KEYS: named = [],
}: z.infer<typeof variables>): SecretKeys | null {
  const [first] = named;
  if (first !== undefined) {
    return { current: { id: first[0], key: first[1] }, named: new Map(named), unnamed: unnamed ?? null };
  }
  return unnamed === undefined ? null : singleKey(unnamed);
}

/** The keys of a process that only has `SECRETS_KEY`. */
export function singleKey(key: Buffer): SecretKeys {
  return { current: { id: null, key }, named: new Map(), unnamed: key };
}

function decodeKeys(text: string): readonly NamedKey[] | null {
  const keys: NamedKey[] = [];
  for (const pair of text.split(',')) {
    const separator = pair.indexOf(':');
    const id = pair.slice(0, Math.max(separator, 0)).trim();
    const key = decodeKey(pair.slice(separator + 1).trim());
    if (!KEY_ID.test(id) || key === null) return null;
    keys.push([id, key]);
  }
  return new Set(keys.map(([id]) => id)).size === keys.length ? keys : null;
}

function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 characters and an optional padding character, in either alphabet.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}
