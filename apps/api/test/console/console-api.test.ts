import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { generateApiKey } from '../../src/auth/generate-api-key.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2, { apiEnabled: false });
});

afterAll(() => api.close());

/** A request to each route except that of the session. */
const REQUESTS = CONSOLE_ROUTES.filter(({ path }) => path !== '/session').map(({ method, path }) => ({
  method,
  path: `/console/api${path.replace(':id', '0192f0a0-0000-7000-8000-000000000000')}`,
}));
/** Sends a request of the console. */
const send = ({ method, path }: (typeof REQUESTS)[number], token: string) =>
  method === 'POST' ? api.post(path, token, {}) : api.get(path, token);

test('a session returns its user, workspace, permissions and expiry', async () => {
  await api.db.user.create({
    data: { companyId: 1, id: 7, name: 'Maren Holt', email: 'maren@holt.example' },
  });
  const expires = Math.floor(Date.now() / 1000) + 900;
  const { body } = await api.get('/console/api/session', sessionToken({ exp: expires })).expect(200);
  expect(body).toEqual({
    user: { id: 7, name: 'Maren Holt' },
    company: { id: 1, name: expect.any(String), apiEnabled: true },
    mayManage: true,
    expiresAt: new Date(expires * 1000).toISOString(),
  });
});

test('a session works without the permission, while the API is switched off, and for unknown users', async () => {
  const { body } = await api
    .get('/console/api/session', sessionToken({ sub: '8', companyId: 2, permissions: [] }))
    .expect(200);
  expect(body).toMatchObject({
    user: { id: 8, name: null },
    company: { apiEnabled: false },
    mayManage: false,
  });
});

test('every other route needs the permission and an enabled API', async () => {
  for (const request of REQUESTS) {
    await send(request, sessionToken({ permissions: [] })).expect(403);
    const { body } = await send(request, sessionToken({ companyId: 2 })).expect(403);
    expect(body.code).toBe('FEATURE_NOT_ENABLED');
  }
});

test('an API key cannot use a route of the console, and a session cannot use a route for keys', async () => {
  const generated = generateApiKey();
  await api.db.apiKey.create({
    data: { companyId: 1, name: 'x', prefix: generated.prefix, keyHash: generated.hash, scopes: ['read'] },
  });
  for (const request of [{ method: 'GET' as const, path: '/console/api/session' }, ...REQUESTS]) {
    const { body } = await send(request, generated.key).expect(401);
    expect(body.code).toBe('SESSION_INVALID');
  }
  await api.get('/calls', generated.key).expect(200);
  await api.get('/console/api/calls', sessionToken()).expect(200);
  await api.get('/calls', sessionToken()).expect(401);
});

test('counts requests of the console separately from management requests', async () => {
  const limited = await openTestApi({
    settings: {
      managementPerMinute: { user: 1, workspace: 1 },
      console: { perMinute: { user: 2, workspace: 100 }, trustedOrigins: [], linksStartSessions: false },
    },
  });
  await addCompany(limited.db, 1);
  await limited.get('/console/api/session', sessionToken()).expect(200);
  await limited.get('/console/api/calls', sessionToken()).expect(200);
  await limited.get('/console/api/calls', sessionToken()).expect(429);
  await limited.get('/webhooks', sessionToken()).expect(200);
  await limited.close();
});
