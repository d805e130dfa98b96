import type { Queryable } from '@deal-signals/db/database';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { decryptSigningSecret } from './signing-secret.ts';

const SAMPLE = 10;

/**
 * Checks at start that the key is the one that encrypted the stored signing secrets. With another key, every attempt
 * would fail through a fault of ours, and new secrets would be stored that the other processes cannot decrypt.
 *
 * One readable secret among the newest is enough, because a single damaged row must not stop every process.
 *
 * @throws ConfigurationError if there are secrets but none of the sample can be decrypted; also any database error.
 */
export async function assertSecretsKey(db: Queryable, key: Buffer): Promise<void> {
  const endpoints = await db.webhookEndpoint.findMany({
    orderBy: { createdAt: 'desc' },
    take: SAMPLE,
    select: { companyId: true, secretCiphertext: true },
  });
  const isReadable = ({ companyId, secretCiphertext }: (typeof endpoints)[number]): boolean => {
    try {
      return decryptSigningSecret(key, companyId, secretCiphertext) !== '';
    } catch {
      return false;
    }
  };
  if (endpoints.length > 0 && !endpoints.some(isReadable)) {
    throw new ConfigurationError('configuration: SECRETS_KEY: does not decrypt the stored signing secrets');
  }
}
