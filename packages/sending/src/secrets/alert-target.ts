import { decryptText, encryptText } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';

/** The target of an alert channel. The URL of a chat lets anyone who has it write there, so all of it is a secret. */
export interface AlertTarget {
  url: string;
  /** The signing secret; null for chats, which verify no signature. */
  secret: string | null;
}

/** Encrypts the target of an alert channel for storage, in the same way as a signing secret. */
export function encryptAlertTarget(
  keys: SecretKeys,
  companyId: number,
  { url, secret }: AlertTarget,
): Buffer<ArrayBuffer> {
  return encryptText(keys, purposeOf(companyId), JSON.stringify({ url, secret }));
}

/**
 * Decrypts the stored target of an alert channel.
 * @throws UnreadableSecretError if it was encrypted with a key that is not given or for another workspace, or was altered.
 */
export function decryptAlertTarget(keys: SecretKeys, companyId: number, stored: Uint8Array): AlertTarget {
  return JSON.parse(
    decryptText(keys, purposeOf(companyId), stored, 'target of an alert channel'),
  ) as AlertTarget;
}

function purposeOf(companyId: number): string {
  return `alert channel of company ${companyId}`;
}
