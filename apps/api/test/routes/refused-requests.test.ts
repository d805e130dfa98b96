import { feedId } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2, { apiEnabled: false });
});

beforeEach(() => api.db.auditRecord.deleteMany());

afterAll(() => api.close());

const withoutPermission = (sub = '7') => sessionToken({ sub, permissions: [] });
const post = (token: string) => api.post('/api-keys', token, { name: 'x' }).expect(403);
const records = () => api.db.auditRecord.findMany({ orderBy: { id: 'asc' } });
const recorded = async () => (await records()).map(({ userId, objectId }) => `${userId} ${objectId}`);
const age = (hours: number) =>
  api.db.$executeRaw`UPDATE audit_records SET at = at - ${hours}::int * interval '1 hour'`;

test('records a request without the permission with user, operation, time, address and ids', async () => {
  const { headers } = await post(withoutPermission());
  const { body } = await api.get('/audit-log', sessionToken()).expect(200);
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      userId: 7,
      apiKeyId: null,
      action: 'request.refused',
      objectType: 'operation',
      objectId: 'createApiKey',
      requestId: headers['x-request-id'],
      serverRequestId: headers['x-request-id'],
      ipAddress: '127.0.0.1',
      details: { code: 'PERMISSION_DENIED' },
    },
  ]);
  expect(Math.abs(Date.parse(body.data[0].at) - Date.now())).toBeLessThan(60_000);
});

test('records a request while the API is switched off for the workspace', async () => {
  await api.get('/webhooks', sessionToken({ companyId: 2 })).expect(403);
  expect(await records()).toMatchObject([
    { companyId: 2, objectId: 'listWebhooks', details: { code: 'FEATURE_NOT_ENABLED' } },
  ]);
});

test('records a user’s rejected requests of one operation once an hour, even if they are concurrent', async () => {
  await Promise.all(Array.from({ length: 8 }, () => post(withoutPermission()).then((done) => done)));
  await post(withoutPermission());
  await api.get('/webhooks', withoutPermission()).expect(403);
  await post(withoutPermission('8'));
  expect(await recorded()).toEqual(['7 createApiKey', '7 listWebhooks', '8 createApiKey']);
  await age(1);
  await post(withoutPermission());
  expect(await recorded()).toHaveLength(4);
});

test('records the rejected requests of a workspace a limited number of times a day', async () => {
  await api.db.$executeRaw`
    INSERT INTO audit_records (company_id, id, at, user_id, request_id, action, object_type, object_id)
    SELECT 1, ${feedId()}::bigint - 2_000 + n, clock_timestamp(), n, n::text, 'request.refused', 'operation', 'createApiKey'
    FROM generate_series(1001, 1999) n`;
  await post(withoutPermission('8'));
  await post(withoutPermission('9'));
  expect((await recorded()).slice(-2)).toEqual(['1999 createApiKey', '8 createApiKey']);
  // Management writes are still recorded.
  await api.post('/api-keys', sessionToken(), { name: 'x' }).expect(201);
  expect((await records()).at(-1)).toMatchObject({ action: 'api_key.created' });
  await age(24);
  await post(withoutPermission('9'));
  expect((await recorded()).at(-1)).toBe('9 createApiKey');
});

test('a record that cannot be written does not change the response', async () => {
  await api.db.$executeRaw`ALTER TABLE audit_records ADD CONSTRAINT refuse CHECK (user_id <> 13)`;
  const { body } = await post(withoutPermission('13'));
  expect(body.code).toBe('PERMISSION_DENIED');
  expect(await records()).toEqual([]);
  expect(api.log).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'could not record a rejected request' }),
  );
});
