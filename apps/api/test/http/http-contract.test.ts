import { gzipSync } from 'node:zlib';
import type { WebhookEndpoint } from '@deal-signals/db/generated/client';
import { addDelivery, addEndpoint, DEAD, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCall, addCompany, addKey, addLink, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { ROUTES } from '../../src/app.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
  key = await addKey(api.db, 1);
  await addRoom(api.db, 1, 1);
  await addRoom(api.db, 2, 2);
  await addCall(api.db, 1, 1);
  await addCall(api.db, 2, 2);
  await addLink(api.db, 2, 2, { roomId: uuid(2) });
});

afterAll(() => api.close());

/** Returns a credential of the kind that a route accepts. */
const credentialFor = (access: string): string => (access === 'key' ? key : sessionToken());
const LISTS = ROUTES.filter(({ method, access }) => method === 'GET' && access === 'key')
  .map(({ path }) => path)
  .filter((path) => !path.includes(':') && path !== '/status');

/** Returns a path of the route table with its ids filled in. */
const pathWith = (path: string, id: string, deliveryId = '1'): string =>
  path.replace(':id', id).replace(':deliveryId', deliveryId);

describe('an id that is unknown, malformed or another workspace’s', () => {
  const malformed = ['x', '%00', '%zz', '%F0%9F', '1e3', `${uuid(1)}x`, `{${uuid(1)}}`, '..%2F..', 'null'];
  const invalidIntegers = ['999999', '2147483648', '0', '1.0', '-1', '01'];
  let own: number;
  let ownDelivery: string;
  let foreign: number;
  let foreignRow: WebhookEndpoint;
  let foreignDelivery: string;
  let foreignKey: number;

  beforeAll(async () => {
    own = await addEndpoint(api.db);
    ownDelivery = String(await addDelivery(api.db, own, DEAD));
    foreign = await addEndpoint(api.db, { companyId: 2, enabled: false });
    foreignRow = await api.db.webhookEndpoint.findUniqueOrThrow({
      where: { companyId_id: { companyId: 2, id: foreign } },
    });
    foreignDelivery = String(await addDelivery(api.db, foreign, { ...DEAD, companyId: 2 }));
    await addKey(api.db, 2, { name: 'foreign' });
    ({ id: foreignKey } = await api.db.apiKey.findFirstOrThrow({ where: { companyId: 2 } }));
  });

  /** Returns paths of a route that all name an object that the workspace does not have. */
  function pathsOf({ path }: { path: string }): string[] {
    if (path.startsWith('/api-keys')) {
      return [String(foreignKey), ...invalidIntegers, ...malformed].map((id) => pathWith(path, id));
    }
    if (!path.startsWith('/webhooks')) {
      return [uuid(2), uuid(99), ...malformed].map((id) => pathWith(path, id));
    }
    const endpoints = [String(foreign), ...invalidIntegers, ...malformed];
    if (!path.includes(':deliveryId')) return endpoints.map((id) => pathWith(path, id));
    const deliveries = [foreignDelivery, ...invalidIntegers, '1000000000000000000', ...malformed];
    return [
      ...endpoints.flatMap((id) => [foreignDelivery, ownDelivery].map((one) => pathWith(path, id, one))),
      ...deliveries.map((deliveryId) => pathWith(path, String(own), deliveryId)),
    ];
  }

  const ROUTES_WITH_ID = ROUTES.filter(({ path }) => path.includes('/:id')).map((route) => ({ ...route }));

  test.each(ROUTES_WITH_ID)('gets the same 404 from $method $path as any unknown path', async (route) => {
    const { status, headers, text } = await api.get('/no/such/path');
    const unknown = `${status} ${headers['content-type']} ${text}`;
    expect(unknown).toBe('404 application/json; charset=utf-8 {"error":"not found","code":"NOT_FOUND"}');
    const different: string[] = [];
    for (const path of pathsOf(route)) {
      const request = supertest(api.app)[route.method.toLowerCase() as 'get'](`/api/v1${path}`);
      const response = await request
        .set('Authorization', `Bearer ${credentialFor(route.access)}`)
        .set('Content-Type', 'application/json')
        // Valid for every operation, so that only the id can be wrong.
        .send(
          route.method === 'GET'
            ? undefined
            : JSON.stringify({ enabled: true, since: new Date().toISOString() }),
        );
      const received = `${response.status} ${response.headers['content-type']} ${response.text}`;
      if (received !== unknown) different.push(`${path}: ${received}`);
    }
    expect(different).toEqual([]);
  });

  test('changes nothing', async () => {
    const where = { companyId: 2 };
    expect(await api.db.webhookEndpoint.findMany({ where })).toEqual([foreignRow]);
    expect(await api.db.delivery.findMany({ where })).toMatchObject([{ status: 'dead' }]);
    expect(await api.db.apiKey.findMany({ where })).toMatchObject([{ revokedAt: null }]);
    expect(await api.db.auditRecord.count()).toBe(0);
  });
});

