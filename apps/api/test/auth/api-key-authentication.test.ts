import { until } from '@deal-signals/test-kit/until';
import { second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { generateApiKey } from '../../src/auth/generate-api-key.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2, { apiEnabled: false });
  key = await addKey(api.db, 1);
});

afterAll(() => api.close());

test('accepts a valid key, in any letter case of the scheme', async () => {
  await api.get('/status', key).expect(200);
  await supertest(api.app).get('/api/v1/status').set('Authorization', `bearer  ${key}`).expect(200);
});

test.each([
  ['no header', () => undefined],
  ['an empty header', () => ''],
  ['another scheme', () => `Basic ${key}`],
  ['the key without a scheme', () => key],
  ['a scheme without a key', () => 'Bearer'],
  ['a key that was never created', () => `Bearer ${generateApiKey().key}`],
  ['a truncated key', () => `Bearer ${key.slice(0, -1)}`],
  ['a key with an additional character', () => `Bearer ${key}A`],
  ['two keys', () => `Bearer ${key} ${key}`],
  ['a key with another prefix', () => `Bearer ${key.replace('live', 'test')}`],
  ['a session token', () => `Bearer ${sessionToken()}`],
])('rejects %s as an invalid key', async (_name, header) => {
  const request = supertest(api.app).get('/api/v1/status');
  const value = header();
  const response = await (value === undefined ? request : request.set('Authorization', value));
  expect([response.status, response.body.code]).toEqual([401, 'API_KEY_INVALID']);
  expect(response.headers['www-authenticate']).toBe(
    // Two words are no token.
    /^Bearer \S+$/.test(value ?? '') ? 'Bearer error="invalid_token"' : 'Bearer',
  );
});

test('rejects a revoked key from the next request on', async () => {
  const revoked = await addKey(api.db, 1);
  await api.get('/status', revoked).expect(200);
  await api.db.apiKey.updateMany({
    where: { prefix: revoked.slice(0, 13) },
    data: { revokedAt: new Date() },
  });
  const response = await api.get('/status', revoked).expect(401);
  expect(response.body.code).toBe('API_KEY_INVALID');
});

test('checks the credential before the feature gate', async () => {
  const good = await api.get('/status', await addKey(api.db, 2)).expect(403);
  expect(good.body.code).toBe('FEATURE_NOT_ENABLED');
  const revoked = await api.get('/status', await addKey(api.db, 2, { revokedAt: new Date() })).expect(401);
  expect(revoked.body.code).toBe('API_KEY_INVALID');
});

test('records the last use of a key at most once a minute', async () => {
  const used = await addKey(api.db, 1, { name: 'used' });
  const lastUsedAt = async () =>
    (await api.db.apiKey.findFirstOrThrow({ where: { name: 'used' } })).lastUsedAt?.getTime();
  expect((await api.get('/status', used)).body.key.lastUsedAt).toBeNull();
  const first = await until('the first use is recorded', lastUsedAt);
  await api.get('/status', used).expect(200);
  await api.get('/status', used).expect(200);
  expect(await lastUsedAt()).toBe(first);

  await api.db.apiKey.updateMany({ where: { name: 'used' }, data: { lastUsedAt: second(0) } });
  const response = await api.get('/status', used);
  expect(response.body.key.lastUsedAt).toBe(second(0).toISOString());
  await until('the later use is recorded', async () => ((await lastUsedAt()) ?? 0) >= (first ?? 0));
});
