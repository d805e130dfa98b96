import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { until } from '@deal-signals/test-kit/until';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CustomHeader, decryptHeaders, encryptHeaders } from '../../src/headers/custom-headers.ts';
import { decryptAlertTarget, encryptAlertTarget } from '../../src/secrets/alert-target.ts';
import { reencryptSecrets } from '../../src/secrets/reencrypt-secrets.ts';
import { assertSecretKeys } from '../../src/secrets/secrets-key-check.ts';
import { type SecretKeys, secretKeys, singleKey } from '../../src/secrets/secret-keys.ts';
import {
  decryptSigningSecret,
  encryptSigningSecret,
  generateSigningSecret,
} from '../../src/secrets/signing-secret.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterEach(() => database.drop());

const HEADERS: CustomHeader[] = [['X-Key', 'value']];
const old = randomBytes(32);
const keysOf = (...named: [string, Buffer][]) =>
  secretKeys.parse(named.map(([id, key]) => `${id}:${key.toString('hex')}`).join());
const before = singleKey(old);
const during = keysOf(['new', randomBytes(32)], ['old', old]);
const after = keysOf(['new', during.current.key]);
const sealed = (keys: SecretKeys, secret = generateSigningSecret()) =>
  encryptSigningSecret(keys, COMPANY, secret);

const headersOf = (keys: SecretKeys) => ({
  headerNames: ['X-Key'],
  headersCiphertext: encryptHeaders(keys, COMPANY, HEADERS),
});
const previousOf = (previousSecretCiphertext: Buffer<ArrayBuffer>) => ({
  previousSecretCiphertext,
  previousSecretUntil: new Date('2026-09-01T12:00:00Z'),
});

test('the check of the keys passes if they decrypt one of the newest secrets, or if there are no secrets', async () => {
  const { db } = database;
  await assertSecretKeys(db, before);
  await addEndpoint(db, { secretCiphertext: sealed(before) });
  await addEndpoint(db, { secretCiphertext: Buffer.of(0) });
  await assertSecretKeys(db, before);
  await expect(assertSecretKeys(db, singleKey(randomBytes(32)))).rejects.toThrow(
    'SECRETS_KEY: does not decrypt',
  );
});

test('the check covers custom headers', async () => {
  const { db } = database;
  for (let n = 0; n < 10; n += 1)
    await addEndpoint(db, { secretCiphertext: sealed(before), ...headersOf(singleKey(randomBytes(32))) });
  await expect(assertSecretKeys(db, before)).rejects.toThrow('SECRETS_KEY: does not decrypt');
  await addEndpoint(db, { secretCiphertext: sealed(before), ...headersOf(before) });
  await assertSecretKeys(db, before);
});

test('the check names a missing key, even if the newest secrets can be read, and ignores damaged rows', async () => {
  const { db } = database;
  const other = keysOf(['rest', randomBytes(32)]);
  await addEndpoint(db, { secretCiphertext: sealed(other) });
  await addEndpoint(db, { secretCiphertext: sealed(after), ...previousOf(sealed(other)) });
  await addEndpoint(db, { secretCiphertext: sealed(after), ...headersOf(other) });
  await addEndpoint(db, { secretCiphertext: Buffer.from([2, 1, 0, 1]) });
  for (let n = 0; n < 10; n += 1) await addEndpoint(db, { secretCiphertext: sealed(after) });
  await expect(assertSecretKeys(db, after)).rejects.toThrow(
    'SECRETS_KEY: lacks keys that encrypt stored secrets: "rest" (endpoints: 3). Add',
  );
});

test('re-encryption covers each secret and the headers of an endpoint', async () => {
  const { db } = database;
  await addEndpoint(db, {
    secretCiphertext: sealed(before),
    ...previousOf(sealed(during)),
    ...headersOf(during),
  });
  await addEndpoint(db, { secretCiphertext: sealed(during), ...previousOf(sealed(before)) });
  await addEndpoint(db, { secretCiphertext: sealed(during), ...headersOf(before) });
  expect(await reencryptSecrets(db, during)).toEqual({ endpoints: 3, channels: 0, unreadable: [], busy: 0 });
  for (const {
    secretCiphertext,
    previousSecretCiphertext,
    headersCiphertext,
  } of await db.webhookEndpoint.findMany()) {
    for (const stored of [secretCiphertext, previousSecretCiphertext]) {
      if (stored !== null) expect(decryptSigningSecret(after, COMPANY, stored)).toMatch(/^whsec_/);
    }
    if (headersCiphertext !== null)
      expect(decryptHeaders(after, COMPANY, headersCiphertext)).toEqual(HEADERS);
  }
});

const untilItWaits = () =>
  until('the run waits for the row', async () => {
    const [row] = await database.db.$queryRaw<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.waiting;
  });

