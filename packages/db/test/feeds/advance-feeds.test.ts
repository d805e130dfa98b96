import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceFeeds } from '../../src/feeds/advance-feeds.ts';
import { inFeedTransaction } from '../../src/feeds/feed-clock.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const id of [1, 2]) {
    await database.db.company.create({
      data: { id, name: 'Acme', feedClock: { create: { at: new Date(0) } } },
    });
  }
});
afterAll(() => database.drop());

const nextIds = async () => {
  const [row] = await database.db.$queryRaw<Record<string, bigint>[]>`
    SELECT nextval('engagement_events_id_seq') AS events, nextval('engagement_views_id_seq') AS views,
           nextval('webhook_deliveries_id_seq') AS deliveries, nextval('audit_records_id_seq') AS audit`;
  return Object.values(row ?? {});
};

test('after lost commits, new ids and clock readings are later than all earlier ones', async () => {
  const handedOut = await nextIds();
  const readings = [];
  for (const companyId of [1, 2])
    readings.push(await inFeedTransaction(database.db, companyId, async ({ at }) => at));
  // The restore: everything is back at its earlier value.
  await database.db.$executeRaw`UPDATE feed_clocks SET at = 'epoch'`;
  await database.db.$queryRaw`SELECT setval('engagement_events_id_seq', 1000000000000, false)::text`;

  const { sequences, clocks } = await advanceFeeds(database.db);
  expect(clocks).toBe(2);
  expect(Object.keys(sequences)).toHaveLength(4);
  for (const [index, id] of (await nextIds()).entries())
    expect(id).toBeGreaterThan((handedOut[index] ?? 0n) + 999_999n);
  for (const [index, companyId] of [1, 2].entries()) {
    const at = await inFeedTransaction(database.db, companyId, async (feed) => feed.at);
    expect(at.getTime()).toBeGreaterThan((readings[index]?.getTime() ?? 0) + 299_000);
  }
});
