import type { Database } from '@deal-signals/db/database';
import { databaseFailure, LOCK_NOT_AVAILABLE } from '@deal-signals/db/database-errors';
import { decryptHeaders, encryptHeaders } from '../headers/custom-headers.ts';
import { decryptAlertTarget, encryptAlertTarget } from './alert-target.ts';
import { encodeHeader, UnreadableSecretError } from './encrypted-text.ts';
import type { SecretKeys } from './secret-keys.ts';
import { decryptSigningSecret, encryptSigningSecret } from './signing-secret.ts';

/** The result of a run. */
export interface Reencrypted {
  /** The number of endpoints whose secrets were encrypted with the current key. */
  endpoints: number;
  /** Alert channels of which the same holds. */
  channels: number;
  /** Endpoints and alert channels with a secret that no key decrypts. They are as they were. */
  unreadable: { of: 'endpoint' | 'alert channel'; companyId: number; id: number }[];
  /** Endpoints and alert channels that changed each time while they were encrypted, or were locked. Another run finds them. */
  busy: number;
}

/** Which row it is of a table. */
interface Key {
  companyId: number;
  id: number;
}

/** What is stored for an endpoint. */
interface Row extends Key {
  secret: Uint8Array;
  previous: Uint8Array | null;
  headers: Uint8Array | null;
}

const BATCH = 200;
type Outcome = 'done' | 'busy' | 'unreadable';

/** Only an admin changes a row in the meantime, so a row rarely changes twice in a run. */
const PASSES = 3;

/**
 * Encrypts all stored signing secrets, custom headers and targets of alert channels with the current key, while the product runs. An interrupted run can be
 * repeated: texts of the current key are skipped.
 *
 * A row is updated only if it has not changed since it was read, so an older secret never replaces one that was rotated in the
 * meantime. The next pass reads a changed row again.
 */
export async function reencryptSecrets(db: Database, keys: SecretKeys): Promise<Reencrypted> {
  const result: Reencrypted = { endpoints: 0, channels: 0, unreadable: [], busy: 0 };
  for (let pass = 0; pass < PASSES; pass += 1) {
    result.busy = 0;
    result.unreadable = [];
    result.endpoints += await reencryptAll(
      result,
      'endpoint',
      (after) => readOutdated(db, keys, after),
      (row) => reencrypt(db, keys, row),
    );
    result.channels += await reencryptAll(
      result,
      'alert channel',
      (after) => readOutdatedChannels(db, keys, after),
      (row) => reencryptChannel(db, keys, row),
    );
    if (result.busy === 0) break;
  }
  return result;
}

/** Encrypts the rows of a table, and counts those that it could not. @returns how many it has encrypted. */
async function reencryptAll<Stored extends Key>(
  result: Pick<Reencrypted, 'unreadable' | 'busy'>,
  of: 'endpoint' | 'alert channel',
  readAfter: (after: Key) => Promise<Stored[]>,
  encrypt: (row: Stored) => Promise<Outcome>,
): Promise<number> {
  let done = 0;
  for (let after: Key = { companyId: 0, id: 0 }; ;) {
    const rows = await readAfter(after);
    for (const row of rows) {
      const outcome = await encrypt(row);
      if (outcome === 'done') done += 1;
      else if (outcome === 'busy') result.busy += 1;
      else result.unreadable.push({ of, companyId: row.companyId, id: row.id });
    }
    const last = rows.at(-1);
    if (last === undefined) return done;
    after = last;
  }
}

/** Reads endpoints with a text that another key has encrypted, in key order. */
function readOutdated(db: Database, { current }: SecretKeys, after: Key): Promise<Row[]> {
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

/** Alert channels whose target another key has encrypted, in order of their keys. */
function readOutdatedChannels(
  db: Database,
  { current }: SecretKeys,
  after: Key,
): Promise<(Key & { target: Uint8Array })[]> {
  const header = encodeHeader(current.id);
  return db.$queryRaw`
    SELECT company_id AS "companyId", id, target_ciphertext AS target
    FROM alert_channels
    WHERE (company_id, id) > (${after.companyId}, ${after.id})
      AND substring(target_ciphertext from 1 for ${header.length}) <> ${header}
    ORDER BY company_id, id
    LIMIT ${BATCH}`;
}

function reencryptChannel(
  db: Database,
  keys: SecretKeys,
  { companyId, id, target }: Key & { target: Uint8Array },
): Promise<Outcome> {
  return outcomeOf(() => {
    const renewed = encryptAlertTarget(keys, companyId, decryptAlertTarget(keys, companyId, target));
    return db.$executeRaw`
      UPDATE alert_channels SET target_ciphertext = ${renewed}
      WHERE company_id = ${companyId} AND id = ${id} AND target_ciphertext = ${target}`;
  });
}

function reencrypt(
  db: Database,
  keys: SecretKeys,
  { companyId, id, secret, previous, headers }: Row,
): Promise<Outcome> {
  const renewSecret = (stored: Uint8Array) =>
    encryptSigningSecret(keys, companyId, decryptSigningSecret(keys, companyId, stored));
  return outcomeOf(
    () => db.$executeRaw`
      UPDATE webhook_endpoints
      SET secret_ciphertext = ${renewSecret(secret)},
          previous_secret_ciphertext = ${previous && renewSecret(previous)},
          headers_ciphertext = ${headers && encryptHeaders(keys, companyId, decryptHeaders(keys, companyId, headers))}
      WHERE company_id = ${companyId} AND id = ${id} AND secret_ciphertext = ${secret}
        AND previous_secret_ciphertext IS NOT DISTINCT FROM ${previous}
        AND headers_ciphertext IS NOT DISTINCT FROM ${headers}`,
  );
}

/** @param update encrypts what was read of one row, and stores it if it is still the same; returns how many rows it has changed. */
async function outcomeOf(update: () => Promise<number>): Promise<Outcome> {
  try {
    return (await update()) === 1 ? 'done' : 'busy';
  } catch (error) {
    if (error instanceof UnreadableSecretError) return 'unreadable';
    if (databaseFailure(error)?.sqlState === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}
