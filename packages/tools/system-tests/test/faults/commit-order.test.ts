import type { Queryable } from '@deal-signals/db/queryable';
import { Database } from '@deal-signals/db/database';
import { inFeedTransaction, inShortFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { firstIdAt } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../published-api.ts';
import { expectNothingMissed } from '../system/concurrent-writers.ts';
import { Poller } from '../system/poller.ts';

let database: TestDatabase;
let api: RunningApp;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
  });
  key = await createKey(api.baseUrl);
});
afterAll(() => database.drop());

const poller = (feed: string, limitOf: () => number) => new Poller(`${api.baseUrl}${feed}`, key, limitOf);

const OTHER_ROOM = uuid(900);

const TAKE_CLOCK = Prisma.sql`SELECT take_feed_clock(${COMPANY}) AS at`;

test('pollers with small pages and any filter miss nothing that concurrent writers commit', async () => {
  await expectNothingMissed(database.db, { writers: 8, transactions: 25 }, poller);
}, 900_000);

describe('a consumer that polls between the commits of a slow and a fast writer', () => {
  let sessions: [Database, Database];

  beforeAll(async () => {
    const open = () =>
      new Database({ url: database.url, poolSize: 1, applicationName: 'writer', ...TEST_LIMITS });
    sessions = [open(), open()];
    await capture(database.db, { record: 'room', id: OTHER_ROOM, name: 'Other' });
  });
  afterAll(() => Promise.all(sessions.map((db) => db.close())));

  type Write = (db: Database, key: string, betweenIdAndCommit: () => Promise<void>) => Promise<unknown>;

  // Each session writes to a room of its own, so only the feed clock can make one wait for the other.
  const roomOf = (db: Database) => (db === sessions[0] ? ROOM : OTHER_ROOM);
  const insert = (
    db: Pick<Queryable, '$executeRaw'>,
    id: bigint,
    eventKey: string,
    roomId: string,
  ): Promise<number> => db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    VALUES (${COMPANY}, ${id}, 'event', ${eventKey}, 'room_visit', now(), ${roomId}::uuid,
            ${Prisma.raw(sqlText('event', String(id)))})`;

  /** Returns the id that a reading of the server's clock corresponds to. */
  async function idOfNow(db: Pick<Database, '$queryRaw'>): Promise<bigint> {
    const [{ at }] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
    return firstIdAt(at);
  }

  /** Writes as the product does. */
  const underTheClock: Write = (db, eventKey, betweenIdAndCommit) =>
    inFeedTransaction(db, COMPANY, async ({ tx, takeIds }) => {
      await insert(tx, takeIds('engagement_events', 1), eventKey, roomOf(db));
      await betweenIdAndCommit();
    });

  /** Writes as a capture does. */
  const inACapture: Write = (db, eventKey, betweenIdAndCommit) =>
    inShortFeedTransaction(
      db,
      COMPANY,
      { takeClock: async (tx) => (await tx.query<{ at: Date }>(TAKE_CLOCK))[0]! },
      async (feed) => {
        await insert(feed.tx, feed.takeIds('engagement_events', 1), eventKey, roomOf(db));
        await betweenIdAndCommit();
        await feed.commitWith();
      },
    );

  const withoutTheClock: Write = (db, eventKey, betweenIdAndCommit) =>
    db.transaction(async (tx) => {
      await insert(tx, await idOfNow(tx), eventKey, roomOf(db));
      await betweenIdAndCommit();
    });

  const idBeforeTheLock: Write = async (db, eventKey, betweenIdAndCommit) => {
    const early = await idOfNow(db);
    await betweenIdAndCommit();
    await inFeedTransaction(db, COMPANY, ({ tx }) => insert(tx, early, eventKey, roomOf(db)));
  };

  async function writersWaiting(): Promise<number> {
    const [row] = await database.db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'writer' AND wait_event_type = 'Lock'`;
    return row?.waiting ?? 0;
  }

  /**
   * The slow writer takes an id and waits. The fast one starts, and commits unless it is blocked. A consumer polls to the end
   * of the feed, then the slow writer commits, and the consumer polls again.
   *
   * @returns how many of the two events the consumer saw.
   */
  async function race(slowWrite: Write, fastWrite: Write, name: string): Promise<number> {
    const consumer = poller('/engagement/events', () => 500);
    await consumer.drain();
    const before = consumer.seen.size;
    let hasId = () => {};
    let commit = () => {};
    const idTaken = new Promise<void>((resolve) => (hasId = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const slow = slowWrite(sessions[0], `${name} slow`, async () => {
      hasId();
      await mayCommit;
    });
    await idTaken;
    let hasCommitted = false;
    const fast = fastWrite(sessions[1], `${name} fast`, async () => {}).then(() => (hasCommitted = true));
    // Under the feed clock, the fast writer waits for the slow one.
    await until('the fast writer to commit or to wait', async () => hasCommitted || writersWaiting());
    await consumer.drain();
    commit();
    await Promise.all([slow, fast]);
    await consumer.drain();
    return consumer.seen.size - before;
  }

  test('sees both events under the feed clock', async () => {
    expect(await race(underTheClock, underTheClock, 'clock')).toBe(2);
  });

  test.each([
    ['captures', inACapture, inACapture],
    ['a capture and another write', inACapture, underTheClock],
    ['another write and a capture', underTheClock, inACapture],
  ])('sees both events of %s', async (name, slow, fast) => {
    expect(await race(slow, fast, name)).toBe(2);
  });

  test('misses one without the feed clock', async () => {
    expect(await race(withoutTheClock, withoutTheClock, 'no clock')).toBe(1);
  });

  test('misses one if its id is generated before the feed clock is read', async () => {
    expect(await race(idBeforeTheLock, underTheClock, 'early id')).toBe(1);
  });

  test('a second transaction with the ids of the same millisecond is rejected', async () => {
    const readAgain = async (eventKey: string) => {
      // Without the step to the next millisecond, a second transaction would read the same one.
      await database.db.feedClock.updateMany({ data: { at: AHEAD } });
      await underTheClock(sessions[0], eventKey, async () => {});
    };
    const AHEAD = new Date(Date.now() + 3_600_000);
    await readAgain('first of its millisecond');
    await expect(readAgain('second of its millisecond')).rejects.toThrow(/23505|Unique constraint/);
  });
});
