import { Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { databaseFailure } from '../src/database-errors.ts';
import { Database } from '../src/database.ts';
import { Prisma } from '../src/generated/client.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
    statementTimeoutMs: 10_000,
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const at = new Date('2026-03-29T01:30:00.123Z');

test.each([
  ['texts', Prisma.sql`SELECT ${'a "quoted" ü'}::text AS value, NULL::text AS missing`],
  ['small numbers', Prisma.sql`SELECT ${-7}::int AS value, ${2.5}::float8 AS fraction`],
  ['large numbers', Prisma.sql`SELECT ${9_007_199_254_740_993n}::bigint AS value`],
  ['booleans', Prisma.sql`SELECT ${true}::boolean AS value`],
  ['times', Prisma.sql`SELECT ${at}::timestamptz AS value, timestamptz '1970-01-01' AS epoch`],
  ['times with microseconds', Prisma.sql`SELECT timestamptz '2026-01-01 00:00:00.123456' AS value`],
  [
    'early and late times',
    Prisma.sql`SELECT timestamptz '0001-01-01' AS a, timestamptz '9999-12-31 23:59:59.999' AS b`,
  ],
  ['dates', Prisma.sql`SELECT date '2026-03-29' AS value`],
  ['ids', Prisma.sql`SELECT ${'00000000-0000-4000-8000-000000000001'}::uuid AS value`],
  ['JSON', Prisma.sql`SELECT jsonb '{"a": [1, null, "b"]}' AS value, json '[]' AS list`],
  ['lists', Prisma.sql`SELECT ${['a', 'b,"c"']}::text[] AS value, '{1,2}'::int[] AS numbers`],
  ['enumerations', Prisma.sql`SELECT 'pending'::delivery_status::text AS value`],
])('a read returns %s as Prisma does', async (_what, query) => {
  const rows = await db.query(query);
  expect(rows).toEqual(await db.$queryRaw(query));
  expect(rows).toHaveLength(1);
  // Over the adapter alone.
  expect(await db.queryTransaction((tx) => tx.query(query))).toEqual(rows);
  expect(await db.queryTransaction((tx) => tx.$queryRaw(query))).toEqual(rows);
});

test('a prepared statement returns the rows for the new values', async () => {
  const read = (first: number) =>
    db.query(
      Prisma.sql`SELECT n::bigint, NULLIF(n, 2)::int AS other FROM generate_series(${first}::int, 3) AS n`,
    );
  expect(await read(2)).toEqual([
    { n: 2n, other: null },
    { n: 3n, other: 3 },
  ]);
  expect(await read(3)).toEqual([{ n: 3n, other: 3 }]);
  expect(await read(4)).toEqual([]);
});

test('a read is prepared, and has the same name as the same statement of Prisma', async () => {
  const query = Prisma.sql`SELECT ${1}::int AS prepared`;
  await db.query(query);
  await db.$queryRaw(query);
  expect(
    await db.$queryRaw`
      SELECT (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements WHERE statement LIKE '%AS prepared'`,
  ).toEqual([{ calls: 2 }]);
});

test('a read inside a transaction sees what the transaction wrote', async () => {
  await db.transaction(async (tx) => {
    await tx.$executeRaw`CREATE TEMPORARY TABLE written (n int) ON COMMIT DROP`;
    await tx.$executeRaw`INSERT INTO written VALUES (${1}::int)`;
    expect(await tx.query(Prisma.sql`SELECT n FROM written`)).toEqual([{ n: 1 }]);
  });
});

test('a read that takes too long is cancelled, counts as a failure, and means that the database is unavailable', async () => {
  let failures = 0;
  const hasty = new Database({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
    statementTimeoutMs: 500,
    onFailure: () => (failures += 1),
  });
  const failure: unknown = await hasty
    .query(Prisma.sql`SELECT pg_sleep(5)::text`)
    .catch((error: unknown) => error);
  await hasty.close();
  expect(databaseFailure(failure)?.isTemporary).toBe(true);
  expect(failures).toBe(1);
});

test('a faulty read does not mean that the database is unavailable', async () => {
  const failure: unknown = await db.query(Prisma.sql`SELECT 1 / ${0}::int`).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(databaseFailure(failure)?.isTemporary).toBe(false);
});

test('a server that cannot be reached means that the database is unavailable', async () => {
  const nowhere = new Database({
    url: 'postgresql://nobody@127.0.0.1:1/none',
    poolSize: 1,
    applicationName: 'test',
    statementTimeoutMs: 500,
  });
  const doors = [
    () => nowhere.query(Prisma.sql`SELECT 1`),
    () => nowhere.$executeRaw`SELECT 1`,
    () => nowhere.company.findFirst(),
    () => nowhere.transaction((tx) => tx.query(Prisma.sql`SELECT 1`)),
    () => nowhere.queryTransaction((tx) => tx.query(Prisma.sql`SELECT 1`)),
  ];
  for (const door of doors) {
    const failure: unknown = await door().catch((error: unknown) => error);
    expect(databaseFailure(failure)).toMatchObject({ meaning: 'away', isTemporary: true });
  }
  await nowhere.close();
});

test('a transaction over the adapter commits its statements together, and releases its connection', async () => {
  const add = (id: number) => Prisma.sql`INSERT INTO companies (id, name) VALUES (${id}::int, 'x')`;
  const ids = async () =>
    (await db.query<{ id: number }>(Prisma.sql`SELECT id FROM companies ORDER BY id`)).map(({ id }) => id);
  const added = await db.queryTransaction(async (tx) => {
    await tx.query(add(1));
    return tx.query<{ id: number }>(Prisma.sql`SELECT id FROM companies`);
  });
  expect(added).toEqual([{ id: 1 }]);
  const failing = db.queryTransaction(async (tx) => {
    await tx.query(add(2));
    throw new Error('the work failed');
  });
  await expect(failing).rejects.toThrow('the work failed');
  // The only connection of the pool is free in any case.
  expect(await ids()).toEqual([1]);
  await expect(db.queryTransaction((tx) => tx.query(add(1)))).rejects.toThrow('duplicate key');
  expect(await ids()).toEqual([1]);
});

describe('the last statements of a transaction over the adapter', () => {
  const rename = (name: string) => Prisma.sql`UPDATE companies SET name = ${name} WHERE id = 1`;
  const fail = Prisma.sql`SELECT 1 / ${0}::int`;
  const nameOf = async () =>
    (await db.query<{ name: string }>(Prisma.sql`SELECT name FROM companies`))[0]?.name;

  test('are committed together', async () => {
    await db.queryTransaction((tx) => tx.commitWith(rename('first'), rename('second')));
    expect(await nameOf()).toBe('second');
  });

  test.each([
    ['first', [fail, rename('lost')]],
    ['last', [rename('lost'), fail]],
  ])('are rolled back if the %s fails, with what came before', async (_which, statements) => {
    const failing = db.queryTransaction(async (tx) => {
      await tx.$executeRaw(rename('lost as well'));
      await tx.commitWith(...statements);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await nameOf()).toBe('second');
  });

  test('a transaction whose first statement fails keeps nothing', async () => {
    await expect(db.queryTransaction((tx) => tx.commitWith(fail))).rejects.toThrow('division by zero');
    const failing = db.queryTransaction(async (tx) => {
      await tx.$executeRaw(fail).catch(() => {});
      await tx.commitWith(rename('lost'));
    });
    await expect(failing).rejects.toThrow('current transaction is aborted');
    expect(await nameOf()).toBe('second');
  });

  test('databaseFailure interprets an error of a transaction over the adapter like any other', async () => {
    const failure: unknown = await db
      .queryTransaction((tx) => tx.commitWith(fail))
      .catch((error: unknown) => error);
    expect(databaseFailure(failure)).toMatchObject({ meaning: 'rejected', sqlState: '22012' });
  });
});

test('a transaction whose last statement commits takes two messages, BEGIN and COMMIT included', async () => {
  const writes = (['_write', '_writev'] as const).map((method) => jest.spyOn(Socket.prototype, method));
  let messages = 0;
  try {
    await db.queryTransaction(async (tx) => {
      await tx.query(Prisma.sql`SELECT ${1}::int AS first`);
      await tx.commitWith(Prisma.sql`SELECT ${1}::int AS last`);
    });
    messages = writes.reduce((sum, write) => sum + write.mock.calls.length, 0);
  } finally {
    for (const write of writes) write.mockRestore();
  }
  expect(messages).toBe(2);
});
