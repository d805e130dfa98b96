import { Database } from '@deal-signals/db/database';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import { secretKeys } from './secret-keys.ts';

// `pnpm operate reencrypt-secrets`, for operators: encrypts the stored secrets with the first key of SECRETS_KEY after a change
// of keys. The product may run at the same time. In the image of the API: node packages/sending/dist/secrets/reencrypt-secrets-command.js
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const { DATABASE_URL: databaseUrl, SECRETS_KEY } = process.env;
if (!databaseUrl) fail('DATABASE_URL: must be the URL of the database');
const { data: keys, error } = secretKeys.safeParse(SECRETS_KEY);
if (keys === undefined) fail(`SECRETS_KEY: ${error.issues[0]?.message}`);
const db = new Database({
  url: databaseUrl,
  poolSize: 1,
  applicationName: 'deal-signals-reencrypt-secrets',
  statementTimeoutMs: 60_000,
});
try {
  const { endpoints, channels, unreadable, busy } = await reencryptSecrets(db, keys);
  const name = keys.current.id === null ? 'the key without an id' : `the key "${keys.current.id}"`;
  console.log(`encrypted the secrets of ${endpoints} endpoints and ${channels} alert channels with ${name}`);
  for (const { of, companyId, id } of unreadable) {
    console.error(`the secrets of ${of} ${id} of workspace ${companyId} cannot be read with these keys`);
  }
  if (busy > 0) console.error(`${busy} endpoints or alert channels were being changed: run this again`);
  if (unreadable.length === 0 && busy === 0) console.log('no other key is needed any more');
  else process.exitCode = 1;
} finally {
  await db.close();
}
