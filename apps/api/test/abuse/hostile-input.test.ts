import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NEIGHBOUR_ID, NEIGHBOUR_INTEGER, NEIGHBOUR_SECRETS } from '@deal-signals/test-kit/worlds/neighbour';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assert, asyncProperty, uint8Array } from 'fast-check';
import winston from 'winston';
import { createApiServer } from '../../src/http/server/server.ts';
import { openTestApi, sessionToken, TEST_CONNECTIONS, type TestApi } from '../test-api.ts';
import { ALL_ROUTES, bytesOf, hasIntegerIds, requestsTo } from '../http/server/hostile-requests.ts';
import { expectDecent, plantHostileWorld } from '../http/server/hostile-world.ts';
import { sendBytes } from '../http/server/raw-http.ts';

const SEED = 20_261_120;
const RUNS_A_ROUTE = 150;
const TIMEOUT_MS = 600_000;
const PER_MINUTE = 100_000;

let api: TestApi;
let server: Server;
let port: number;
/** Credentials by the placeholders that the generators use. */
let credentials: Record<string, string>;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimitPerMinute: PER_MINUTE } });
  credentials = await plantHostileWorld(api.db);
  server = createApiServer(api.app, {
    logger: winston.createLogger({ silent: true }),
    perMinute: PER_MINUTE,
    limits: TEST_CONNECTIONS,
    metrics: api.deps.metrics,
    stopping: new AbortController().signal,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

/** Removals come last, so that the other requests still find their objects. */
const removalsLast = ALL_ROUTES.map((route) => ({ ...route })).toSorted(
  (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
);

describe.each(removalsLast)('$method $path', (route) => {
  test(
    'responds to any request in its own form and only with data of its own workspace',
    async () => {
      const seen = new Set<number>();
      await assert(
        asyncProperty(requestsTo(route), async (request) => {
          const isHead = request.method === 'HEAD';
          const responses = await sendBytes(port, bytesOf(request, credentials), isHead);
          expect(responses).toHaveLength(1);
          responses.forEach((response) => expectDecent(response, { isHead, perMinute: PER_MINUTE }));
          responses.forEach(({ status }) => seen.add(status));
        }),
        { seed: SEED, numRuns: RUNS_A_ROUTE },
      );
      // The generated requests are neither always accepted nor always rejected.
      expect([seen.has(401), seen.size > 2]).toEqual([true, true]);
    },
    TIMEOUT_MS,
  );
});

/** Their responses are counts, or describe the key itself. */
const WITHOUT_SECRETS = ['/status', '/console/api/session', '/console/api/dead-letters/count'];
/** Parameters that a route requires. */
const NEEDED: Record<string, [string, string][]> = {
  '/console/api/search': [['q', NEIGHBOUR_SECRETS[0] as string]],
  '/console/api/why': [['buyer_space_id', NEIGHBOUR_ID]],
};

test('the neighbour reads its secrets at every route, so the test would detect a leak of them', async () => {
  for (const { method, path, access } of ALL_ROUTES) {
    if (method !== 'GET' || WITHOUT_SECRETS.includes(path)) continue;
    const id = hasIntegerIds(path) ? String(NEIGHBOUR_INTEGER) : NEIGHBOUR_ID;
    const [response] = await sendBytes(
      port,
      bytesOf(
        {
          method,
          path: path.replace(':id', id).replace(':deliveryId', String(NEIGHBOUR_INTEGER)),
          query: NEEDED[path] ?? [],
          headers: [['Authorization', `Bearer ${access === 'key' ? 'NEIGHBOUR_KEY' : 'NEIGHBOUR_SESSION'}`]],
          body: null,
        },
        credentials,
      ),
    );
    expect([path, response?.status]).toEqual([path, 200]);
    expect([path, NEIGHBOUR_SECRETS.some((secret) => response?.body.includes(secret))]).toEqual([path, true]);
  }
});

test('the data of the neighbour are unchanged', async () => {
  expect(await api.db.webhookEndpoint.findMany({ where: { companyId: 2 } })).toMatchObject([
    { id: NEIGHBOUR_INTEGER, enabled: true },
  ]);
  const where = { companyId: 2 };
  expect(await api.db.apiKey.count({ where: { ...where, revokedAt: null } })).toBe(2);
  expect(await api.db.delivery.findMany({ where })).toMatchObject([{ status: 'dead' }]);
  expect(await api.db.auditRecord.count({ where })).toBe(1);
});

const STATUS_LINE = 'GET /api/v1/status HTTP/1.1';
test.each([
  ['text that is not HTTP', 'hello\r\n\r\n'],
  ['NUL bytes', '\0'.repeat(100)],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(200, 'x')],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', 'FOO /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a space in the path', 'GET /api/v1/sta tus HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['NUL in the path', 'GET /api/v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['another version', 'GET /api/v1/status HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['NUL in a header', `${STATUS_LINE}\r\nHost: x\r\nAuthorization: Bearer \0\r\n\r\n`],
  ['a bare line feed in a header', `${STATUS_LINE}\r\nHost: x\r\nA: b\rc\r\n\r\n`],
  [
    'headers that are too large',
    `${STATUS_LINE}\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  ['too many headers', `${STATUS_LINE}\r\nHost: x\r\nConnection: close\r\n${'A: b\r\n'.repeat(2_500)}\r\n`],
  ['a path that is too long', `GET /api/v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  [
    'two lengths',
    `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  ['an invalid length', `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}`],
  ['a negative length', `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}`],
  [
    'a length and chunks',
    'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'an invalid chunk',
    'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer SESSION\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  ],
])('%s gets an error body like any other', async (_name, text) => {
  const responses = await sendBytes(
    port,
    Buffer.from(
      text.replace('SESSION', () => sessionToken()),
      'latin1',
    ),
  );
  expect(responses.length).toBeGreaterThan(0);
  for (const response of responses) {
    expectDecent(response, { isHead: false, perMinute: PER_MINUTE });
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
});

test.each([
  ['no host', `${STATUS_LINE}\r\nConnection: close\r\n`],
  ['an unknown expectation', `${STATUS_LINE}\r\nHost: x\r\nConnection: close\r\nExpect: miracles\r\n`],
  ['an absolute path', 'GET http://elsewhere/api/v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'],
  ['an old version', 'GET /api/v1/status HTTP/1.0\r\n'],
  [
    'a request for another protocol',
    `${STATUS_LINE}\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n`,
  ],
])('serves a request with %s', async (_name, head) => {
  const bytes = Buffer.from(`${head}Authorization: Bearer ${credentials['KEY']}\r\n\r\n`);
  const [response] = await sendBytes(port, bytes);
  expect(response?.status).toBe(200);
});

test('random bytes never end the server', async () => {
  await assert(
    asyncProperty(uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const responses = await sendBytes(
        port,
        Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\nx\r\n\r\n')]),
      );
      responses.forEach((response) => expectDecent(response, { isHead: false, perMinute: PER_MINUTE }));
    }),
    { seed: SEED, numRuns: 300 },
  );
  await api.get('/status', credentials['KEY']).expect(200);
});
