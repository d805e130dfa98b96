import { assertSession } from '@deal-signals/db/start-up';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type TestDatabase, createTestDatabase } from '../src/test-database.ts';

const opened: TestDatabase[] = [];

afterAll(async () => {
  await Promise.all(opened.map((database) => database.drop()));
});

describe('createTestDatabase', () => {
  test('returns a new migrated database to each caller, even to several at once', async () => {
    opened.push(...(await Promise.all(Array.from({ length: 6 }, () => createTestDatabase()))));
    await Promise.all(
      opened.map(({ db }, index) =>
        db.company.create({ data: { id: index + 1, name: `company ${index + 1}` } }),
      ),
    );
    const seen = await Promise.all(opened.map(({ db }) => db.company.findMany({ select: { id: true } })));
    expect(seen).toEqual(opened.map((_, index) => [{ id: index + 1 }]));
    await assertSession(opened[0]!.db);
  });

  test('drops a database that still has a connection', async () => {
    const database = await createTestDatabase();
    const other = await createTestDatabase();
    const stranger = new Client({ connectionString: database.url });
    const errors: Error[] = [];
    stranger.on('error', (error) => errors.push(error));
    const ended = new Promise<void>((resolve) => stranger.once('end', resolve));
    await stranger.connect();
    await database.drop();
    await ended;
    expect(errors[0]).toMatchObject({ code: '57P01' });
    const rows = await other.db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pg_database WHERE datname = ${new URL(database.url).pathname.slice(1)}`;
    expect(rows).toEqual([{ count: 0n }]);
    await other.drop();
  });
});
