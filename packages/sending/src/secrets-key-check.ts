import type { Queryable } from '@deal-signals/db/database';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { decryptSigningSecret } from './signing-secret.ts';

const SAMPLE = 10;

/**
 * Checks at start that the key is the one that signing secrets were stored with. With another key every attempt would
 * fail for a reason that is ours, and new secrets would be stored that nobody else can read.
 *
 * One readable secret among the newest is enough: a single spoilt row must not stop every process.
 *
 * @throws ConfigurationError when there are secrets and none of the sample can be read; database errors pass through.
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
