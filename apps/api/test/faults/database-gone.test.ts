import { Database } from '@deal-signals/db/database';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const APPLICATION = 'api whose database goes';
const POOL_SIZE = 3;
const STATEMENT_TIMEOUT_MS = 1_000;

let direct: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let api: TestApi;
let key: string;
let room: string;

beforeAll(async () => {
  direct = await createTestDatabase();
  await addCompany(direct.db, 1);
  key = await addKey(direct.db, 1, { lastUsedAt: new Date() });
  room = await addRoom(direct.db, 1, 1);
  proxy = await startTcpProxy(direct.url);
  db = new Database({
    url: proxy.url,
    poolSize: POOL_SIZE,
    applicationName: APPLICATION,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  api = await openTestApi({ db });
});

afterAll(async () => {
  await proxy.restore();
  await api.close();
  await proxy.cut();
  await direct.drop();
});

const outcome = ({ status, body, headers }: Response) => [status, body.code, headers['retry-after']];
const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE', '5'];

/** Keeps a table locked until `work` is done, so every query on it waits. */
async function whileLocked<T>(table: 'people' | 'webhook_endpoints', work: () => Promise<T>): Promise<T> {
  return direct.db.transaction(async (tx) => {
    // The session is idle for as long as the requests wait.
    await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
    await tx.$executeRawUnsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return work();
  });
}

async function backends(condition: string): Promise<number> {
  const [row] = await direct.db.$queryRawUnsafe<[{ count: number }]>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = '${APPLICATION}' AND ${condition}`,
  );
  return row.count;
}

const waiting = () => backends(`wait_event_type = 'Lock'`);
/** The driver reports an error, and closes the connection, shortly before the server has finished the statement. */
const untilIdle = () =>
  until('no statement or transaction to be open', async () => (await backends(`state <> 'idle'`)) === 0);
const untilServed = () =>
  until('the API to be back', async () => (await api.get('/status', key)).status === 200);

const requests: [string, 'people' | 'webhook_endpoints', () => Test][] = [
  ['reads', 'people', () => api.get(`/decision-rooms/${room}/metrics`, key)],
  [
    'writes in a transaction',
    'webhook_endpoints',
    () => api.post('/webhooks', sessionToken(), { url: 'https://example.com', events: ['*'] }),
  ],
];

const losses: [string, () => Promise<unknown>][] = [
  ['the network', () => proxy.cut()],
  [
    'the server',
    () => direct.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${APPLICATION}`,
  ],
];

test.each(
  requests.flatMap(([name, table, send]) =>
    losses.map(([by, lose]) => [name, by, table, send, lose] as const),
  ),
)(
  'a request that %s and loses its connection by %s gets 503 and leaves nothing behind',
  async (_name, _by, table, send, lose) => {
    const response = await whileLocked(table, async () => {
      let pending: Promise<unknown> | undefined;
      let isOver = true;
      await until('the query to wait', async () => {
        // If this process stalled for longer than the statement timeout, the request has ended, and another one is sent.
        if (isOver) {
          isOver = false;
          pending = send()
            .then(outcome)
            .finally(() => (isOver = true));
        }
        return waiting();
      });
      await lose();
      return pending;
    });
    expect(response).toEqual(UNAVAILABLE);
    await proxy.restore();
    await untilServed();
    await untilIdle();
    expect(await direct.db.webhookEndpoint.count()).toBe(0);
  },
);

test.each(requests)('a request that %s for too long gets 503', async (_name, table, send) => {
  await whileLocked(table, async () => {
    expect(outcome(await send())).toEqual(UNAVAILABLE);
    // The table is still locked, so a statement that continued would be visible.
    expect(await waiting()).toBe(0);
  });
  await untilIdle();
  expect((await send()).status).toBeLessThan(300);
  await direct.db.webhookEndpoint.deleteMany();
});

test('slow requests return their connections, and no query continues after the response', async () => {
  const startedAt = performance.now();
  const responses = await whileLocked('people', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 4 * POOL_SIZE }, () =>
        api.get(`/decision-rooms/${room}/metrics`, key).then(outcome),
      ),
    );
    // The table is still locked, so a statement that continued would be visible.
    expect(await waiting()).toBe(0);
    return outcomes;
  });
  expect(responses).toEqual(Array.from({ length: 4 * POOL_SIZE }, () => UNAVAILABLE));
  // Four rounds over the pool, each as long as the statement timeout, instead of one request after the other.
  expect(performance.now() - startedAt).toBeLessThan(4 * POOL_SIZE * STATEMENT_TIMEOUT_MS);
  await untilIdle();
  await api.get(`/decision-rooms/${room}/metrics`, key).expect(200);
});

test('requests get 503 while the database does not respond, and are served again afterwards', async () => {
  await api.get('/status', key).expect(200);
  proxy.stall();
  const responses = await Promise.all([
    api.get('/status', key).then(outcome),
    api.get(`/decision-rooms/${room}/metrics`, key).then(outcome),
    api.post('/api-keys', sessionToken(), { name: 'x' }).then(outcome),
  ]);
  expect(responses).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  await proxy.restore();
  await untilServed();
  await api.get(`/decision-rooms/${room}/metrics`, key).expect(200);
  expect(await direct.db.apiKey.count()).toBe(1);
});
