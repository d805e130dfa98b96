import { Database } from '@deal-signals/db/database';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../test-api.ts';

const STATEMENT_TIMEOUT_MS = 1_000;
/** The client waits longer than the server's own limit, plus time for a busy machine. */
const MAX_WAIT_MS = STATEMENT_TIMEOUT_MS + 3_000 + 10_000;
const POOL_SIZE = 2;

let direct: TestDatabase;
let key: string;
let proxy: TcpProxy;
let db: Database;
let api: TestApi;

beforeAll(async () => {
  direct = await createTestDatabase();
  await addCompany(direct.db, 1);
  key = await addKey(direct.db, 1, { lastUsedAt: new Date() });
});

beforeEach(async () => {
  proxy = await startTcpProxy(direct.url);
  db = new Database({
    url: proxy.url,
    poolSize: POOL_SIZE,
    applicationName: 'api over a bad network',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  api = await openTestApi({ db });
  await Promise.all(Array.from({ length: POOL_SIZE }, () => api.get('/status', key).expect(200)));
  // If the requests ran one after the other, they have opened only one connection.
  await expectWholePool();
});

afterEach(async () => {
  await proxy.cut();
  await api.close();
});

afterAll(() => direct.drop());

/** Uses all connections of the pool at the same time, to prove that none was lost permanently. */
async function expectWholePool(): Promise<void> {
  let open = 0;
  const hold = () =>
    db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one`;
      open++;
      await until('all connections to be held', () => open === POOL_SIZE);
    });
  await Promise.all(Array.from({ length: POOL_SIZE }, hold));
}

test('requests to a server that hangs get 503, and are served again afterwards', async () => {
  proxy.stall();
  const startedAtMs = performance.now();
  const responses = await Promise.all([api.get('/status', key), api.get('/status', key)]);
  expect(performance.now() - startedAtMs).toBeLessThan(MAX_WAIT_MS);
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [503, 'SERVICE_UNAVAILABLE'],
    [503, 'SERVICE_UNAVAILABLE'],
  ]);
  await proxy.restore();
  await api.get('/status', key).expect(200);
});

test('connections that the network has lost are replaced', async () => {
  proxy.lose();
  await Promise.all([api.get('/status', key).expect(503), api.get('/status', key).expect(503)]);
  for (let n = 0; n < 2 * POOL_SIZE; n++) await api.get('/status', key).expect(200);
  await expectWholePool();
});

test('a connection that was lost in a transaction is replaced', async () => {
  const startedAtMs = performance.now();
  const transaction = db.transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS one`;
    proxy.lose();
    await tx.$queryRaw`SELECT 2 AS two`;
  });
  await expect(transaction).rejects.toThrow();
  expect(performance.now() - startedAtMs).toBeLessThan(2 * MAX_WAIT_MS);
  // The pool's other connection is lost as well, which the first request discovers.
  await Promise.all(Array.from({ length: POOL_SIZE }, () => api.get('/status', key)));
  await expectWholePool();
});