test('an id in upper case is the same id', async () => {
  const id = 'abcdefab-0000-4000-8000-00000000000a';
  await addRoom(api.db, 1, 10, { id });
  const response = await api.get(`/decision-rooms/${id.toUpperCase()}`, key).expect(200);
  expect(response.body.data.id).toBe(id);
});

test.each(ROUTES.map((route) => ({ ...route })))(
  '$method $path rejects requests without a credential or with one of the other kind',
  async ({ method, path, access }) => {
    const send = (token?: string) => {
      const request = supertest(api.app)[method.toLowerCase() as 'get'](`/api/v1${pathWith(path, '1')}`);
      return token === undefined ? request : request.set('Authorization', `Bearer ${token}`);
    };
    const code = access === 'key' ? 'API_KEY_INVALID' : 'SESSION_INVALID';
    const unauthenticated = await send();
    expect([unauthenticated.status, unauthenticated.body.code]).toEqual([401, code]);
    const other = await send(access === 'key' ? sessionToken() : key);
    // Where keys with a scope are accepted, the credential is valid but insufficient.
    const refusal = access === 'session or key' ? [403, 'PERMISSION_DENIED'] : [401, code];
    expect([other.status, other.body.code]).toEqual(refusal);
  },
);

test.each([...new Set(ROUTES.map(({ path }) => path))])(
  '%s responds with 405 to other methods',
  async (path) => {
    const allowed = ROUTES.filter((route) => route.path === path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const response = await supertest(api.app)[method.toLowerCase() as 'get'](
        `/api/v1${pathWith(path, uuid(1))}`,
      );
      expect([method, response.status, response.headers['allow']]).toEqual([method, 405, allowed.join(', ')]);
      if (method !== 'HEAD') expect(response.body.code).toBe('METHOD_NOT_ALLOWED');
    }
  },
);

test('HEAD gets the response of GET without the body', async () => {
  const get = await api.get('/decision-rooms', key).expect(200);
  const head = await supertest(api.app).head('/api/v1/decision-rooms').set('Authorization', `Bearer ${key}`);
  expect([head.status, head.headers['content-length'], head.text]).toEqual([
    200,
    get.headers['content-length'],
    undefined,
  ]);
});

test.each(['', '/', '/nothing', '/Calls', '/calls/', '//calls', '/calls/%zz/x', '/api-keys/1/2'])(
  'returns 404 for the unknown path "%s"',
  async (path) => {
    const response = await api.get(path, key);
    expect([response.status, response.body.code]).toEqual([404, 'NOT_FOUND']);
  },
);

const requestIds = new Set<string>();

