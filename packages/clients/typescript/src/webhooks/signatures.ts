// Uses Web Crypto, because every runtime has it: Node.js, Deno, Bun, and edge runtimes without `node:crypto`. Its `verify`
// compares in constant time.

const SECRET_PREFIX = 'whsec_';
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** A key of one of the two signature schemes. */
export type SigningKey = CryptoKey;

const encoder = new TextEncoder();

/** Returns the key of `X-Service-Signature`: the text of the whole secret. */
export function serviceKey(secret: string): Promise<SigningKey> {
  return importKey(encoder.encode(secret));
}

/**
 * Returns the key of Standard Webhooks: the bytes that are base64-encoded after `whsec_`.
 *
 * @returns null for a secret in another format.
 */
export function standardKey(secret: string): Promise<SigningKey> | null {
  const bytes = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  return bytes === null || bytes.length === 0 ? null : importKey(bytes);
}

/** Returns the signed bytes: `<parts joined by dots>.<body>`. */
export function signedContent(parts: readonly string[], body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${parts.join('.')}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

/** Signs content. */
export async function sign(key: SigningKey, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, key, content));
}

/** Whether any of the signatures matches the content. */
export async function matches(
  key: SigningKey,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const signature of signatures) {
    if (await crypto.subtle.verify(ALGORITHM.name, key, signature, content)) return true;
  }
  return false;
}

/** Decodes base64 with its padding; null for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Decodes hexadecimal digits; null for anything else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Encodes bytes as hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<SigningKey> {
  return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign', 'verify']);
}
