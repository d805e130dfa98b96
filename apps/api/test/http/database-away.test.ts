import { once } from 'node:events';
import { Database } from '@deal-signals/db/database';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const APPLICATION = 'api whose database is away';
const POOL_SIZE = 2;

let direct: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let api: TestApi;
let key: string;

beforeAll(async () => {
  direct = await createTestDatabase();
  await addCompany(direct.db, 1);
  key = await addKey(direct.db, 1);
  proxy = await startTcpProxy(direct.url);
  db = new Database({
    url: proxy.url,
    poolSize: POOL_SIZE,
    applicationName: APPLICATION,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 2_000,
  });
  api = await openTestApi({ db });
});

afterAll(async () => {
  await api.close();
  await proxy.cut();
  await direct.drop();
});

async function expectUnavailable(request: supertest.Test): Promise<void> {
  const response = await request;
  expect([response.status, response.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(response.headers['x-ratelimit-limit']).toBe('100000');
  expect(response.text).not.toMatch(/postgres|prisma|connection|timeout|127\.0\.0\.1/i);
}

/** Ends every connection of the API at the server, like a restart or a failover. */
async function terminateConnections(): Promise<void> {
  await direct.db.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${APPLICATION}`;
}

/** Keeps a table locked until `work` is done, so every query on it waits. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return direct.db.transaction(async (tx) => {
    // The session is idle for as long as the requests wait.
    await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
    await tx.$executeRaw`LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`;
    return work();
  });
}

const waitingQueries = async () => {
  const [row] = await direct.db.$queryRaw<[{ waiting: number }]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE application_name = ${APPLICATION} AND wait_event_type = 'Lock'`;
  return row.waiting;
};

const openTransactions = async () => {
  const [row] = await direct.db.$queryRaw<[{ open: number }]>`
    SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE application_name = ${APPLICATION} AND state = 'idle in transaction'`;
  return row.open;
};

test('every request gets 503 while the database refuses connections, and is served again afterwards', async () => {
  await api.get('/status', key).expect(200);
  await proxy.cut();
  await expectUnavailable(api.get('/status', key));
  await expectUnavailable(api.get('/webhooks', sessionToken()));
  await expectUnavailable(api.post('/api-keys', sessionToken(), { name: 'x' }));
  const ready = await supertest(api.app).get('/readyz');
  expect(ready.status).toBe(503);
  await supertest(api.app).get('/healthz').expect(200);
  await proxy.restore();
  await api.get('/status', key).expect(200);
  await supertest(api.app).get('/readyz').expect(200);
});

test('rejects a malformed credential without the database', async () => {
  await proxy.cut();
  await api.get('/status', 'nonsense').expect(401);
  await api.get('/webhooks', 'nonsense').expect(401);
  await proxy.restore();
});

test('a request whose connection ends during a query gets 503, and the next one is served', async () => {
  await whileLocked(async () => {
    const pending = expectUnavailable(api.get('/status', key));
    await until('the query to wait', waitingQueries);
    await terminateConnections();
    await pending;
  });
  await api.get('/status', key).expect(200);
});

test('connections that ended while idle are replaced', async () => {
  await api.get('/status', key).expect(200);
  await terminateConnections();
  await until('the API to be back', async () => (await api.get('/status', key)).status === 200);
});

test('a write to a read-only server gets 503, and its connections are replaced', async () => {
  // Simulates a demoted server whose connections survive: a session keeps the setting that it began with.
  const name = new URL(direct.url).pathname.slice(1);
  const readOnly = (set: string) =>
    direct.db.$executeRawUnsafe(
      `ALTER DATABASE ${name} ${set.replace('$', 'default_transaction_read_only')}`,
    );
  await readOnly('SET $ = on');
  await terminateConnections();
  await until('the API to be back', async () => (await api.get('/status', key)).status === 200);
  const create = () => api.post('/api-keys', sessionToken(), { name: 'x', scopes: ['read:calls'] });
  await expectUnavailable(create());
  await api.get('/status', key).expect(200);
  await readOnly('RESET $');
  // The sessions that began in between are still read-only.
  await until('a write to succeed', async () => (await create()).status === 201);
});

test('a request that waits too long for a connection gets 503', async () => {
  const release = new AbortController();
  const holders = Array.from({ length: POOL_SIZE }, () =>
    db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one`;
      await once(release.signal, 'abort');
    }),
  );
  await until('every connection to be in use', async () => (await openTransactions()) === POOL_SIZE);
  await expectUnavailable(api.get('/status', key));
  release.abort();
  await Promise.all(holders);
  await api.get('/status', key).expect(200);
});

test('the process stays ready while slow requests use every connection', async () => {
  const release = new AbortController();
  const holders = Array.from({ length: POOL_SIZE }, () =>
    db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one`;
      await once(release.signal, 'abort');
    }),
  );
  await until('every connection to be in use', async () => (await openTransactions()) === POOL_SIZE);
  const response = await supertest(api.app).get('/readyz');
  release.abort();
  await Promise.all(holders);
  expect([response.status, response.body]).toEqual([200, { ok: true }]);
});

test('the log has the cause of a 503, the response does not', async () => {
  api.log.length = 0;
  await proxy.cut();
  await api.get('/status', key).expect(503);
  await proxy.restore();
  const line = await until('the request to be logged', () =>
    api.log.find(({ message }) => message === 'request'),
  );
  expect(line).toMatchObject({
    level: 'error',
    statusCode: 503,
    errorCode: 'SERVICE_UNAVAILABLE',
    route: '/status',
  });
  expect(line['error']).toMatch(/database/);
});

test('an internal error is 500, and only the log has its cause', async () => {
  await direct.db.$executeRaw`ALTER TABLE companies RENAME COLUMN api_enabled TO renamed`;
  api.log.length = 0;
  const response = await api.get('/status', key);
  await direct.db.$executeRaw`ALTER TABLE companies RENAME COLUMN renamed TO api_enabled`;
  expect([response.status, response.body]).toEqual([
    500,
    { error: 'an internal error occurred', code: 'INTERNAL_ERROR' },
  ]);
  const line = await until('the request to be logged', () =>
    api.log.find(({ message }) => message === 'request'),
  );
  expect(line).toMatchObject({ level: 'error', statusCode: 500, errorCode: 'INTERNAL_ERROR' });
  expect(line['error']).toMatch(/api_enabled/);
});

test('no request is served until the database has been checked', async () => {
  let isChecked = false;
  const starting = await openTestApi({ isDatabaseChecked: () => isChecked });
  try {
    await addCompany(starting.db, 1);
    const startingKey = await addKey(starting.db, 1);
    const refused = await starting.get('/status', startingKey).expect(503);
    expect([refused.body.code, refused.headers['retry-after']]).toEqual(['SERVICE_UNAVAILABLE', '1']);
    await supertest(starting.app).get('/readyz').expect(503);
    await supertest(starting.app).get('/healthz').expect(200);
    isChecked = true;
    await starting.get('/status', startingKey).expect(200);
  } finally {
    await starting.close();
  }
});