test.each<[number, string, () => PromiseLike<supertest.Response>]>([
  [200, 'a GET', () => api.get('/status', key)],
  [200, 'a HEAD', () => supertest(api.app).head('/api/v1/status').set('Authorization', `Bearer ${key}`)],
  [201, 'a POST', () => api.post('/api-keys', sessionToken(), { name: 'x' })],
  [
    204,
    'a DELETE',
    async () => {
      await addKey(api.db, 1);
      const { id } = await api.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
      return api.delete(`/api-keys/${id}`, sessionToken());
    },
  ],
  [400, 'an invalid request', () => api.post('/api-keys', sessionToken(), {})],
  [401, 'no credential', () => api.get('/status')],
  [403, 'a session without the permission', () => api.get('/webhooks', sessionToken({ permissions: [] }))],
  [404, 'an unknown path', () => api.get('/nothing')],
  [404, 'a malformed id', () => api.get('/calls/%zz', key)],
  [405, 'another method', () => supertest(api.app).put('/api/v1/calls')],
  [
    409,
    'an impossible transition',
    async () => {
      const endpointId = await addEndpoint(api.db);
      const delivered = await addDelivery(api.db, endpointId, DELIVERED);
      return api.post(`/webhooks/${endpointId}/deliveries/${delivered}/retry`, sessionToken());
    },
  ],
  [413, 'a large body', () => api.post('/api-keys', sessionToken(), { name: 'x'.repeat(110_000) })],
])(
  'a response with %d to %s has the limit, its window and a new request id',
  async (expected, _what, send) => {
    const { status, headers } = await send();
    expect(status).toBe(expected);
    expect(headers['x-ratelimit-limit']).toBe('100000');
    expect(headers['x-ratelimit-window']).toBe('60');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['strict-transport-security']).toContain('max-age=');
    const requestId = String(headers['x-request-id']);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIds).not.toContain(requestId);
    requestIds.add(requestId);
  },
);

test('keeps a harmless request id of the caller', async () => {
  const { headers } = await api.get('/status').set('X-Request-Id', 'job-17.retry_2');
  expect(headers['x-request-id']).toBe('job-17.retry_2');
});

test.each(['', 'two words', 'x'.repeat(129), '{"level":"error"}', '<b>'])(
  'replaces the request id "%s" of the caller',
  async (sent) => {
    const { headers } = await api.get('/status').set('X-Request-Id', sent);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-/);
  },
);

test.each([
  ['/calls?limit=0', 'limit'],
  ['/calls?limit=501', 'limit'],
  ['/calls?limit=', 'limit'],
  ['/calls?limit=ten', 'limit'],
  ['/calls?limit=1.5', 'limit'],
  ['/calls?limit=-1', 'limit'],
  ['/calls?limit=1e2', 'limit'],
  ['/calls?limit=9999999999999999999', 'limit'],
  ['/calls?limit=1&limit=2', 'limit'],
  ['/calls?cursor=a&cursor=b', 'cursor'],
  ['/calls?kind=webinar', 'kind'],
  ['/calls?kind=', 'kind'],
  ['/calls?kind=Demo', 'kind'],
  ['/calls?kind=demo&kind=meeting', 'kind'],
  ['/calls?has_summary=yes', 'has_summary'],
  ['/calls?buyer_space_id=1', 'buyer_space_id'],
  ['/calls?buyer_space_id=%00', 'buyer_space_id'],
  ['/calls?updated_since=yesterday', 'updated_since'],
  ['/calls?updated_since=2026-02-30', 'updated_since'],
  ['/calls?updated_since=2026-01-01T00:00:00', 'updated_since'],
  ['/calls?updated_since=2026-01-01T00:00', 'updated_since'],
  ['/calls?updated_since=2026-02-30T00:00Z', 'updated_since'],
  ['/calls?updated_since=2026-01-01T00:00:00+02:00', 'updated_since'],
  ['/calls?updated_since=0000-12-31', 'updated_since'],
  ['/calls?updated_since=0001-01-01T00:00:00%2B01:00', 'updated_since'],
  ['/calls?updated_since=9999-12-31T23:59:59-01:00', 'updated_since'],
  ['/calls?updated_since=%2B010000-01-01', 'updated_since'],
  ['/calls?updated_since=1767225600', 'updated_since'],
  ['/decision-rooms?status=closed', 'status'],
  ['/decision-rooms?updated_since=', 'updated_since'],
  ['/engagement/events?types=%00', 'types'],
  [`/engagement/events?types=${Array.from({ length: 21 }, (_, n) => `t${n}`).join()}`, 'types'],
  [`/engagement/events?types=${'room_visit,'.repeat(20)}room_visit`, 'types'],
  ['/engagement/events?since=now', 'since'],
  ['/engagement/events?buyer_space_id=x', 'buyer_space_id'],
  ['/engagement/events?demo_id=x', 'demo_id'],
  ['/engagement/views?since=now', 'since'],
  ['/engagement/views?distribution_id=x', 'distribution_id'],
])('rejects %s, and the error names the parameter', async (path, parameter) => {
  const response = await api.get(path, key);
  expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(response.body.error).toMatch(new RegExp(`^${parameter}: must `));
  expect(response.body.field).toBe(parameter);
});

