import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encryptHeaders } from '../../src/custom-headers.ts';
import { assertSecretsKey } from '../../src/secrets-key-check.ts';
import { encryptSigningSecret, mintSigningSecret } from '../../src/signing-secret.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

test('the check of SECRETS_KEY passes if it decrypts one of the newest secrets, or if there are none', async () => {
  const { db } = database;
  const [key, other] = [randomBytes(32), randomBytes(32)];
  await assertSecretsKey(db, key);
  await addEndpoint(db, { secretCiphertext: encryptSigningSecret(key, COMPANY, mintSigningSecret()) });
  await addEndpoint(db, { secretCiphertext: Buffer.of(0) });
  await assertSecretsKey(db, key);
  await expect(assertSecretsKey(db, other)).rejects.toThrow('SECRETS_KEY: does not decrypt');
});

test('the check covers custom headers', async () => {
  const { db } = database;
  const [key, other] = [randomBytes(32), randomBytes(32)];
  const secretCiphertext = encryptSigningSecret(key, COMPANY, mintSigningSecret());
  const headersOf = (encryptedWith: Buffer) => ({
    secretCiphertext,
    headerNames: ['X-Key'],
    headersCiphertext: encryptHeaders(encryptedWith, COMPANY, [['X-Key', 'value']]),
  });
  for (let n = 0; n < 10; n += 1) await addEndpoint(db, headersOf(other));
  await expect(assertSecretsKey(db, key)).rejects.toThrow('SECRETS_KEY: does not decrypt');
  await addEndpoint(db, headersOf(key));
  await assertSecretsKey(db, key);
});
