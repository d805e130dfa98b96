import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The first byte of an encrypted text. It makes it possible to change the key or the cipher later. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * Encrypts a text for storage with AES-256-GCM, as version, IV, tag and ciphertext.
 *
 * @param purpose what the text is and whose. It is authenticated with the text, so a ciphertext that is moved elsewhere
 *   does not decrypt.
 */
export function encryptText(key: Buffer, purpose: string, text: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/**
 * Decrypts a stored text.
 *
 * @param what names it in the error, such as "signing secret".
 * @throws Error if it was encrypted with another key or for another purpose, or was altered.
 */
export function decryptText(key: Buffer, purpose: string, stored: Uint8Array, what: string): string {
  const bytes = Buffer.from(stored);
  if (bytes.length <= HEADER_BYTES || bytes[0] !== VERSION) {
    throw new Error(`the stored ${what} has an unknown format`);
  }
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new Error(`SECRETS_KEY does not decrypt the stored ${what}`, { cause });
  }
}
