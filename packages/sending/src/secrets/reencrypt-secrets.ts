import type { Database } from '@deal-signals/db/database';
import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import { decryptHeaders, encryptHeaders } from '../headers/custom-headers.ts';
import { headerOf, UnreadableSecretError } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';
import { decryptSigningSecret, encryptSigningSecret } from './signing-secret.ts';

/** What a run has done. */
export interface Reencrypted {
  /** Endpoints whose secrets the current key encrypts now and did not before. */
  endpoints: number;
  /** Endpoints with a secret that no key decrypts. They are as they were. */
  unreadable: { companyId: number; id: number }[];
  /** Endpoints that changed each time while their secrets were encrypted, or were locked. Another run finds them. */
  busy: number;
}

/** What is stored for an endpoint. */
interface Row {
  companyId: number;
  id: number;
  secret: Uint8Array;
  previous: Uint8Array | null;
  headers: Uint8Array | null;
}

const BATCH = 200;
/** A row is only changed again by an admin, so it hardly ever changes twice in a run. */
const PASSES = 3;

/**
 * Encrypts all stored signing secrets and custom headers with the current key, while the product runs. A run that was
 * stopped is continued by the next one, because what the current key has encrypted is left out.
 *
 * Each row is changed only if it is still as it was read. So a secret that is rotated meanwhile is never replaced by the
 * older one; the row is read again in the next pass.
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

/** Endpoints with something that another key has encrypted, in order of their keys. */
function readOutdated(
  db: Database,
  { current }: SecretKeys,
  after: Pick<Row, 'companyId' | 'id'>,
): Promise<Row[]> {
  const header = headerOf(current.id);
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