test.each(LISTS)('%s ignores unknown parameters, and lists them', async (path) => {
  const { headers } = await api
    .get(`${path}?page=2&page=3&__proto__=1&limit=5&constructor=2&limit[]=0`, key)
    .expect(200);
  expect(headers['x-ignored-parameters']).toBe('page, __proto__, constructor, limit%5B%5D');
});

describe('the header X-Ignored-Parameters', () => {
  const ignored = async (path: string, send = api.get(path, key)) =>
    (await send).headers['x-ignored-parameters'] ?? null;

  test.each(ROUTES.map((route) => ({ ...route })))('is sent by $method $path', async (route) => {
    const path = `/api/v1${pathWith(route.path, uuid(99))}?curser=abc`;
    const request = supertest(api.app)[route.method.toLowerCase() as 'get'](path);
    expect(
      await ignored(
        path,
        request
          .set('Authorization', `Bearer ${credentialFor(route.access)}`)
          .set('Content-Type', 'application/json')
          .send(route.method === 'GET' ? undefined : '{'),
      ),
    ).toBe('curser');
  });

  test.each([
    ['nothing is ignored', '/calls?cursor=&limit=1&has_summary=true', null],
    ['there is no query', '/calls', null],
    ['a name is empty', '/calls?=1&&', null],
    ['another parameter is wrong', '/calls?curser=abc&limit=0', 'curser'],
    ['the object is unknown', '/calls/x?fields=id', 'fields'],
    ['a name has upper case', '/calls?Limit=5', 'Limit'],
  ])('if %s', async (_when, path, names) => {
    expect(await ignored(path)).toBe(names);
  });

  test('is sent with 304, with HEAD and by the console', async () => {
    const { headers } = await api.get('/status', key);
    const unchanged = api.get('/status?x=1', key).set('If-None-Match', String(headers['etag']));
    expect((await unchanged).status).toBe(304);
    expect((await unchanged).headers['x-ignored-parameters']).toBe('x');
    const head = supertest(api.app).head('/api/v1/calls?x=1').set('Authorization', `Bearer ${key}`);
    expect((await head).headers['x-ignored-parameters']).toBe('x');
    const console = await api.get('/console/api/overview?x=1', sessionToken()).expect(200);
    expect(console.headers['x-ignored-parameters']).toBe('x');
  });

  test('is not sent to callers without a credential, and not for paths without an operation', async () => {
    expect(await ignored('/calls?x=1', api.get('/calls?x=1'))).toBeNull();
    expect(await ignored('/nothing?x=1')).toBeNull();
  });

  test.each([
    ['a line break', '%0d%0aSet-Cookie:%20a=b', '%0D%0ASet-Cookie%3A%20a'],
    ['a comma', 'a,%20b', 'a%2C%20b'],
    ['quotes and a semicolon', '%22a%22;b', '%22a%22%3Bb'],
    ['NUL', '%00', '%00'],
    ['characters beyond ASCII', '%C3%A9', '%C3%A9'],
    ['bytes that are not UTF-8', '%FF', '%EF%BF%BD'],
    ['half a surrogate pair', '%ED%A0%80', '%EF%BF%BD%EF%BF%BD%EF%BF%BD'],
    ['forty characters', 'x'.repeat(40), 'x'.repeat(40)],
    ['more', 'x'.repeat(41), `${'x'.repeat(40)}...`],
    ['more than an escape leaves room for', `${'x'.repeat(39)}%20y`, `${'x'.repeat(39)}...`],
    ['a pair at the end of what is shown', `${'x'.repeat(40)}%F0%9F%98%80`, `${'x'.repeat(40)}...`],
  ])('escapes and shortens a name with %s', async (_what, name, shown) => {
    const { headers } = await api.get(`/calls?${name}`, key).expect(200);
    expect(headers['x-ignored-parameters']).toBe(shown);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('has at most ten names, regardless of their number and length', async () => {
    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, n) => `${n}${name}`).join('&');
    const ten = Array.from({ length: 10 }, (_, n) => `${n}a`).join(', ');
    expect(await ignored(`/calls?${many(10, 'a')}`)).toBe(ten);
    expect(await ignored(`/calls?${many(11, 'a')}`)).toBe(`${ten}, ...`);
    const long = await ignored(`/calls?${many(150, '%F0%9F%98%80'.repeat(7))}`);
    const cut = Array.from({ length: 10 }, (_, n) => `${n}😀😀😀...`).join(', ');
    expect(decodeURIComponent(String(long))).toBe(`${cut}, ...`);
    expect(String(long).length).toBeLessThan(500);
  });
});

