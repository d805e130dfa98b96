import { randomBytes } from 'node:crypto';
import { decryptText, encryptText } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Creates a signing secret: `whsec_` and 32 random bytes in base64, which is the form that the libraries of Standard
 * Webhooks take.
 */
export function generateSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The bytes that a signing secret stands for. */
export function keyBytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/**
 * Encrypts a signing secret for storage.
 *
 * The workspace id is authenticated with it, so a stored secret that is moved to another workspace does not decrypt.
 * The endpoint id is not, because it is assigned by the insert that already needs the ciphertext.
 */
export function encryptSigningSecret(
  keys: SecretKeys,
  companyId: number,
  secret: string,
): Buffer<ArrayBuffer> {
  return encryptText(keys, purposeOf(companyId), secret);
}

/**
 * Decrypts a stored signing secret.
 * @throws UnreadableSecretError if it was encrypted with a key that is not given or for another workspace, or was altered.
 */
export function decryptSigningSecret(keys: SecretKeys, companyId: number, stored: Uint8Array): string {
  return decryptText(keys, purposeOf(companyId), stored, 'signing secret');
}

function purposeOf(companyId: number): string {
  return `webhook signing secret of company ${companyId}`;
}