test('re-encryption keeps a rotation that is committed during the run', async () => {
  const { db } = database;
  const [secret, previous, rotated] = [
    generateSigningSecret(),
    generateSigningSecret(),
    generateSigningSecret(),
  ];
  const full = {
    secretCiphertext: sealed(before, secret),
    ...previousOf(sealed(before, previous)),
    ...headersOf(before),
  };
  const first = await addEndpoint(db, full);
  const second = await addEndpoint(db, full);
  await addEndpoint(db, { secretCiphertext: sealed(during) });
  const damaged = await addEndpoint(db, { secretCiphertext: Buffer.of(0) });
  const rows = () => db.webhookEndpoint.findMany({ orderBy: { id: 'asc' } });
  const damagedBefore = (await rows()).find(({ id }) => id === damaged);

  // An admin has rotated the second endpoint's secret and not committed yet. The run reads the old secrets and waits for the row.
  let run: ReturnType<typeof reencryptSecrets> | undefined;
  await db.transaction(async (tx) => {
    await tx.webhookEndpoint.update({
      where: { companyId_id: { companyId: COMPANY, id: second } },
      data: { secretCiphertext: sealed(before, rotated), ...previousOf(full.secretCiphertext) },
    });
    run = reencryptSecrets(db, during);
    await untilItWaits();
  });
  expect(await run).toEqual({
    endpoints: 2,
    channels: 0,
    unreadable: [{ of: 'endpoint', companyId: COMPANY, id: damaged }],
    busy: 0,
  });

  const [one, two, , four] = await rows();
  const read = (bytes: Uint8Array | null | undefined) =>
    decryptSigningSecret(after, COMPANY, bytes ?? Buffer.of());
  expect(read(one?.secretCiphertext)).toBe(secret);
  expect(read(one?.previousSecretCiphertext)).toBe(previous);
  expect(decryptHeaders(after, COMPANY, one?.headersCiphertext ?? Buffer.of())).toEqual(HEADERS);
  expect(read(two?.secretCiphertext)).toBe(rotated);
  expect(read(two?.previousSecretCiphertext)).toBe(secret);
  expect(four).toEqual(damagedBefore);
  expect(one?.id).toBe(first);
  // The next run finds no outdated secrets, and the old key is no longer needed.
  expect(await reencryptSecrets(db, during)).toMatchObject({ endpoints: 0, busy: 0 });
  await assertSecretKeys(db, after);
});

test('the targets of alert channels are encrypted again, and their keys checked', async () => {
  const { db } = database;
  const target = { url: 'https://hooks.chat.example/secret', secret: null };
  const add = (targetCiphertext: Uint8Array<ArrayBuffer>) =>
    db.alertChannel.create({
      data: {
        companyId: COMPANY,
        kind: 'slack',
        host: 'hooks.chat.example',
        events: ['deliveries.dead'],
        targetCiphertext,
      },
    });
  await add(encryptAlertTarget(before, COMPANY, target));
  const named = await add(encryptAlertTarget(keysOf(['old', old]), COMPANY, target));
  await add(encryptAlertTarget(during, COMPANY, target));
  const damaged = await add(Buffer.of(0));
  await expect(assertSecretKeys(db, after)).rejects.toThrow(
    'SECRETS_KEY: lacks keys that encrypt stored secrets: "old" (endpoints: 0, alert channels: 1). Add',
  );
  const unreadable = [{ of: 'alert channel', companyId: COMPANY, id: damaged.id }];
  expect(await reencryptSecrets(db, during)).toEqual({ endpoints: 0, channels: 2, unreadable, busy: 0 });
  await assertSecretKeys(db, after);
  const rows = await db.alertChannel.findMany({ where: { id: { not: damaged.id } } });
  for (const { targetCiphertext } of rows)
    expect(decryptAlertTarget(after, COMPANY, targetCiphertext)).toEqual(target);
  // Of another workspace, it means nothing.
  expect(() => decryptAlertTarget(after, COMPANY + 1, rows[0]!.targetCiphertext)).toThrow('does not decrypt');
  expect(rows.map(({ id }) => id)).toContain(named.id);
});

test('re-encryption keeps a change of an alert channel that is committed during the run', async () => {
  const { db } = database;
  const [stored, changed] = ['https://old.example/', 'https://new.example/'].map((url) =>
    encryptAlertTarget(before, COMPANY, { url, secret: null }),
  );
  const { id } = await db.alertChannel.create({
    data: {
      companyId: COMPANY,
      kind: 'slack',
      host: 'old.example',
      events: ['deliveries.dead'],
      targetCiphertext: stored!,
    },
  });
  let run: ReturnType<typeof reencryptSecrets> | undefined;
  await db.transaction(async (tx) => {
    await tx.alertChannel.update({
      where: { companyId_id: { companyId: COMPANY, id } },
      data: { targetCiphertext: changed! },
    });
    run = reencryptSecrets(db, during);
    await untilItWaits();
  });
  expect(await run).toMatchObject({ channels: 1, busy: 0 });
  const { targetCiphertext } = await db.alertChannel.findFirstOrThrow({ where: { id } });
  expect(decryptAlertTarget(after, COMPANY, targetCiphertext)).toMatchObject({ url: 'https://new.example/' });
});
