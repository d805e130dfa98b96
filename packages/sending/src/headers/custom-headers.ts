import { decryptText, encryptText } from '../secrets/encrypted-text.ts';
import type { SecretKeys } from '../secrets/secret-keys.ts';

/** A header that an endpoint's owner adds to every request: its name as written, and its value. */
export type CustomHeader = readonly [name: string, value: string];

/** The result of checking a custom header. `reason` completes the sentence "the header ...". */
export type HeaderCheck = { ok: true } | { ok: false; reason: string };

/** Maximum number of custom headers of an endpoint. */
export const MAX_HEADERS = 10;
export const MAX_NAME_CHARACTERS = 64;
export const MAX_VALUE_CHARACTERS = 4_096;
/** Maximum characters of all names and values of an endpoint together. Many servers reject requests with more. */
export const MAX_CHARACTERS = 8_192;

/** Characters in common use. The standard allows more, but some gateways do not. */
export const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** Visible ASCII characters, with spaces between them. Servers interpret other characters differently. */
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Names that must not be used:
 * - headers that the service sends, and headers that decide where a request goes or how its body is read;
 * - headers of a single connection (hop-by-hop, RFC 9110 section 7.6.1);
 * - headers that state the origin of a request: a receiver may trust them from our addresses.
 */
const RESERVED_NAMES = new Set([
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
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-forwarded-', 'x-service-'];

/** The reason for a name of another form. */
export const NAME_MESSAGE = `must have a name of at most ${MAX_NAME_CHARACTERS} letters, digits, dots, hyphens and underscores, a letter or digit first`;

/** Checks one custom header. The reason contains neither the name nor the value. */
export function checkHeader([name, value]: CustomHeader): HeaderCheck {
  if (name.length > MAX_NAME_CHARACTERS || !HEADER_NAME.test(name)) {
    return invalid(NAME_MESSAGE);
  }
  const lower = name.toLowerCase();
  if (RESERVED_NAMES.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return invalid('must not be one that the service or a connection sets');
  }
  if (value.length > MAX_VALUE_CHARACTERS || !HEADER_VALUE.test(value)) {
    return invalid(
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
  return encryptText(keys, encryptionPurpose(companyId), JSON.stringify(headers));
}

/**
 * Decrypts stored custom headers.
 *
 * @throws UnreadableSecretError if they were altered, or encrypted with a missing key or for another workspace.
 */
export function decryptHeaders(keys: SecretKeys, companyId: number, stored: Uint8Array): CustomHeader[] {
  return JSON.parse(
    decryptText(keys, encryptionPurpose(companyId), stored, 'custom headers'),
  ) as CustomHeader[];
}

function encryptionPurpose(companyId: number): string {
  return `webhook headers of company ${companyId}`;
}

function invalid(reason: string): HeaderCheck {
  return { ok: false, reason };
}
