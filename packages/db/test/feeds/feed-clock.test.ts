import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inFeedTransaction, UnknownWorkspaceError } from '../../src/feeds/feed-clock.ts';

describe('feed clock', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.company.create({
      data: { id: 1, name: 'Acme', feedClock: { create: { at: new Date(0) } } },
    });
  });
  afterAll(() => database.drop());

  const read = () => inFeedTransaction(database.db, 1, async ({ at }) => at.getTime());

  test('every transaction reads a later millisecond', async () => {
    const readings: number[] = [];
    for (let i = 0; i < 20; i += 1) readings.push(await read());
    expect(new Set(readings).size).toBe(20);
    expect(readings).toEqual(readings.toSorted((a, b) => a - b));
    expect(Math.abs((readings[0] ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('the reading never goes back, even when the system clock does', async () => {
    const ahead = new Date(Date.now() + 3_600_000);
    await database.db.feedClock.update({ where: { companyId: 1 }, data: { at: ahead } });
    expect(await read()).toBe(ahead.getTime() + 1);
    expect(await read()).toBe(ahead.getTime() + 2);
  });

  test('a second writer waits for the commit of the first and reads a later time', async () => {
    await database.db.feedClock.update({ where: { companyId: 1 }, data: { at: new Date(0) } });
    let firstIsIn = () => {};
    let release = () => {};
    const inside = new Promise<void>((resolve) => (firstIsIn = resolve));
    const gate = new Promise<void>((resolve) => (release = resolve));
    const order: string[] = [];
    const first = inFeedTransaction(database.db, 1, async ({ at }) => {
      firstIsIn();
      await gate;
      order.push('first');
      return at.getTime();
    });
    await inside;
    const second = inFeedTransaction(database.db, 1, async ({ at }) => {
      order.push('second');
      return at.getTime();
    });
    await until('the second writer to wait', async () => {
      const waiting = await database.db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    const [end] = await database.db.$queryRaw<{ at: Date }[]>`
      SELECT date_trunc('milliseconds', clock_timestamp()) AS at`;
    release();
    const [a, b] = await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
    expect(b).toBeGreaterThan(a);
    // The reading is taken after the wait, not when the transaction began.
    expect(b).toBeGreaterThanOrEqual(end!.at.getTime());
  });

  test('a workspace that was never captured has no clock', async () => {
    await expect(inFeedTransaction(database.db, 99, async () => {})).rejects.toThrow(UnknownWorkspaceError);
  });

  test('the n-th row of a feed has the id P * 1000 + n, where P is the reading', async () => {
    const [reading, ids] = await inFeedTransaction(database.db, 1, async ({ at, takeIds }) => [
      BigInt(at.getTime()),
      [
        takeIds('engagement_events', 2),
        takeIds('engagement_views', 1),
        takeIds('engagement_events', 0),
        takeIds('engagement_events', 1),
        takeIds('engagement_views', 1),
      ],
    ]);
    expect(ids.map((id) => id - reading * 1_000n)).toEqual([0n, 0n, 2n, 2n, 1n]);
    expect(String(ids[0])).toHaveLength(16);
  });

  test.each([
    [1_000, 1],
    [1_001, 2],
    [2_000, 2],
    [1_000_000, 1_000],
  ])('%i rows of one feed in a transaction take %i milliseconds of the clock', async (rows, ms) => {
    const ahead = new Date(Date.now() + 3_600_000);
    await database.db.feedClock.update({ where: { companyId: 1 }, data: { at: ahead } });
    const last = await inFeedTransaction(database.db, 1, async ({ takeIds }) => {
      takeIds('audit_records', 1);
      return takeIds('webhook_deliveries', rows) + BigInt(rows) - 1n;
    });
    const [next, first] = await inFeedTransaction(database.db, 1, async ({ at, takeIds }) => [
      at.getTime(),
      takeIds('webhook_deliveries', 1),
    ]);
    expect(next - ahead.getTime()).toBe(1 + ms);
    expect(first).toBeGreaterThan(last);
  });

  test('a rollback leaves the clock unchanged', async () => {
    const ahead = new Date(Date.now() + 3_600_000);
    await database.db.feedClock.update({ where: { companyId: 1 }, data: { at: ahead } });
    const failed = inFeedTransaction(database.db, 1, async ({ takeIds }) => {
      takeIds('webhook_deliveries', 5_000_000);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await read()).toBe(ahead.getTime() + 1);
  });

  test('every sort key has the precision of the cursors', async () => {
    const columns = await database.db.$queryRaw<{ precision: number }[]>`
      SELECT datetime_precision AS precision FROM information_schema.columns
      WHERE column_name = 'updated_at'
        OR (table_name, column_name) IN (('rooms', 'last_activity_at'), ('feed_clocks', 'at'))`;
    expect(columns.map(({ precision }) => precision)).toEqual([3, 3, 3, 3, 3, 3, 3]);
  });
});
