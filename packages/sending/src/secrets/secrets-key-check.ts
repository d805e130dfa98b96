import type { Database, Transaction } from '@deal-signals/db/database';
import { UnusableDatabaseError } from '@deal-signals/db/database-errors';
import { decryptHeaders } from '../headers/custom-headers.ts';
import { KEY_ID, type SecretKeys } from './secret-keys.ts';
import { decryptSigningSecret } from './signing-secret.ts';

/** How many of the newest secrets to try. */
const SAMPLE = 10;

/**
 * Checks at startup that the keys of this process are those that encrypted the stored signing secrets, custom headers
 * and targets of alert channels. With
 * other keys, attempts would fail through no fault of the receivers, and other processes could not read the secrets of new
 * endpoints. If a key is removed too early, this check stops a rolling restart at its first process.
 *
 * One readable endpoint among the newest is enough: a single damaged row must not stop every process.
 *
 * @throws UnusableDatabaseError if stored secrets name a missing key, or if there are secrets and none of the newest can be
 *   decrypted. Database errors are passed on.
 */
export async function assertSecretKeys(db: Database | Transaction, keys: SecretKeys): Promise<void> {
  await assertKnownIds(db, keys);
  const endpoints = await db.webhookEndpoint.findMany({
    orderBy: { createdAt: 'desc' },
    take: SAMPLE,
    select: { companyId: true, secretCiphertext: true, headersCiphertext: true },
  });
  const isReadable = ({ companyId, secretCiphertext, headersCiphertext }: (typeof endpoints)[number]) => {
    try {
      if (headersCiphertext !== null) decryptHeaders(keys, companyId, headersCiphertext);
      return decryptSigningSecret(keys, companyId, secretCiphertext) !== '';
    } catch {
      return false;
    }
  };
  if (endpoints.length > 0 && !endpoints.some(isReadable)) {
    throw new UnusableDatabaseError('SECRETS_KEY: does not decrypt the stored signing secrets');
  }
}

async function assertKnownIds(db: Database | Transaction, { named, unnamed }: SecretKeys): Promise<void> {
  const rows = await db.$queryRaw<{ id: Uint8Array; endpoints: number; channels: number }[]>`
    SELECT key_id AS id, count(DISTINCT (company_id, of_endpoint)) FILTER (WHERE of_endpoint IS NOT NULL)::int AS endpoints,
      count(DISTINCT (company_id, of_channel)) FILTER (WHERE of_channel IS NOT NULL)::int AS channels
    FROM (
      SELECT company_id, id AS of_endpoint, NULL AS of_channel, bytes
      FROM webhook_endpoints
      CROSS JOIN LATERAL (
        VALUES (secret_ciphertext), (previous_secret_ciphertext), (headers_ciphertext)
      ) AS stored (bytes)
      UNION ALL SELECT company_id, NULL, id, target_ciphertext FROM alert_channels
    ) AS stored
    -- If the first byte is 2, the second one is the length of the key id.
    CROSS JOIN LATERAL (
      SELECT CASE WHEN length(bytes) > 2 AND get_byte(bytes, 0) = 2
        THEN substring(bytes from 3 for get_byte(bytes, 1)) END AS key_id
    ) AS header
    WHERE key_id IS NOT NULL
    GROUP BY 1`;
  const missing = rows
    .map(({ id, ...counts }) => ({ id: Buffer.from(id).toString('latin1'), ...counts }))
    // An id of another form belongs to a damaged row.
    .filter(({ id }) => KEY_ID.test(id) && !named.has(id));
  // While a key is being given an id, this process may have it without one. The sample above has shown that it decrypts.
  if (missing.length === 0 || (named.size === 0 && unnamed !== null)) return;
  const words = missing.map(
    ({ id, endpoints, channels }) =>
      `"${id}" (endpoints: ${endpoints}${channels === 0 ? '' : `, alert channels: ${channels}`})`,
  );
  throw new UnusableDatabaseError(
    `SECRETS_KEY: lacks keys that encrypt stored secrets: ${words.join(', ')}. Add them, and remove a key only after ` +
      '"reencrypt-secrets" has run',
  );
}
