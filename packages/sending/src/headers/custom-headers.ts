import { decryptText, encryptText } from '../secrets/encrypted-text.ts';
import type { SecretKeys } from '../secrets/secret-keys.ts';

/** A header that an endpoint's owner wants on every request: its name as it was written, and its value. */
export type CustomHeader = readonly [name: string, value: string];

/** The result of checking a custom header. `reason` completes the sentence "the header ...". */
export type HeaderCheck = { ok: true } | { ok: false; reason: string };

/** How many custom headers an endpoint can have. */
export const MAX_HEADERS = 10;
export const MAX_NAME_CHARACTERS = 64;
export const MAX_VALUE_CHARACTERS = 4_096;
/** Of all names and values of an endpoint together: many servers refuse requests with more headers than this. */
export const MAX_CHARACTERS = 8_192;

/** Names in common use. The standard allows more characters, which some gateways do not. */
export const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** Visible ASCII characters, with spaces between them. Anything else reads differently in different servers. */
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Names that cannot be chosen:
 * - what we send ourselves, and what decides where a request goes or how its body is read;
 * - what concerns a single connection (hop-by-hop, RFC 9110 section 7.6.1);
 * - what says where a request comes from: a receiver may trust that if it comes from our addresses.
 */
const REFUSED_NAMES = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'traceparent',
  'tracestate',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const REFUSED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-forwarded-', 'x-service-'];

/** What is said of a name that has another form. */
export const NAME_FORM = `must have a name of at most ${MAX_NAME_CHARACTERS} letters, digits, dots, hyphens and underscores, a letter or digit first`;

/** Checks one custom header. The reason contains neither the name nor the value. */
export function checkHeader([name, value]: CustomHeader): HeaderCheck {
  if (name.length > MAX_NAME_CHARACTERS || !HEADER_NAME.test(name)) {
    return refuse(NAME_FORM);
  }
  const lower = name.toLowerCase();
  if (REFUSED_NAMES.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return refuse('must not be one that the service or a connection sets');
  }
  if (value.length > MAX_VALUE_CHARACTERS || !HEADER_VALUE.test(value)) {
    return refuse(
      `must have a value of 1 to ${MAX_VALUE_CHARACTERS} visible ASCII characters, with spaces only between them`,
    );
  }
  return { ok: true };
}

/** Encrypts the custom headers of an endpoint for storage, in the same way as a signing secret. */
export function encryptHeaders(
  keys: SecretKeys,
  companyId: number,
  headers: readonly CustomHeader[],
): Buffer<ArrayBuffer> {
  return encryptText(keys, purposeOf(companyId), JSON.stringify(headers));
}

/**
 * Decrypts stored custom headers.
 * @throws UnreadableSecretError if they were encrypted with a key that is not given or for another workspace, or were altered.
 */
export function decryptHeaders(keys: SecretKeys, companyId: number, stored: Uint8Array): CustomHeader[] {
  return JSON.parse(decryptText(keys, purposeOf(companyId), stored, 'custom headers')) as CustomHeader[];
}

function purposeOf(companyId: number): string {
  return `webhook headers of company ${companyId}`;
}

function refuse(reason: string): HeaderCheck {
  return { ok: false, reason };
}