describe('an empty cursor is the beginning', () => {
  const PAGED = ROUTES.filter(
    ({ method, path, query }) =>
      method === 'GET' && !path.includes(':') && query !== undefined && 'cursor' in query.shape,
  ).map(({ path, access }) => ({ path, access }));

  test.each(PAGED)('of $path', async ({ path, access }) => {
    const without = await api.get(`${path}?limit=1`, credentialFor(access)).expect(200);
    const empty = await api.get(`${path}?limit=1&cursor=`, credentialFor(access)).expect(200);
    expect(empty.body).toEqual(without.body);
    const blank = await api.get(`${path}?limit=1&cursor=%20`, credentialFor(access)).expect(400);
    expect(blank.body.code).toBe('INVALID_CURSOR');
  });

  test.each([
    '/calls?updated_since=2999-01-01',
    '/engagement/events?since=2999-01-01',
    '/webhook-deliveries?order=desc',
  ])('of %s', async (path) => {
    const without = await api.get(path, key).expect(200);
    const empty = await api.get(`${path}&cursor=`, key).expect(200);
    expect(Object.keys(empty.body)).toEqual(Object.keys(without.body));
    expect(empty.body.data).toEqual(without.body.data);
  });

  test('is published', () => {
    const { paths } = describeApi(ROUTES) as any;
    for (const { path } of PAGED) {
      const { schema } = paths[path].get.parameters.find(({ name }: { name: string }) => name === 'cursor');
      expect([path, '', '1789030800000000'].map((text) => new RegExp(schema.pattern).test(text))).toEqual([
        false,
        true,
        true,
      ]);
    }
  });

  test('but two of them are rejected', async () => {
    await api.get('/calls?cursor=&cursor=', key).expect(400);
  });
});

test('keeps every parameter of a query, after any number of others', async () => {
  const others = Array.from({ length: 1_500 }, (_, n) => `a${n}`).join('&');
  await api.get(`/calls?${others}&limit=1`, key).expect(200);
  await api.get(`/calls?${others}&limit=0`, key).expect(400, {
    error: 'limit: must be a whole number from 1 to 500',
    code: 'INVALID_REQUEST',
    field: 'limit',
  });
});

test.each([
  ['malformed JSON', (request: supertest.Test) => request.send('{"name":')],
  ['not JSON', (request: supertest.Test) => request.send('name=x')],
  ['an array', (request: supertest.Test) => request.send('[]')],
  ['a string', (request: supertest.Test) => request.send('"x"')],
  ['null', (request: supertest.Test) => request.send('null')],
  ['empty', (request: supertest.Test) => request],
  [
    'in an unknown charset',
    (r: supertest.Test) => r.set('Content-Type', 'application/json; charset=koi9').send('{}'),
  ],
  ['in an unknown encoding', (r: supertest.Test) => r.set('Content-Encoding', 'snappy').send('{}')],
  ['broken gzip', (r: supertest.Test) => r.set('Content-Encoding', 'gzip').send('{}')],
  ['a NUL', (r: supertest.Test) => r.send('\0')],
  ['JSON with a NUL behind it', (r: supertest.Test) => r.send('{"name":"x"}\0')],
])('rejects a body that is %s as an invalid request', async (_name, send) => {
  const request = supertest(api.app)
    .post('/api/v1/api-keys')
    .set('Authorization', `Bearer ${sessionToken()}`)
    .set('Content-Type', 'application/json');
  const response = await send(request);
  expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
});

