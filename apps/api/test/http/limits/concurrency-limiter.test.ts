import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Database } from '@deal-signals/db/database';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { ROUTES } from '../../../src/app.ts';
import { generateApiKey } from '../../../src/auth/generate-api-key.ts';
import { CONSOLE_API_PATH } from '../../../src/console/router.ts';
import { CONSOLE_ROUTES } from '../../../src/console/routes.ts';
import { type ConcurrencyLimits, concurrencyLimits } from '../../../src/http/limits/concurrency-limiter.ts';
import type { Route } from '../../../src/http/route.ts';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { hasIntegerIds } from '../server/hostile-requests.ts';

const APPLICATION = 'api with few slots';
const POOL_SIZE = 9;
const WORKSPACE_SLOTS = 3;
const KEY_SLOTS = 2;
/** Several times the lock wait of an endpoint's test. */
const PATIENCE_MS = 30_000;
const LIMITS = { ...concurrencyLimits(WORKSPACE_SLOTS), key: KEY_SLOTS };

let direct: TestDatabase;
let key: string;
let secondKey: string;
let otherKey: string;
let room: string;
const token = sessionToken();
let api: TestApi;
let db: Database;

beforeAll(async () => {
  direct = await createTestDatabase();
  for (const company of [1, 2]) await addCompany(direct.db, company);
  const lastUsedAt = new Date(Date.now() + 3_600_000);
  key = await addKey(direct.db, 1, { lastUsedAt });
  secondKey = await addKey(direct.db, 1, { lastUsedAt });
  otherKey = await addKey(direct.db, 2, { lastUsedAt });
  room = await addRoom(direct.db, 1, 1);
});
afterEach(async () => {
  await api.close();
});
afterAll(() => direct.drop());

/** Starts an API with its own pool. */
async function start(change: Partial<ConcurrencyLimits> = {}): Promise<void> {
  db = new Database({
    url: direct.url,
    poolSize: POOL_SIZE,
    applicationName: APPLICATION,
    // No session limit may end a wait that a limit of the API should end.
    statementTimeoutMs: 600_000,
    lockTimeoutMs: 600_000,
  });
  // Long enough that a busy machine causes no rejection.
  const concurrency = { ...LIMITS, maxWaitMs: 60_000, ...change };
  api = await openTestApi({ db, settings: { concurrency } });
}

/** Holds locks until `work` is done, so statements that need them wait. */
function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  return direct.db.transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$executeRawUnsafe(lock);
      return work();
    },
    { timeout: 120_000 },
  );
}

const PEOPLE = 'LOCK TABLE people IN ACCESS EXCLUSIVE MODE';

