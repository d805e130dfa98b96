import { Database } from '@deal-signals/db/database';
import { z } from 'zod';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import { NO_SECRET_KEYS, secretKeys, secretVariables } from './secret-keys.ts';

// `pnpm reencrypt-secrets`, for operators: encrypts what is stored with the first of SECRETS_KEYS, after that has changed. The
// product may run meanwhile. In the image of the API: node packages/sending/dist/reencrypt-secrets-command.js
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const { DATABASE_URL: databaseUrl, SECRETS_KEY, SECRETS_KEYS } = process.env;
if (!databaseUrl) fail('DATABASE_URL: must be the URL of the database');
const environment = z
  .object(secretVariables)
  .safeParse({ SECRETS_KEY: SECRETS_KEY || undefined, SECRETS_KEYS: SECRETS_KEYS || undefined });
if (!environment.success) {
  fail(environment.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}
const keys = secretKeys(environment.data) ?? fail(NO_SECRET_KEYS);
const db = new Database({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-reencrypt-secrets',
  statementTimeoutMs: 60_000,
});
try {
  const { endpoints, unreadable, busy } = await reencryptSecrets(db, keys);
  const name = keys.current.id === null ? 'SECRETS_KEY' : `the key "${keys.current.id}"`;
  console.log(`encrypted the secrets of ${endpoints} endpoints with ${name}`);
  for (const { companyId, id } of unreadable) {
    console.error(`the secrets of endpoint ${id} of workspace ${companyId} cannot be read with these keys`);
  }
  if (busy > 0) console.error(`${busy} endpoints were being changed: run this again`);
  if (unreadable.length === 0 && busy === 0) console.log('no other key is needed any more');
  else process.exitCode = 1;
} finally {
  await db.close();
}
