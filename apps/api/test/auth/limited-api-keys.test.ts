import { createHash } from 'node:crypto';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp, ROUTES } from '../../src/app.ts';
import type { TrustedProxies } from '../../src/auth/trusted-proxies.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const token = sessionToken();
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

const statusOf = async (key: string, path = '/status') => (await api.get(path, key)).status;

test('a key works until it expires', async () => {
  expect(await statusOf(await addKey(api.db, 1, { expiresAt: inSeconds(60) }))).toBe(200);
  const expired = await api.get('/status', await addKey(api.db, 1, { expiresAt: inSeconds(-1) }));
  expect([expired.status, expired.body.code]).toEqual([401, 'API_KEY_INVALID']);
});

test('stores and returns the limits of a key; there are none by default', async () => {
  const limits = {
    expiresAt: inSeconds(3600).toISOString(),
    scopes: ['read:calls', 'read:rooms'],
    allowedNetworks: ['192.0.2.0/24', '2001:db8::/32', '127.0.0.1'],
  };
  const { body } = await api.post('/api-keys', token, { name: 'x', ...limits }).expect(201);
  expect(body.data).toMatchObject(limits);
  expect((await api.get('/status', body.key).expect(200)).body.key.scopes).toEqual(limits.scopes);
  // The use is recorded concurrently with the response.
  const listed = await until('the use to be recorded', async () => {
    const { data } = (await api.get('/api-keys?limit=500', token).expect(200)).body;
    return data.some((one: any) => one.id === body.data.id && one.lastUsedAt !== null) && data;
  });
  expect(listed).toContainEqual({ ...body.data, lastUsedAt: expect.anything() });
  const open = (await api.post('/api-keys', token, { name: 'x' }).expect(201)).body.data;
  expect(open).toMatchObject({ expiresAt: null, scopes: ['read'], allowedNetworks: null });
});

test.each<[string, object]>([
  ['expiresAt', { expiresAt: '2020-01-01' }],
  ['expiresAt', { expiresAt: 'soon' }],
  ['scopes', { scopes: [] }],
  ['scopes', { scopes: ['write'] }],
  ['scopes', { scopes: 'read' }],
  ['allowedNetworks', { allowedNetworks: [] }],
  ['allowedNetworks', { allowedNetworks: ['10.0.0.0/33'] }],
  ['allowedNetworks', { allowedNetworks: ['10.0.0/8'] }],
  ['allowedNetworks', { allowedNetworks: ['example.com'] }],
  ['allowedNetworks', { allowedNetworks: Array(51).fill('10.0.0.0/8') }],
])('rejects an invalid %s: %j', async (field, limits) => {
  const response = await api.post('/api-keys', token, { name: 'x', ...limits });
  expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(response.body.error).toMatch(new RegExp(`^${field}[.0-9]*: must be`));
});

describe('scopes', () => {
  const paths: Record<string, string[]> = {
    'read:calls': ['/calls', '/calls/x'],
    'read:engagement': [
      '/engagement/events',
      '/engagement/views',
      '/distributions',
      '/distributions/x',
      '/distributions/x/heatmap',
    ],
    'read:rooms': [
      '/decision-rooms',
      '/decision-rooms/x',
      '/decision-rooms/x/metrics',
      '/room-scores',
      '/people',
      '/people/x',
      '/documents',
      '/documents/x',
      '/esign-documents',
      '/esign-documents/x',
    ],
    'read:deliveries': ['/webhook-deliveries', '/webhook-deliveries/x'],
  };
  /** The routes that every key may read. */
  const free = ['/status', '/erasures'];
  const all = [...free, ...Object.values(paths).flat()];

  test('this test covers every route for keys', () => {
    const routes = ROUTES.filter(({ access }) => access === 'key').map(({ path }) =>
      path.replace(':id', 'x'),
    );
    expect(all.toSorted()).toEqual(routes.toSorted());
  });

  test.each(Object.keys(paths))('a key for %s reads that and the status, and nothing else', async (scope) => {
    const key = await addKey(api.db, 1, { scopes: [scope] });
    const denied: string[] = [];
    for (const path of all) {
      const { status, body } = await api.get(path, key);
      expect([200, 403, 404]).toContain(status);
      if (status !== 403) continue;
      expect(body.code).toBe('PERMISSION_DENIED');
      denied.push(path);
    }
    expect(denied).toEqual(all.filter((path) => !free.includes(path) && !paths[scope]?.includes(path)));
  });
});