describe('rejects a body that is not UTF-8, and replaces nothing in it:', () => {
  const post = (path: string, type: string, body: Buffer, token: string, encoding = 'identity') => {
    const request = supertest(api.app)
      .post(path)
      .set('Authorization', `Bearer ${token}`)
      .set('Accept', 'application/json, text/event-stream')
      .set('Content-Encoding', encoding)
      .set('Content-Type', type);
    request.write(body);
    return request;
  };
  const named = (bytes: Buffer | string) =>
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
  const JSON_TYPE = 'application/json';

  test.each([
    ['Latin-1', JSON_TYPE, named(Buffer.from('caf\xe9', 'latin1'))],
    ['an encoded surrogate', JSON_TYPE, named(Buffer.of(0xed, 0xa0, 0x80))],
    ['an overlong form', JSON_TYPE, named(Buffer.of(0xc0, 0xaf))],
    ['a sequence that is cut off', JSON_TYPE, named(Buffer.of(0xe2, 0x82))],
    ['a byte that never occurs', JSON_TYPE, named(Buffer.of(0xff))],
    ['in an unknown name', JSON_TYPE, Buffer.from('{"name":"x","\xff":1}', 'latin1')],
    ['UTF-16', JSON_TYPE, Buffer.from('\ufeff{"name":"x"}', 'utf16le')],
    ['declared UTF-16', `${JSON_TYPE}; charset=utf-16`, Buffer.from('\ufeff{"name":"x"}', 'utf16le')],
    ['declared UTF-16LE', `${JSON_TYPE};charset="UTF-16LE"`, Buffer.from('{"name":"x"}', 'utf16le')],
    ['declared UTF-7', `${JSON_TYPE}; charset=utf-7`, Buffer.from('{"name":"+AOk-"}')],
    ['declared Latin-1', `${JSON_TYPE}; charset=iso-8859-1`, named(Buffer.from('caf\xe9', 'latin1'))],
  ])('%s', async (_what, type, body) => {
    const keys = await api.db.apiKey.count();
    for (const [path, token, encoding, sent] of [
      ['/api/v1/api-keys', sessionToken(), 'identity', body],
      ['/api/v1/api-keys', sessionToken(), 'gzip', gzipSync(body)],
      ['/mcp', key, 'identity', body],
    ] as const) {
      const { status, text } = await post(path, type, sent, token, encoding);
      expect([path, status]).toEqual([path, 400]);
      expect(text).toContain('body: must be encoded in UTF-8');
    }
    expect(await api.db.apiKey.count()).toBe(keys);
  });

  test.each(['null', '1', '"x"', 'true'])(
    '%s, which is not an object, even where the body is optional',
    async (body) => {
      const { status, text } = await post(
        '/api/v1/webhooks/1/retry-dead',
        JSON_TYPE,
        Buffer.from(body),
        sessionToken(),
      );
      expect([status, text]).toEqual([400, expect.stringContaining('body: must be a JSON object')]);
    },
  );

  test.each([
    ['a byte order mark', JSON_TYPE, '\ufeff{"name":"Zoë 😀 \u2028"}'],
    ['the charset', `${JSON_TYPE}; charset=UTF-8`, '{"name":"Zoë 😀 \u2028"}'],
    [
      'the charset in quotes',
      `${JSON_TYPE};charset="utf8"; x=y`,
      '{"name":"Zo\\u00eb \\ud83d\\ude00 \u2028"}',
    ],
    ['noncharacters', JSON_TYPE, '{"name":"Zoë 😀 \u2028"}'],
  ])('but UTF-8 with %s is kept exactly', async (_what, type, text) => {
    const { status, body } = await post('/api/v1/api-keys', type, Buffer.from(text), sessionToken());
    expect([status, body.data.name]).toEqual([201, 'Zoë 😀 \u2028']);
  });

  test('but a replacement character is kept', async () => {
    const name = 'a\ufffd\uffff';
    const { body } = await api.post('/api-keys', sessionToken(), { name }).expect(201);
    expect(body.data.name).toBe(name);
  });
});

