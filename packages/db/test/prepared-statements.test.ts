import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { databaseFailure } from '../src/database-errors.ts';
import { Database } from '../src/database.ts';

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  db = open(database.url);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Opens a database with one connection, so the prepared statements of that connection are all there are. */
function open(url: string): Database {
  return new Database({ url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 10_000 });
}

/** Returns the prepared statements of the connection, without the query that reads them. */
const preparedOn = (of: Database) =>
  of.$queryRaw<{ name: string; statement: string; calls: number }[]>`
    SELECT name, statement, (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements ORDER BY prepare_time`;

test('a statement with parameters is parsed once for each connection', async () => {
  for (let n = 0; n < 3; n += 1) await db.$queryRaw`SELECT ${n}::int + 1 AS next`;
  expect(await preparedOn(db)).toEqual([
    { name: expect.stringMatching(/^ds_0_/), statement: 'SELECT $1::int + 1 AS next', calls: 3 },
  ]);
});

test('does not prepare statements without parameters or with many parameters', async () => {
  await db.transaction(async (tx) => tx.$queryRaw`SELECT 1 AS one`);
  await db.company.findMany({ where: { id: { in: Array.from({ length: 100 }, (_, n) => n) } } });
  expect(await preparedOn(db)).toEqual([]);
});

test('the number of names is bounded, and statements without a name work', async () => {
  for (let n = 0; n < 260; n += 1) {
    const [row] = await db.$queryRawUnsafe<[{ sum: number }]>(`SELECT $1::int + ${n} AS sum`, 1);
    expect(row.sum).toBe(n + 1);
  }
  expect(await preparedOn(db)).toHaveLength(250);
});

test('after a migration has changed the type of a column, one statement fails as unavailable, and the next one works', async () => {
  await db.$executeRaw`CREATE TABLE changed (n int)`;
  await db.$executeRaw`INSERT INTO changed VALUES (${7}::int)`;
  // The pool closes a connection after a failure outside of a transaction, but not after one inside.
  const read = () => db.transaction((tx) => tx.$queryRaw`SELECT n FROM changed WHERE n <> ${0}::int`);
  expect(await read()).toEqual([{ n: 7 }]);
  await database.db.$executeRaw`ALTER TABLE changed ALTER COLUMN n TYPE float8 USING n::float8`;
  const failure: unknown = await read().catch((error: unknown) => error);
  expect(databaseFailure(failure)?.isTemporary).toBe(true);
  expect(await read()).toEqual([{ n: 7 }]);
});

test('with pgbouncer=true in the URL, nothing is prepared', async () => {
  const url = new URL(database.url);
  url.searchParams.set('pgbouncer', 'true');
  const pooled = open(url.href);
  const id = randomUUID();
  expect(await pooled.$queryRaw`SELECT ${id}::text AS id`).toEqual([{ id }]);
  expect(await preparedOn(pooled)).toEqual([]);
  await pooled.close();
});