test('returns the hash of an erased address only to keys that may read addresses, in the feed and in the delivery log', async () => {
  await addEndpoint(api.db);
  await capture(api.db, { record: 'erasePerson', email: 'Bob@globex.example' });
  await finishErasures(api.db);
  const hash = createHash('sha256').update('bob@globex.example').digest('hex');
  const seenBy = async (...scopes: string[]) => {
    const key = await addKey(api.db, 1, { scopes: [...scopes, 'read:deliveries'] });
    const [entry] = (await api.get('/erasures', key).expect(200)).body.data;
    const [delivery] = (await api.get('/webhook-deliveries?event_type=person.erased', key).expect(200)).body
      .data;
    const { status, body } = await api.get(`/webhook-deliveries/${delivery.id}`, key);
    return [entry.emailSha256, status, body.data?.payload.data.emailSha256 ?? body.error];
  };
  for (const scope of ['read', 'read:rooms', 'read:engagement']) {
    expect([scope, ...(await seenBy(scope))]).toEqual([scope, hash, 200, hash]);
  }
  const refusal = 'the API key needs the scope read:rooms or read:engagement';
  for (const scope of ['read:calls', 'webhooks']) {
    expect([scope, ...(await seenBy(scope))]).toEqual([scope, null, 403, refusal]);
  }
});

describe('networks', () => {
  /** Returns the response to a key with allowed networks behind some proxies. */
  async function callFrom(allowedNetworks: string[], trustedProxies: TrustedProxies = 0, forwarded = '') {
    const key = await addKey(api.db, 1, { allowedNetworks });
    const settings = { ...api.settings, trustedProxies };
    const app = createApp({ ...api.deps, metrics: createMetrics(), settings });
    const request = supertest(app).get('/api/v1/status').set('Authorization', `Bearer ${key}`);
    return forwarded === '' ? request : request.set('X-Forwarded-For', forwarded);
  }

  test.each<[string, string[], TrustedProxies, string, number]>([
    ['its own network', ['127.0.0.0/8'], 0, '', 200],
    ['its own address', ['::1', '127.0.0.1'], 0, '', 200],
    ['another network', ['10.0.0.0/8', '2001:db8::/32'], 0, '', 403],
    ['another network, with a header that no proxy has set', ['192.0.2.0/24'], 0, '192.0.2.7', 403],
    ['behind one proxy', ['192.0.2.0/24'], 1, '192.0.2.7', 200],
    ['behind one proxy, with a header of the caller', ['192.0.2.0/24'], 1, '192.0.2.7, 203.0.113.9', 403],
    ['behind two proxies', ['192.0.2.0/24'], 2, '10.9.9.9, 192.0.2.7, 203.0.113.9', 200],
    ['behind a proxy, over IPv6', ['2001:db8::/32'], 1, '2001:db8:1::5', 200],
    ['behind a proxy that maps IPv4 to IPv6', ['192.0.2.0/24'], 1, '::ffff:192.0.2.7', 200],
    ['behind a proxy that sends no address', ['0.0.0.0/0', '::/0'], 1, 'unknown', 403],
    ['behind a proxy of a network', ['192.0.2.0/24'], ['127.0.0.0/8'], '192.0.2.7', 200],
    [
      'behind two proxies of networks',
      ['192.0.2.0/24'],
      ['loopback', '10.20.1.0/24'],
      '192.0.2.7, 10.20.1.5',
      200,
    ],
    [
      'behind such proxies, with a header of the caller',
      ['192.0.2.0/24'],
      ['loopback'],
      '192.0.2.7, 10.20.1.5',
      403,
    ],
    [
      'past the proxies of a network, with a header of the caller',
      ['10.9.8.0/24'],
      ['10.20.1.0/24'],
      '10.9.8.7',
      403,
    ],
  ])('a caller from %s', async (_name, networks, proxies, forwarded, status) => {
    const response = await callFrom(networks, proxies, forwarded);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.body.code).toBe('PERMISSION_DENIED');
  });

  test('a request from another network does not count against the limit of the key', async () => {
    const { headers } = await callFrom(['10.0.0.0/8']);
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
    // Checks that the response matches the published description.
    await api.get('/status', await addKey(api.db, 1, { allowedNetworks: ['10.0.0.0/8'] })).expect(403);
  });
});

