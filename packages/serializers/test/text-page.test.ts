import { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findEngagementEvents } from '../src/engagement/event.ts';
import { PAGE_BYTES } from '../src/feed-page.ts';
import { readTextPage } from '../src/text-page.ts';

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

/** A table of rows with texts of these lengths. */
function rowsOf(...lengths: number[]): Prisma.Sql {
  return Prisma.sql`(
    SELECT 1000000000000 + n AS id, repeat('x', length) AS object_text
    FROM unnest(${lengths}::int[]) WITH ORDINALITY AS rows (length, n)) AS feed`;
}

const HALF = PAGE_BYTES / 2;

test.each([
  ['no row', [], []],
  ['a row', [3], [false]],
  ['texts of any length, empty ones included', [3, 0, 2], [true, true, false]],
  ['texts that fill a page exactly', [HALF, HALF], [true, false]],
  ['texts that do not fit on a page', [HALF, HALF, 1], [true, true]],
  ['a text that is larger than a page', [PAGE_BYTES + 1, 1], [true]],
])(
  '%s: a page has the rows that fit, and reports whether others follow',
  async (_what, lengths, followed) => {
    const { rows, reached } = await readTextPage(db, {
      table: rowsOf(...lengths),
      where: [Prisma.sql`true`],
      limit: 500,
    });
    expect(reached).toBeNull();
    expect(rows.map(({ id, text, isFollowed }) => [id, text.length, isFollowed])).toEqual(
      followed.map((isFollowed, index) => [1_000_000_000_001n + BigInt(index), lengths[index], isFollowed]),
    );
  },
);

test('PostgreSQL keeps the plan of a page without filters for every start position', async () => {
  await addCompany(db, 1);
  await addRoom(db, 1, 1);
  await db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT 1, n, 'event', n::text, 'comment', '2026-09-01', ${uuid(1)}::uuid, repeat('x', 500)
    FROM generate_series(1, 10000) n`;
  await db.$executeRaw`ANALYZE engagement_events`;
  for (let after = 0n; after < 20n; after += 1n) await findEngagementEvents(db, 1, { after, limit: 101 });
  const [statement] = await db.$queryRaw<{ kept: number; planned: number }[]>`
    SELECT generic_plans::int AS kept, custom_plans::int AS planned FROM pg_prepared_statements
    WHERE statement LIKE '%"isFollowed"%' AND statement LIKE '%FROM engagement_events%'`;
  // PostgreSQL plans the first five executions in any case.
  expect(statement).toEqual({ kept: 15, planned: 5 });
});
