import { createHash } from 'node:crypto';
import { apiKey } from '@deal-signals/serializers/management/api-key';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

test('returns a new key once, stores it as a hash, and lets it read its workspace', async () => {
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

  const row = await api.db.apiKey.findFirstOrThrow({ where: { id: body.data.id } });
  expect(Buffer.from(row.keyHash)).toEqual(createHash('sha256').update(body.key).digest());
  expect(JSON.stringify(row)).not.toContain(body.key);
  expect((await api.get('/status', body.key).expect(200)).body.company.id).toBe(2);
});

test.each([
  ['one character', 'x'],
  ['120 characters', 'x'.repeat(120)],
  ['120 characters outside the basic plane', '🔑'.repeat(120)],
  ['spaces around it', ' warehouse '],
])('keeps a name of %s unchanged', async (_name, name) => {
  const { body } = await api.post('/api-keys', sessionToken(), { name, unknown: true }).expect(201);
  expect(body.data.name).toBe(name);
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['x']],
  ['empty', ''],
  ['only spaces', ' \t\u00a0'],
  ['121 characters', 'x'.repeat(121)],
  ['121 characters outside the basic plane', '🔑'.repeat(121)],
  ['text with NUL', 'a\0b'],
  ['half a surrogate pair', '\ud83d'],
])('rejects a name that is %s', async (_name, name) => {
  const response = await api.post('/api-keys', sessionToken(), { name });
  expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(response.body.error).toMatch(/^name: must be a string of 1 to 120 characters/);
});

test('a workspace has at most 200 active keys, even if several are created at once', async () => {
  await addCompany(api.db, 3);
  for (let n = 0; n < 198; n += 1) await addKey(api.db, 3);
  await addKey(api.db, 3, { revokedAt: new Date() });
  const token = sessionToken({ companyId: 3 });
  const statuses = await Promise.all(
    Array.from({ length: 6 }, () => api.post('/api-keys', token, { name: 'x' }).then(({ status }) => status)),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409, 409]);
  expect(await api.db.apiKey.count({ where: { companyId: 3, revokedAt: null } })).toBe(200);
});

describe('the list', () => {
  const token = sessionToken({ companyId: 4 });

  test('has every key of the workspace, oldest first, including revoked ones, and no secret', async () => {
    await addCompany(api.db, 4);
    const first = await addKey(api.db, 4, { name: 'first', createdByUserId: 41 });
    await addKey(api.db, 1);
    const second = await addKey(api.db, 4, { name: 'second', revokedAt: new Date('2026-01-02T00:00:00Z') });
    const { body, text } = await api.get('/api-keys', token).expect(200);
    expect(body.data).toEqual(body.data.map((key: unknown) => apiKey.strict().parse(key)));
    expect(body.data).toMatchObject([
      { name: 'first', prefix: first.slice(0, 13), revokedAt: null, createdByUserId: 41 },
      { name: 'second', prefix: second.slice(0, 13), revokedAt: '2026-01-02T00:00:00.000Z' },
    ]);
    expect([body.nextCursor, body.hasMore]).toEqual([String(body.data[1].id), false]);
    for (const key of [first, second]) expect(text).not.toContain(key.slice(13));
  });

  test('is paged by an integer cursor, which may be larger than any id', async () => {
    const first = (await api.get('/api-keys?limit=1', token).expect(200)).body;
    expect([first.data.length, first.hasMore]).toEqual([1, true]);
    const next = (await api.get(`/api-keys?limit=1&cursor=${first.nextCursor}`, token).expect(200)).body;
    expect([next.data[0].name, next.hasMore]).toEqual(['second', false]);
    const end = await api.get('/api-keys?cursor=999999999999999999', token).expect(200);
    expect(end.body).toEqual({ data: [], nextCursor: '999999999999999999', hasMore: false });
    expect((await api.get('/api-keys?cursor=x', token).expect(400)).body.code).toBe('INVALID_CURSOR');
    expect((await api.get('/api-keys?limit=0', token).expect(400)).body.code).toBe('INVALID_REQUEST');
  });
});

describe('revoking', () => {
  test('rejects the key from the next request on, and no other key', async () => {
    const { body } = await api.post('/api-keys', sessionToken(), { name: 'x' }).expect(201);
    const other = await addKey(api.db, 1);
    await api.get('/status', body.key).expect(200);
    const response = await api.delete(`/api-keys/${body.data.id}`, sessionToken()).expect(204);
    expect(response.text).toBe('');
    expect((await api.get('/status', body.key).expect(401)).body.code).toBe('API_KEY_INVALID');
    await api.get('/status', other).expect(200);
  });

  test('does nothing for a revoked key', async () => {
    const revokedAt = new Date('2026-01-01T00:00:00Z');
    await addKey(api.db, 1, { name: 'revoked', revokedAt });
    const { id } = await api.db.apiKey.findFirstOrThrow({ where: { name: 'revoked' } });
    await api.delete(`/api-keys/${id}`, sessionToken()).expect(204);
    expect(await api.db.apiKey.findFirst({ where: { id } })).toMatchObject({ revokedAt });
    expect(await api.db.auditRecord.count({ where: { objectId: String(id) } })).toBe(0);
  });

  test('makes room for another key', async () => {
    const { id } = await api.db.apiKey.findFirstOrThrow({ where: { companyId: 3, revokedAt: null } });
    const token = sessionToken({ companyId: 3 });
    await api.post('/api-keys', token, { name: 'x' }).expect(409);
    await api.delete(`/api-keys/${id}`, token).expect(204);
    await api.post('/api-keys', token, { name: 'x' }).expect(201);
  });
});