/** Returns how many connections of the API wait for a lock. */
async function blocked(): Promise<number> {
  const [row] = await direct.db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name = ${APPLICATION} AND wait_event_type = 'Lock'`;
  return row.count;
}

const metric = async (name: string) =>
  parseScrape((await supertest(api.app).get('/metrics').expect(200)).text).values.get(name);
const waiting = () => metric('deal_signals_waiting_requests');
const refused = (limit: string) => metric(`deal_signals_concurrency_refusals_total{limit="${limit}"}`);

/** Sends slow requests, and returns their statuses once all have responses. */
function sendSlow(count: number, with_ = key): Promise<Response[]> {
  const requests = Array.from({ length: count }, () =>
    api.get(`/decision-rooms/${room}/metrics`, with_).then((response) => response),
  );
  return Promise.all(requests);
}

const statuses = (responses: Response[]) => [...new Set(responses.map(({ status }) => status))];

describe('a workspace with many slow requests', () => {
  test('has a share of the connections, and its requests are served in order', async () => {
    await start();
    const responses = await whileLocked(PEOPLE, async () => {
      const slow = Promise.all([sendSlow(15), sendSlow(15, secondKey)]);
      await until('the workspace to have its share', async () => (await blocked()) === WORKSPACE_SLOTS);
      await until('the others to wait', async () => (await waiting()) === 30 - WORKSPACE_SLOTS);
      await api.get('/calls', otherKey).expect(200);
      await api.get('/api-keys', sessionToken({ companyId: 2 })).expect(200);
      await supertest(api.app).get('/readyz').expect(200);
      expect([await blocked(), db.use().used, db.use().waiting]).toEqual([
        WORKSPACE_SLOTS,
        WORKSPACE_SLOTS,
        0,
      ]);
      return { slow };
    });
    expect(statuses((await responses.slow).flat())).toEqual([200]);
    expect(await waiting()).toBe(0);
  });

  test('leaves room for its other keys if all requests are of one key', async () => {
    await start();
    const responses = await whileLocked(PEOPLE, async () => {
      const slow = sendSlow(15);
      await until('the key to have its share', async () => (await blocked()) === KEY_SLOTS);
      await api.get('/calls', secondKey).expect(200);
      await api.get('/api-keys', token).expect(200);
      expect(await blocked()).toBe(KEY_SLOTS);
      return { slow };
    });
    expect(statuses(await responses.slow)).toEqual([200]);
  });

  test('has its share for previews of erasures as well, each with one connection and without locks', async () => {
    await start();
    const preview = () =>
      api.post('/console/api/erasures/preview', token, { buyerSpaceId: room }).then((response) => response);
    const responses = await whileLocked(PEOPLE, async () => {
      const slow = Promise.all(Array.from({ length: 8 }, preview));
      await until('the previews to have their share', async () => (await blocked()) === WORKSPACE_SLOTS);
      await until('the others to wait', async () => (await waiting()) === 8 - WORKSPACE_SLOTS);
      await api.get('/calls', otherKey).expect(200);
      expect([await blocked(), db.use().used, db.use().waiting]).toEqual([
        WORKSPACE_SLOTS,
        WORKSPACE_SLOTS,
        0,
      ]);
      return { slow };
    });
    expect(statuses(await responses.slow)).toEqual([200]);
    // A capture holds the feed clock.
    const { status } = await whileLocked('SELECT take_feed_clock(1)', preview);
    expect(status).toBe(200);
  });

  test('gets 429 for requests that wait too long', async () => {
    await start({ maxWaitMs: 100 });
    await whileLocked(PEOPLE, async () => {
      void sendSlow(KEY_SLOTS);
      await until('the key to have its share', async () => (await blocked()) === KEY_SLOTS);
      api.log.length = 0;
      const response = await api.get('/calls', key).expect(429);
      expect(response.body).toEqual({
        error: 'too many requests of this key are in progress at the same time; try again shortly',
        code: 'RATE_LIMITED',
      });
      expect(response.headers).toMatchObject({
        'retry-after': '1',
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      });
      expect(api.log).toContainEqual(
        expect.objectContaining({
          message: 'request',
          errorCode: 'RATE_LIMITED',
          limit: 'key',
          companyId: 1,
        }),
      );
      expect(await refused('key')).toBe(1);
      expect(await metric('deal_signals_rate_limited_requests_total')).toBe(0);
    });
    await until('its requests to be done', async () => db.use().used === 0);
  });

  test('gets 429 immediately when too many wait already', async () => {
    await start({ waiting: 8 });
    const responses = await whileLocked(PEOPLE, async () => {
      const slow = sendSlow(KEY_SLOTS + 8 + 5);
      await until('the queue to be full', async () => (await refused('key')) === 5);
      return { slow };
    });
    const codes = (await responses.slow).map(({ status }) => status);
    expect(codes.filter((status) => status === 200)).toHaveLength(KEY_SLOTS + 8);
    expect(codes.filter((status) => status === 429)).toHaveLength(5);
  });
});

describe('lookups of keys that may be invalid', () => {
  const API_KEYS = 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE';
  const send = (...keys: string[]) =>
    Promise.all(keys.map((one) => api.get('/status', one).then((response) => response)));
  const madeUp = (count: number) => Array.from({ length: count }, () => generateApiKey().key);

  test('share a few connections, and those of one key share one', async () => {
    await start();
    await send(secondKey);
    await api.get('/webhooks', token).expect(200);
    const responses = await whileLocked(API_KEYS, async () => {
      const slow = send(...madeUp(10));
      await until('the others to wait', async () => (await waiting()) === 10 - WORKSPACE_SLOTS);
      await until('the first to wait for the lock', async () => (await blocked()) === WORKSPACE_SLOTS);
      // A key that was valid before does not wait behind them.
      const known = send(...Array.from({ length: 10 }, () => secondKey));
      await until(
        'the valid key to wait for the lock',
        async () => (await blocked()) === WORKSPACE_SLOTS + 1,
      );
      await api.get('/webhooks', token).expect(200);
      expect(await blocked()).toBe(WORKSPACE_SLOTS + 1);
      return { slow, known };
    });
    expect(statuses(await responses.slow)).toEqual([401]);
    expect(statuses(await responses.known)).toEqual([200]);
    expect(await waiting()).toBe(0);
  });

  test('get 429 when too many wait already, or for too long', async () => {
    await start({ waitingUnverified: 3, maxWaitMs: 200 });
    await whileLocked(API_KEYS, async () => {
      const slow = send(...madeUp(WORKSPACE_SLOTS + 3 + 4));
      await until(
        'four to be rejected, and three after a wait',
        async () => (await refused('credential')) === 7,
      );
      const response = await api.get('/status', generateApiKey().key).expect(429);
      expect(response.body).toEqual({
        error: 'too many requests with these credentials are waiting for verification; try again shortly',
        code: 'RATE_LIMITED',
      });
      return { slow };
    });
    await until('the others to be done', async () => db.use().used === 0);
  });
});

test('a caller that disconnects leaves the queue', async () => {
  await start();
  const server = createServer(api.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const responses = await whileLocked(PEOPLE, async () => {
    const slow = sendSlow(KEY_SLOTS);
    await until('the key to have its share', async () => (await blocked()) === KEY_SLOTS);
    const impatient = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/api/v1/calls',
      headers: { authorization: `Bearer ${key}` },
    }).on('error', () => {});
    impatient.end();
    await until('it waits', async () => (await waiting()) === 1);
    impatient.destroy();
    await until('the caller to have left', async () => (await waiting()) === 0);
    return { slow };
  });
  expect(statuses(await responses.slow)).toEqual([200]);
  server.closeAllConnections();
  server.close();
});

describe('management writes of a workspace', () => {
  const COMPANY = 'SELECT FROM companies WHERE id = 1 FOR UPDATE';
  const create = () => api.post('/api-keys', token, { name: 'x' }).then((response) => response);

  test('take one connection, and run one at a time', async () => {
    await start();
    const responses = await whileLocked(COMPANY, async () => {
      const writes = Promise.all(Array.from({ length: 8 }, create));
      await until('the others to wait', async () => (await waiting()) === 7);
      await until('the first to wait for the lock', async () => (await blocked()) === 1);
      expect(db.use()).toMatchObject({ used: 1, waiting: 0 });
      await api.get('/api-keys', token).expect(200);
      return { writes };
    });
    expect(statuses(await responses.writes)).toEqual([201]);
  });

  test('and the records of rejected requests share one connection', async () => {
    await start();
    const responses = await whileLocked(COMPANY, async () => {
      const refusals = Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          api
            .post('/api-keys', sessionToken({ sub: String(100 + n), permissions: [] }), { name: 'x' })
            .then((response) => response),
        ),
      );
      await until('the others to wait', async () => (await waiting()) === 7);
      await until('the first to wait for the lock', async () => (await blocked()) === 1);
      expect(db.use()).toMatchObject({ used: 1, waiting: 0 });
      return { refusals };
    });
    expect(statuses(await responses.refusals)).toEqual([403]);
    expect(await direct.db.auditRecord.count({ where: { action: 'request.refused' } })).toBe(8);
  });

  test('do not wait for a write of a key that is busy with reads', async () => {
    await start();
    const scopes = ['read', 'webhooks'];
    const busyKey = await addKey(direct.db, 1, { lastUsedAt: new Date(Date.now() + 3_600_000), scopes });
    const responses = await whileLocked(PEOPLE, async () => {
      const slow = sendSlow(2 * KEY_SLOTS, busyKey);
      await until('the key to have its share', async () => (await blocked()) === KEY_SLOTS);
      const webhook = { url: 'https://127.0.0.1/hook', events: ['call.recorded'] };
      const writes = [api.post('/webhooks', busyKey, webhook), api.post('/api-keys', token, { name: 'x' })];
      const written = await withTimeout(
        PATIENCE_MS,
        Promise.all(writes.map((write) => write.then((done) => done))),
      );
      expect(statuses(written)).toEqual([201]);
      return { slow };
    });
    expect(statuses(await responses.slow)).toEqual([200]);
  });

  test('get 429 when they wait too long', async () => {
    await start({ maxWaitMs: 100 });
    const responses = await whileLocked(COMPANY, async () => {
      const first = create();
      await until('the first to wait for the lock', async () => (await blocked()) === 1);
      const second = await create();
      expect([second.status, second.body.error, second.headers['retry-after']]).toEqual([
        429,
        'too many changes to this workspace are waiting for each other; try again shortly',
        '1',
      ]);
      expect(await refused('writes')).toBe(1);
      return { first };
    });
    expect((await responses.first).status).toBe(201);
  });
});

test('tests of endpoints wait for the feed clock one at a time, and only briefly', async () => {
  await start({ maxWaitMs: 500 });
  const endpoints = [
    await addEndpoint(direct.db),
    await addEndpoint(direct.db),
    await addEndpoint(direct.db),
  ];
  await whileLocked('SELECT FROM feed_clocks WHERE company_id = 1 FOR UPDATE', async () => {
    const pings = endpoints.map((id) => api.post(`/webhooks/${id}/ping`, token).then((response) => response));
    await until('one to wait for the clock', async () => (await blocked()) === 1);
    await api.get('/calls', key).expect(200);
    const [first, ...others] = (await withTimeout(PATIENCE_MS, Promise.all(pings))).toSorted(
      (a, b) => b.status - a.status,
    );
    expect([first?.status, first?.body, first?.headers['retry-after']]).toEqual([
      503,
      {
        error: 'data of this workspace is being captured; try again later',
        code: 'SERVICE_UNAVAILABLE',
      },
      '5',
    ]);
    expect(statuses(others)).toEqual([429]);
    expect(await blocked()).toBe(0);
  });
  expect(await direct.db.delivery.count()).toBe(0);
});

test('with one slot, one of three concurrent requests uses one connection, on every route', async () => {
  const consoleRoutes = CONSOLE_ROUTES.map((route) => ({
    ...route,
    path: `${CONSOLE_API_PATH}${route.path}`,
  }));
  const reads = [...ROUTES, ...consoleRoutes].filter(
    ({ method, operationId }) => method === 'GET' || operationId === 'previewErasure',
  );
  const queries: Record<string, string> = {
    countDeadDeliveries: '?endpoint_id=1',
    listKeyUsage: '?days=7',
    search: '?q=ada',
    whyDidItNotCome: `?call_id=${uuid(1)}`,
  };
  const endpointId = await addEndpoint(direct.db);
  const tables = await direct.db.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  /** Locks all tables except those that the authentication of the route reads. */
  const lockFor = (access: Route['access']) => {
    const read = access === 'key' ? ['companies', 'api_keys'] : ['companies'];
    const locked = tables.map(({ name }) => name).filter((name) => !read.includes(name));
    return `LOCK TABLE ${locked.join(', ')} IN ACCESS EXCLUSIVE MODE`;
  };
  await start({ workspace: 1, key: 1 });
  const used: Record<string, unknown> = {};
  for (const { method, path, access, operationId } of reads) {
    const id = hasIntegerIds(path) ? '1' : uuid(1);
    const target = path.replace(':id', path.startsWith('/webhooks') ? String(endpointId) : id);
    const url = target.replace(':deliveryId', '1') + (queries[operationId] ?? '');
    const send = () =>
      method === 'GET'
        ? api.get(url, access === 'key' ? key : token)
        : api.post(url, token, { email: 'ada@example.com' });
    const responses = await whileLocked(lockFor(access), async () => {
      const sent = Promise.all(Array.from({ length: 3 }, () => send().then((response) => response)));
      const allWait = until('all wait', async () => (await blocked()) + ((await waiting()) ?? 0) >= 3);
      const answered = await Promise.race([allWait.then(() => []), sent.then(statuses)]);
      used[`${method} ${path}`] = [await blocked(), db.use().used, db.use().waiting, answered];
      return { sent };
    });
    for (const status of statuses(await responses.sent)) expect([200, 404]).toContain(status);
  }
  const more = Object.entries(used).filter(([, facts]) => JSON.stringify(facts) !== '[1,1,0,[]]');
  expect([reads.length > 50, more]).toEqual([true, []]);
});

test('an admin whose session has expired does not wait behind unknown callers', async () => {
  await start();
  const strangers = Promise.all(
    Array.from({ length: 200 }, (_, n) => api.get('/status', `made up ${n}`).then((response) => response)),
  );
  await until('their rejections to wait', async () => ((await waiting()) ?? 0) > 100);
  const expired = sessionToken({ exp: Math.floor(Date.now() / 1_000) - 60 });
  await api.get('/webhooks', expired).expect(401);
  expect(await waiting()).toBeGreaterThan(50);
  expect(statuses(await strangers)).toEqual([401]);
});

test('many requests with one credential look it up over one connection', async () => {
  await start();
  const responses = await whileLocked('LOCK TABLE companies IN ACCESS EXCLUSIVE MODE', async () => {
    const sent = Promise.all([
      ...Array.from({ length: 20 }, () => api.get('/calls', key).then((response) => response)),
      ...Array.from({ length: 20 }, () => api.get('/webhooks', token).then((response) => response)),
    ]);
    await until('both lookups to wait', async () => (await blocked()) === 2);
    // All requests have arrived once a later one has its response.
    await api.get('/calls', 'nonsense').expect(401);
    expect(db.use()).toMatchObject({ used: 2, waiting: 0 });
    return { sent };
  });
  expect(statuses(await responses.sent)).toEqual([200]);
});