describe('rejects a text that the database cannot store, with the name of the field:', () => {
  const url = 'https://hooks.crm.example/';
  const events = ['*'];
  const BODIES: [path: string, field: string, body: (text: string) => object][] = [
    ['/api-keys', 'name', (name) => ({ name })],
    ['/webhooks', 'description', (description) => ({ url, events, description })],
    ['/webhooks', 'url', (text) => ({ url: `${url}${text}`, events })],
    ['/webhooks', 'headers.X-A', (text) => ({ url, events, headers: { 'X-A': text } })],
    ['/webhooks', 'filter.a', (text) => ({ url, events, filter: { a: text } })],
    ['/webhooks', 'events', (text) => ({ url, events: [text] })],
    ['/webhooks/test', 'url', (text) => ({ url: `${url}${text}` })],
    ['/webhooks/1/retry-dead', 'error', (error) => ({ error })],
    ['/webhooks/1/dismiss-dead', 'error', (error) => ({ error })],
    ['/console/api/erasures', 'email', (text) => ({ email: `a${text}@crm.example` })],
    ['/console/api/erasures/preview', 'email', (text) => ({ email: `a${text}@crm.example` })],
  ];
  const TEXTS = ['\0', '\ud800', '\udc00', 'a\udc00\ud800b'];

  test.each(BODIES)('%s %s', async (path, field, body) => {
    for (const text of TEXTS) {
      const response = await api.post(path, sessionToken(), body(text));
      expect([response.status, response.body]).toEqual([
        400,
        {
          code: 'INVALID_REQUEST',
          field: expect.stringMatching(new RegExp(`^${field}(\\.0)?$`)),
          error: expect.any(String),
        },
      ]);
    }
  });
});

describe('a body of', () => {
  const bodyOf = (bytes: number) => Buffer.from(`{"name":"x","pad":"${'x'.repeat(bytes - 21)}"}`);
  const send = (body: Buffer, encoding: string) => {
    const request = supertest(api.app)
      .post('/api/v1/api-keys')
      .set('Authorization', `Bearer ${sessionToken()}`)
      .set('Content-Encoding', encoding)
      .type('json');
    request.write(body);
    return request;
  };

  test('100 KiB is accepted', async () => {
    expect(bodyOf(102_400)).toHaveLength(102_400);
    await send(bodyOf(102_400), 'identity').expect(201);
  });

  test.each([
    ['one byte more', bodyOf(102_401), 'identity'],
    ['a megabyte when it is decompressed', gzipSync(bodyOf(1_000_000)), 'gzip'],
  ])('%s is rejected', async (_size, body, encoding) => {
    const response = await send(body, encoding);
    expect([response.status, response.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

test('a body may have 64 levels', async () => {
  const post = (body: string) =>
    supertest(api.app)
      .post('/api/v1/api-keys')
      .set('Authorization', `Bearer ${sessionToken()}`)
      .type('json')
      .send(body);
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const lists = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  for (const body of [objects(65), lists(65), objects(17_000), lists(51_000)]) {
    const response = await post(body);
    expect([response.status, response.body]).toEqual([
      400,
      { error: 'body: must not be nested more than 64 levels deep', code: 'INVALID_REQUEST' },
    ]);
  }
  for (const body of [objects(64), lists(64)]) {
    expect((await post(body)).body).toMatchObject({ field: 'name' });
  }
});

test('reads a body as JSON, regardless of its content type', async () => {
  await supertest(api.app)
    .post('/api/v1/api-keys')
    .set('Authorization', `Bearer ${sessionToken()}`)
    .set('Content-Type', 'application/x-www-form-urlencoded')
    .send('{"name":"from curl -d"}')
    .expect(201);
});

test('does not read a body before the credential is accepted', async () => {
  await api.post('/api-keys', 'nobody', { name: 'x'.repeat(1_000_000) }).expect(401);
});

test.each([
  ['nothing else', '/calls/x', []],
  ['the name of the wrong parameter', '/calls?limit=0', ['field']],
])('an error body has a text and a code, and %s', async (_, path, more) => {
  const { body } = await api.get(path, key);
  expect(Object.keys(body).toSorted()).toEqual(['code', 'error', ...more]);
});
