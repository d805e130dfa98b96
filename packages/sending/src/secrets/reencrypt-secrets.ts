import type { Database } from '@deal-signals/db/database';
import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import { decryptHeaders, encryptHeaders } from '../headers/custom-headers.ts';
import { encodeHeader, UnreadableSecretError } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';
import { decryptSigningSecret, encryptSigningSecret } from './signing-secret.ts';

/** The result of a run. */
export interface Reencrypted {
  /** The number of endpoints whose secrets were encrypted with the current key. */
  endpoints: number;
  /** Endpoints with a secret that no key decrypts. They were not changed. */
  unreadable: { companyId: number; id: number }[];
  /** The number of endpoints that were locked or changed in every pass. The next run includes them. */
  busy: number;
}

/** The stored secrets and headers of an endpoint. */
interface Row {
  companyId: number;
  id: number;
  secret: Uint8Array;
  previous: Uint8Array | null;
  headers: Uint8Array | null;
}

const BATCH = 200;
/** Only an admin changes a row in the meantime, so a row rarely changes twice in a run. */
const PASSES = 3;

/**
 * Encrypts all stored signing secrets and custom headers with the current key, while the product runs. An interrupted run can be
 * repeated: texts of the current key are skipped.
 *
 * A row is updated only if it has not changed since it was read, so an older secret never replaces one that was rotated in the
 * meantime. The next pass reads a changed row again.
 */
export async function reencryptSecrets(db: Database, keys: SecretKeys): Promise<Reencrypted> {
  const result: Reencrypted = { endpoints: 0, unreadable: [], busy: 0 };
  for (let pass = 0; pass < PASSES; pass += 1) {
    result.busy = 0;
    result.unreadable = [];
    for (let after = { companyId: 0, id: 0 }; ;) {
      const rows = await readOutdated(db, keys, after);
      for (const row of rows) {
        const outcome = await reencrypt(db, keys, row);
        if (outcome === 'done') result.endpoints += 1;
        else if (outcome === 'busy') result.busy += 1;
        else result.unreadable.push({ companyId: row.companyId, id: row.id });
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last;
    }
    if (result.busy === 0) break;
  }
  return result;
}

/** Reads endpoints with a text that another key has encrypted, in key order. */
function readOutdated(
  db: Database,
  { current }: SecretKeys,
  after: Pick<Row, 'companyId' | 'id'>,
): Promise<Row[]> {
  const header = encodeHeader(current.id);
  return db.$queryRaw<Row[]>`
    SELECT company_id AS "companyId", id, secret_ciphertext AS secret, previous_secret_ciphertext AS previous,
      headers_ciphertext AS headers
    FROM webhook_endpoints
    WHERE (company_id, id) > (${after.companyId}, ${after.id})
      AND (substring(secret_ciphertext from 1 for ${header.length}) <> ${header}
        OR substring(previous_secret_ciphertext from 1 for ${header.length}) <> ${header}
        OR substring(headers_ciphertext from 1 for ${header.length}) <> ${header})
    ORDER BY company_id, id
    LIMIT ${BATCH}`;
}

async function reencrypt(
  db: Database,
  keys: SecretKeys,
  { companyId, id, secret, previous, headers }: Row,
): Promise<'done' | 'busy' | 'unreadable'> {
  const renewSecret = (stored: Uint8Array) =>
    encryptSigningSecret(keys, companyId, decryptSigningSecret(keys, companyId, stored));
  try {
    const changed = await db.$executeRaw`
      UPDATE webhook_endpoints
      SET secret_ciphertext = ${renewSecret(secret)},
          previous_secret_ciphertext = ${previous && renewSecret(previous)},
          headers_ciphertext = ${headers && encryptHeaders(keys, companyId, decryptHeaders(keys, companyId, headers))}
      WHERE company_id = ${companyId} AND id = ${id} AND secret_ciphertext = ${secret}
        AND previous_secret_ciphertext IS NOT DISTINCT FROM ${previous}
        AND headers_ciphertext IS NOT DISTINCT FROM ${headers}`;
    return changed === 1 ? 'done' : 'busy';
  } catch (error) {
    if (error instanceof UnreadableSecretError) return 'unreadable';
    if (databaseFailure(error)?.sqlState === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}
