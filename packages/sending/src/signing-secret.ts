import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The first byte of a stored secret. It makes it possible to change the key or the cipher later. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

const KEY_BYTES = 32;
const KEY_FORM = 'must be 32 bytes, as base64 or as 64 hexadecimal digits';

/** `SECRETS_KEY`: the key that encrypts signing secrets at rest. */
export const secretsKey = z
  .string({ error: KEY_FORM })
  .refine((value) => decodeKey(value) !== null, KEY_FORM)
  .transform((value) => decodeKey(value) ?? Buffer.alloc(0));

/** Creates a signing secret: `whsec_` and 32 random bytes as 43 base64url characters. */
export function mintSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Encrypts a signing secret for storage with AES-256-GCM, as version, IV, tag and ciphertext.
 *
 * The workspace id is authenticated with it, so a stored secret that is moved to another workspace does not decrypt.
 * The endpoint id is not, because it is assigned by the insert that already needs the ciphertext.
 */
export function encryptSigningSecret(key: Buffer, companyId: number, secret: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(companyId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/**
 * Decrypts a stored signing secret.
 * @throws Error if it was encrypted with another key or for another workspace, or was altered.
 */
export function decryptSigningSecret(key: Buffer, companyId: number, stored: Uint8Array): string {
  const bytes = Buffer.from(stored);
  if (bytes.length <= HEADER_BYTES || bytes[0] !== VERSION) {
    throw new Error('the stored signing secret has an unknown format');
  }
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(additionalData(companyId))
    .setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new Error('SECRETS_KEY does not decrypt the stored signing secret', { cause });
  }
}

function additionalData(companyId: number): Buffer {
  return Buffer.from(`webhook signing secret of company ${companyId}`);
}

function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 characters and an optional padding character, in either alphabet.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}