describe('rotation', () => {
  const limits = { scopes: ['read:calls'], allowedNetworks: ['127.0.0.0/8', '::/0'] };
  async function create(fields: object = {}): Promise<{ id: number; key: string }> {
    const { body } = await api.post('/api-keys', token, { name: 'loader', ...limits, ...fields }).expect(201);
    return { id: body.data.id, key: body.key };
  }

  test('creates a key of the same kind, and ends the old one immediately', async () => {
    const expiresAt = inSeconds(7200).toISOString();
    const { id, key } = await create({ expiresAt });
    const { body } = await api.post(`/api-keys/${id}/rotate`, token).expect(201);
    expect(body.data).toMatchObject({ name: 'loader', ...limits, expiresAt, rotatedAt: null });
    expect(body.data.id).not.toBe(id);
    expect([await statusOf(key), await statusOf(body.key)]).toEqual([401, 200]);
    const old = await api.db.apiKey.findFirstOrThrow({ where: { id } });
    expect([old.rotatedAt, old.revokedAt]).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test('lets the old key work for the requested time, but not beyond its expiry', async () => {
    const { id, key } = await create();
    const { body } = await api.post(`/api-keys/${id}/rotate`, token, { overlapSeconds: 600 }).expect(201);
    expect([await statusOf(key), await statusOf(body.key)]).toEqual([200, 200]);
    expect(body.data.expiresAt).toBeNull();
    const old = await api.db.apiKey.findFirstOrThrow({ where: { id } });
    expect(old.revokedAt).toBeNull();
    const leftMs = (old.expiresAt?.getTime() ?? 0) - (old.rotatedAt?.getTime() ?? 0);
    expect(Math.abs(leftMs - 600_000)).toBeLessThanOrEqual(1);

    const expiresAt = inSeconds(60);
    const short = await create({ expiresAt: expiresAt.toISOString() });
    const longer = inSeconds(9000).toISOString();
    const change = { overlapSeconds: 604_800, expiresAt: longer };
    const rotated = await api.post(`/api-keys/${short.id}/rotate`, token, change).expect(201);
    expect(rotated.body.data.expiresAt).toBe(longer);
    expect(await api.db.apiKey.findFirst({ where: { id: short.id } })).toMatchObject({ expiresAt });
  });

  test.each<[string, object, string]>([
    ['an overlap of more than a week', { overlapSeconds: 604_801 }, 'overlapSeconds'],
    ['a negative overlap', { overlapSeconds: -1 }, 'overlapSeconds'],
    ['part of a second', { overlapSeconds: 0.5 }, 'overlapSeconds'],
    ['an end in the past', { expiresAt: '2020-01-01' }, 'expiresAt'],
  ])('rejects %s', async (_name, body, field) => {
    const { id, key } = await create();
    const refused = await api.post(`/api-keys/${id}/rotate`, token, body).expect(400);
    expect(refused.body.error).toMatch(new RegExp(`^${field}: must be`));
    expect(await statusOf(key)).toBe(200);
  });

  test('returns 404 for a key of another workspace', async () => {
    const { id, key } = await create();
    await api.post(`/api-keys/${id}/rotate`, sessionToken({ companyId: 2 })).expect(404);
    expect(await statusOf(key)).toBe(200);
  });

  test('rejects a key that was revoked or rotated, or has expired', async () => {
    const revoked = await create();
    await api.delete(`/api-keys/${revoked.id}`, token).expect(204);
    const rotated = await create();
    await api.post(`/api-keys/${rotated.id}/rotate`, token, { overlapSeconds: 600 }).expect(201);
    await addKey(api.db, 1, { name: 'expired', expiresAt: inSeconds(-1) });
    const expired = await api.db.apiKey.findFirstOrThrow({ where: { name: 'expired' } });
    const before = await api.db.apiKey.count();
    for (const { id } of [revoked, rotated, expired]) {
      const { body } = await api.post(`/api-keys/${id}/rotate`, token).expect(409);
      expect(body.code).toBe('INVALID_STATE');
    }
    expect(await api.db.apiKey.count()).toBe(before);
  });
});

test('an expired key does not count as active, but a key in its overlap does', async () => {
  await addCompany(api.db, 5);
  const theirs = sessionToken({ companyId: 5 });
  await addKey(api.db, 5, { expiresAt: inSeconds(-1) });
  for (let n = 0; n < 199; n += 1) await addKey(api.db, 5);
  const { body } = await api.post('/api-keys', theirs, { name: 'x' }).expect(201);
  const path = `/api-keys/${body.data.id}/rotate`;
  const refused = await api.post(path, theirs, { overlapSeconds: 60 }).expect(409);
  expect(refused.body.error).toMatch(/^the workspace already has 200 active keys/);
  await api.post(path, theirs).expect(201);
});

test('creating and revoking keys is limited to a number of new keys a day', async () => {
  const few = await openTestApi({ settings: { keysPerDay: 3 } });
  try {
    await addCompany(few.db, 1);
    await addCompany(few.db, 2);
    const create = (as = token) => few.post('/api-keys', as, { name: 'x' });
    for (let n = 0; n < 2; n += 1) {
      const { body } = await create().expect(201);
      await few.delete(`/api-keys/${body.data.id}`, token).expect(204);
    }
    const third = (await create().expect(201)).body.data.id;
    const refused = await create().expect(429);
    expect(refused.body.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    await few.post(`/api-keys/${third}/rotate`, token, {}).expect(429);
    expect(await few.db.apiKey.findFirst({ where: { id: third } })).toMatchObject({ revokedAt: null });
    await create(sessionToken({ companyId: 2 })).expect(201);
    // A day later, the first keys no longer count.
    await few.db
      .$executeRaw`UPDATE api_keys SET created_at = created_at - interval '1 day' WHERE company_id = 1`;
    await create().expect(201);
  } finally {
    await few.close();
  }
});
