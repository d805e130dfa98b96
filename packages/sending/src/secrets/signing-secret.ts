import { randomBytes } from 'node:crypto';
import { decryptText, encryptText } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Generates a signing secret: `whsec_` and 32 random bytes in base64, the form that the libraries of Standard Webhooks expect.
 */
export function generateSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Returns the bytes that a signing secret encodes. */
export function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/**
 * Encrypts a signing secret for storage.
 *
 * The workspace id is authenticated with it, so a stored secret that is moved to another workspace cannot be decrypted. The
 * endpoint id is not, because the insert that assigns it already needs the ciphertext.
 */
export function encryptSigningSecret(
  keys: SecretKeys,
  companyId: number,
  secret: string,
): Buffer<ArrayBuffer> {
  return encryptText(keys, encryptionPurpose(companyId), secret);
}

/**
 * Decrypts a stored signing secret.
 *
 * @throws UnreadableSecretError if it was altered, or encrypted with a missing key or for another workspace.
 */
export function decryptSigningSecret(keys: SecretKeys, companyId: number, stored: Uint8Array): string {
  return decryptText(keys, encryptionPurpose(companyId), stored, 'signing secret');
}

function encryptionPurpose(companyId: number): string {
  return `webhook signing secret of company ${companyId}`;
}
