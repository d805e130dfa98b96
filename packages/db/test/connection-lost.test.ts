import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../src/database.ts';

let database: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.cut();
  await database.drop();
});

test('a connection that ends between two users fails the next one and does not end the process', async () => {
  const db = new Database({
    url: proxy.url,
    poolSize: 1,
    applicationName: 'handed on',
    statementTimeoutMs: 10_000,
  });
  const sessions = (state: string) => database.db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE application_name = 'handed on' AND state = ${state} AND query LIKE '%first%'`;
  await db.$queryRaw`SELECT 1 AS one`;

  // The response to the first statement and the end of the connection arrive together, while a transaction waits for the
  // connection.
  proxy.stallResponses();
  const first = db.$queryRaw`SELECT 1 AS first`.then((rows) => rows);
  const [session] = await until('the first statement to be done', async () => {
    const idle = await sessions('idle');
    return idle.length === 1 && idle;
  });
  const next = db.transaction((tx) => tx.$queryRaw`SELECT 2 AS next`);
  const outcomes = Promise.allSettled([first, next]);
  await database.db.$queryRaw`SELECT pg_terminate_backend(${session?.pid}::int)`;
  await until('the session to be gone', async () => (await sessions('idle')).length === 0);
  await proxy.restore();

  expect(await outcomes).toMatchObject([
    { status: 'fulfilled', value: [{ first: 1 }] },
    { status: 'rejected' },
  ]);
  expect(await db.$queryRaw`SELECT 3 AS later`).toEqual([{ later: 3 }]);
  await db.close();
});
