import type { Queryable } from '@deal-signals/db/database';
import { UnusableDatabaseError } from '@deal-signals/db/database-errors';
import { decryptHeaders } from './custom-headers.ts';
import { decryptSigningSecret } from './signing-secret.ts';

/** How many of the newest secrets to try. */
const SAMPLE = 10;

/**
 * Checks when a process starts that its key is the one the signing secrets and custom headers were encrypted with. With another key, every
 * attempt would fail through no fault of the receiver, and the secrets of new endpoints would be unreadable for the other
 * processes.
 *
 * One readable endpoint among the newest is enough: a single damaged row must not stop every process.
 *
 * @throws UnusableDatabaseError when there are secrets and none of the newest can be decrypted; database errors pass
 *   through.
 */
export async function assertSecretsKey(db: Queryable, key: Buffer): Promise<void> {
  const endpoints = await db.webhookEndpoint.findMany({
    orderBy: { createdAt: 'desc' },
    take: SAMPLE,
    select: { companyId: true, secretCiphertext: true, headersCiphertext: true },
  });
  const isReadable = ({ companyId, secretCiphertext, headersCiphertext }: (typeof endpoints)[number]) => {
    try {
      if (headersCiphertext !== null) decryptHeaders(key, companyId, headersCiphertext);
      return decryptSigningSecret(key, companyId, secretCiphertext) !== '';
    } catch {
      return false;
    }
  };
  if (endpoints.length > 0 && !endpoints.some(isReadable)) {
    throw new UnusableDatabaseError('SECRETS_KEY: does not decrypt the stored signing secrets');
  }
}
