import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKeys } from './secret-keys.ts';

/** The first byte of an encrypted text says whether it names its key. */
const WITHOUT_KEY_ID = 1;
const WITH_KEY_ID = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A stored text does not decrypt with the keys that this process has. */
export class UnreadableSecretError extends Error {}

/**
 * Encrypts a text for storage with AES-256-GCM, as a header, IV, tag and ciphertext. The header is a version and the id of
 * the key. It is authenticated with the text.
 *
 * @param purpose what the text is and whose. It is authenticated with the text, so a ciphertext that is moved elsewhere
 *   does not decrypt.
 */
export function encryptText({ current }: SecretKeys, purpose: string, text: string): Buffer<ArrayBuffer> {
  const header = headerOf(current.id);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(authenticated(header, purpose));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** The first bytes of each text that the current key has encrypted. */
export function headerOf(keyId: string | null): Buffer<ArrayBuffer> {
  if (keyId === null) return Buffer.from([WITHOUT_KEY_ID]);
  return Buffer.concat([Buffer.from([WITH_KEY_ID, keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/**
 * Decrypts a stored text.
 *
 * @param what names it in the error, such as "signing secret".
 * @throws UnreadableSecretError if it was encrypted with a key that is not given or for another purpose, or was altered.
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
 * The keys to try. A text that names no key may be of a time when its key had no id, so any key may be that one. While a key
 * gets an id, some processes have it without, and texts of the others name it.
 */
function candidates({ named, unnamed }: SecretKeys, keyId: string | null): Buffer[] {
  const rest = unnamed === null ? [] : [unnamed];
  if (keyId === null) return [...rest, ...named.values()];
  const key = named.get(keyId);
  return key === undefined ? rest : [key];
}

/** The header of a stored text; null if it has none that we know. */
function readHeader(bytes: Buffer): Buffer | null {
  if (bytes[0] === WITHOUT_KEY_ID) return bytes.subarray(0, 1);
  const length = bytes[1];
  return bytes[0] === WITH_KEY_ID && length !== undefined ? bytes.subarray(0, 2 + length) : null;
}

/** Texts of the first version authenticate their purpose alone. */
function authenticated(header: Buffer, purpose: string): Buffer {
  const text = Buffer.from(purpose);
  return header[0] === WITHOUT_KEY_ID ? text : Buffer.concat([header, text]);
}
