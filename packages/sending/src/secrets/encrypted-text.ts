import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKeys } from './secret-keys.ts';

/** The first byte of an encrypted text is its version: with or without a key id. */
const WITHOUT_KEY_ID = 1;
const WITH_KEY_ID = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A stored text cannot be decrypted with the keys of this process. */
export class UnreadableSecretError extends Error {}

/**
 * Encrypts a text for storage with AES-256-GCM. The result is a header, the IV, the tag and the ciphertext. The header is the
 * version and the id of the key, and is authenticated with the text.
 *
 * @param purpose what the text is and whom it belongs to. It is authenticated with the text, so a ciphertext that is moved
 *   elsewhere cannot be decrypted.
 */
export function encryptText({ current }: SecretKeys, purpose: string, text: string): Buffer<ArrayBuffer> {
  const header = encodeHeader(current.id);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(authenticated(header, purpose));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** Returns the first bytes of each text that a key encrypts. */
export function encodeHeader(keyId: string | null): Buffer<ArrayBuffer> {
  if (keyId === null) return Buffer.from([WITHOUT_KEY_ID]);
  return Buffer.concat([Buffer.from([WITH_KEY_ID, keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/**
 * Decrypts a stored text.
 *
 * @param what the name of the text in the error, such as "signing secret".
 * @throws UnreadableSecretError if it was altered, or encrypted with a missing key or for another purpose.
 */
export function decryptText(keys: SecretKeys, purpose: string, stored: Uint8Array, what: string): string {
  const bytes = Buffer.from(stored);
  const header = readHeader(bytes);
  if (header === null || bytes.length <= header.length + IV_BYTES + TAG_BYTES) {
    throw new UnreadableSecretError(`the stored ${what} has an unknown format`);
  }
  const keyId = header[0] === WITH_KEY_ID ? header.subarray(2).toString('latin1') : null;
  const iv = bytes.subarray(header.length, header.length + IV_BYTES);
  const tag = bytes.subarray(header.length + IV_BYTES, header.length + IV_BYTES + TAG_BYTES);
  const ciphertext = bytes.subarray(header.length + IV_BYTES + TAG_BYTES);
  let cause: unknown;
  for (const key of candidates(keys, keyId)) {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(authenticated(header, purpose))
      .setAuthTag(tag);
    try {
      return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      cause = error;
    }
  }
  throw new UnreadableSecretError(
    keyId !== null && !keys.named.has(keyId)
      ? `SECRETS_KEY has no key "${keyId}", which encrypts the stored ${what}`
      : `SECRETS_KEY does not decrypt the stored ${what}`,
    { cause },
  );
}

/**
 * Returns the keys to try. A text without a key id may be older than the id of its key, so any key may match. While a key is
 * being given an id, some processes have it without an id and read texts that name it.
 */
function candidates({ named, unnamed }: SecretKeys, keyId: string | null): Buffer[] {
  const rest = unnamed === null ? [] : [unnamed];
  if (keyId === null) return [...rest, ...named.values()];
  const key = named.get(keyId);
  return key === undefined ? rest : [key];
}

/** Returns the header of a stored text; null if its format is unknown. */
function readHeader(bytes: Buffer): Buffer | null {
  if (bytes[0] === WITHOUT_KEY_ID) return bytes.subarray(0, 1);
  const length = bytes[1];
  return bytes[0] === WITH_KEY_ID && length !== undefined ? bytes.subarray(0, 2 + length) : null;
}

/** Texts of the first version authenticate only their purpose. */
function authenticated(header: Buffer, purpose: string): Buffer {
  const text = Buffer.from(purpose);
  return header[0] === WITHOUT_KEY_ID ? text : Buffer.concat([header, text]);
}
