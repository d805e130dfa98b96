import { createHash } from 'node:crypto';
import { apiKey } from '@deal-signals/serializers/api-key';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addCompany, addKey } from './rows.ts';
import { openTestApi, sessionToken, type TestApi } from './test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

test('a minted key is shown once, stored as a hash, and reads the workspace that minted it', async () => {
  const { body, headers } = await api
    .post('/api-keys', sessionToken({ companyId: 2, sub: '41' }), { name: 'warehouse' })
    .expect(201);
  expect(Object.keys(body).toSorted()).toEqual(['data', 'key']);
  expect(body.key).toMatch(/^dsk_live_[A-Za-z0-9_-]{43}$/);
  expect(apiKey.strict().parse(body.data)).toEqual(body.data);
  expect(body.data).toMatchObject({
    name: 'warehouse',
    prefix: body.key.slice(0, 13),
    scopes: ['read'],
    lastUsedAt: null,
    revokedAt: null,
    createdByUserId: 41,
  });
  expect(headers['cache-control']).toBe('no-store');

  const row = await api.db.apiKey.findUniqueOrThrow({ where: { id: body.data.id } });
  expect(Buffer.from(row.keyHash)).toEqual(createHash('sha256').update(body.key).digest());
  expect(JSON.stringify(row)).not.toContain(body.key);
  expect((await api.get('/status', body.key).expect(200)).body.company.id).toBe(2);
});

test.each([
  ['one character', 'x'],
  ['120 characters', 'x'.repeat(120)],
  ['120 characters outside the basic plane', '🔑'.repeat(120)],
  ['blanks around it', ' warehouse '],
])('a name of %s is kept as it was sent', async (_name, name) => {
  const { body } = await api.post('/api-keys', sessionToken(), { name, unknown: true }).expect(201);
  expect(body.data.name).toBe(name);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['x']],
  ['no character', ''],
  ['blanks', ' \t\u00a0'],
  ['121 characters', 'x'.repeat(121)],
  ['121 characters outside the basic plane', '🔑'.repeat(121)],
  ['NUL', 'a\0b'],
  ['half a character', '\ud83d'],
])('a name that is %s is refused', async (_name, name) => {
  const response = await api.post('/api-keys', sessionToken(), { name });
  expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(response.body.error).toMatch(/^name: must be text of 1 to 120 characters/);
});

test('a workspace has at most 200 active keys, however many are asked for at once', async () => {
  await addCompany(api.db, 3);
  for (let n = 0; n < 198; n += 1) await addKey(api.db, 3);
  await addKey(api.db, 3, { revokedAt: new Date() });
  const token = sessionToken({ companyId: 3 });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => api.post('/api-keys', token, { name: 'x' }).then(({ status }) => status)),
  );
  expect(answers.toSorted((a, b) => a - b)).toEqual([201, 201, 400, 400, 400, 400]);
  expect(await api.db.apiKey.count({ where: { companyId: 3, revokedAt: null } })).toBe(200);
});
