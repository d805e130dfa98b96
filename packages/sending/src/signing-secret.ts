import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { decryptText, encryptText } from './encrypted-text.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

const KEY_BYTES = 32;
const KEY_FORM = 'must be 32 bytes, as base64 or as 64 hexadecimal digits';

/** `SECRETS_KEY`: the key that encrypts signing secrets and custom headers at rest. */
export const secretsKey = z
  .string({ error: KEY_FORM })
  .refine((value) => decodeKey(value) !== null, KEY_FORM)
  .transform((value) => decodeKey(value) ?? Buffer.alloc(0));

/**
 * Creates a signing secret: `whsec_` and 32 random bytes in base64, which is the form that the libraries of Standard
 * Webhooks take. Secrets of earlier versions are in base64url without padding.
 */
export function mintSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The bytes that a signing secret stands for. Node decodes both alphabets of base64, with and without padding. */
export function keyBytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/**
 * Encrypts a signing secret for storage.
 *
 * The workspace id is authenticated with it, so a stored secret that is moved to another workspace does not decrypt.
 * The endpoint id is not, because it is assigned by the insert that already needs the ciphertext.
 */
export function encryptSigningSecret(key: Buffer, companyId: number, secret: string): Buffer<ArrayBuffer> {
  return encryptText(key, purposeOf(companyId), secret);
}

/**
 * Decrypts a stored signing secret.
 * @throws Error if it was encrypted with another key or for another workspace, or was altered.
 */
export function decryptSigningSecret(key: Buffer, companyId: number, stored: Uint8Array): string {
  return decryptText(key, purposeOf(companyId), stored, 'signing secret');
}

function purposeOf(companyId: number): string {
  return `webhook signing secret of company ${companyId}`;
}

function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 characters and an optional padding character, in either alphabet.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}
