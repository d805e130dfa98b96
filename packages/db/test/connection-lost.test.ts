import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../src/database.ts';
import { databaseFailure } from '../src/database-errors.ts';
import { Prisma } from '../src/generated/client.ts';

let database: TestDatabase;
let proxy: TcpProxy;
const opened: Database[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.cut();
  await database.drop();
});

afterEach(async () => {
  await proxy.restore();
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

test('a connection that ends between two users fails the next user and does not end the process', async () => {
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

const SLEEP = Prisma.sql`SELECT 1 AS one FROM pg_sleep(60) AS slept`;
const asked: [string, (db: Database) => Promise<unknown>][] = [
  ['a statement', (db) => db.query(SLEEP)],
  ['a statement of Prisma', (db) => db.$queryRaw(SLEEP)],
  ['a transaction', (db) => db.transaction((tx) => tx.query(SLEEP))],
];
const losses: [string, (applicationName: string) => Promise<unknown>][] = [
  ['the network', () => proxy.cut()],
  [
    'the server',
    (applicationName) => database.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${applicationName}`,
  ],
];

test.each(asked.flatMap(([name, ask]) => losses.map(([by, lose]) => [name, by, ask, lose] as const)))(
  '%s that loses its connection by %s means that the database is away',
  async (name, by, ask, lose) => {
    const applicationName = `${name}, ${by}`;
    const seen: unknown[] = [];
    const db = new Database({
      url: proxy.url,
      poolSize: 1,
      applicationName,
      statementTimeoutMs: 100_000,
      onFailure: (error) => seen.push(databaseFailure(error)?.meaning),
    });
    opened.push(db);
    const outcome = ask(db).catch(databaseFailure);
    await until('the statement to run', async () => {
      const running = await database.db.$queryRaw<unknown[]>`
        SELECT pid FROM pg_stat_activity WHERE application_name = ${applicationName} AND wait_event = 'PgSleep'`;
      return running.length > 0;
    });
    await lose(applicationName);
    expect(await outcome).toMatchObject({ meaning: 'away', isTemporary: true });
    expect(seen).toContain('away');
  },
);
