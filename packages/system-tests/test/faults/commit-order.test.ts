import { setTimeout as pause } from 'node:timers/promises';
import { captureBatch } from '@deal-signals/capture/capture-batch';
import { captureRecord } from '@deal-signals/capture/record';
import { openDatabase, type Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, TEST_LIMITS, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  CALL,
  capture,
  captureWorkspace,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mintKey } from '../published-api.ts';
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
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  key = await mintKey(api.baseUrl);
});
afterAll(() => database.drop());

const poller = (feed: string, limitOf: () => number) => new Poller(`${api.baseUrl}${feed}`, key, limitOf);

/** Adds a short pause after every statement, so that transactions overlap as much as possible. */
function withPauses(db: Database, random: (limit: number) => number): Database {
  return db.$extends({
    query: {
      async $allOperations({ args, query }) {
        const result = await query(args);
        await pause(random(4));
        return result;
      },
    },
  }) as unknown as Database;
}

const OTHER_ROOM = uuid(900);

const WRITERS = 8;
const TRANSACTIONS = 25;
const EVENTS = 40;
const VIEWS = 12;

/** Runs one writer: transactions that write to every feed, with a pause after each statement. */
async function write(writer: number): Promise<void> {
  const random = randomNumbers(writer + 1);
  const db = withPauses(database.db, random);
  const occurredAt = '2026-09-02T10:00:00Z';
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    const unique = writer * 1_000 + n;
    const status = random(2) === 0 ? 'open' : 'won';
    const changes: ShortRecord[] = [
      {
        record: 'room',
        id: uuid(10_000 + random(20)),
        name: `Room ${random(5)}`,
        status,
        dealValueCents: random(1_000),
      },
      {
        record: 'call',
        id: uuid(20_000 + random(20)),
        kind: 'meeting',
        occurredAt,
        ownerId: 7,
        title: `Title ${unique}`,
        roomId: ROOM,
      },
      { record: 'callSummary', callId: CALL, summary: { headline: `Version ${unique}` } },
    ];
    const contents: ShortRecord[] = [
      {
        record: 'distribution',
        id: uuid(30_000 + random(20)),
        roomId: ROOM,
        recipientName: `Name ${random(5)}`,
        recipientEmail: `r${random(30)}@globex.example`,
        callId: random(2) === 0 ? CALL : null,
      },
      { record: 'member', roomId: ROOM, email: `r${random(30)}@globex.example`, role: `Role ${random(5)}` },
      {
        record: 'document',
        id: uuid(40_000 + random(20)),
        roomId: ROOM,
        title: `Title ${unique}`,
        category: 'c',
      },
      {
        record: 'esign',
        id: `contract ${random(20)}`,
        roomId: ROOM,
        vendor: 'v',
        envelopeId: 'e',
        status: random(2) === 0 ? 'sent' : 'viewed',
      },
    ];
    const chosen = changes.filter(() => random(2) === 0);
    // One of them in each transaction, so that the others do not wait too long for the clock.
    chosen.push(contents[random(contents.length)] as ShortRecord);
    for (let k = 0; k < EVENTS; k += 1) {
      const type = k % 2 === 0 ? 'room_visit' : 'comment';
      chosen.push({ record: 'event', key: `e${unique}-${k}`, type, occurredAt, distributionId: LINK });
    }
    for (let k = 0; k < VIEWS; k += 1) {
      chosen.push({
        record: 'view',
        key: `v${unique}-${k}`,
        distributionId: LINK,
        startedAt: occurredAt,
        endedAt: occurredAt,
        segments: [[0, 9]],
      });
    }
    const entries = chosen.map((record, index) => ({
      line: index + 1,
      record: captureRecord.parse({ companyId: COMPANY, ...record }),
    }));
    await captureBatch(db, COMPANY, entries);
  }
}

test('pollers with small pages and any filter miss nothing that concurrent writers commit', async () => {
  const feeds = [
    { feed: '/engagement/events' },
    { feed: '/engagement/events?types=comment,trailer_view' },
    { feed: `/engagement/events?buyer_space_id=${ROOM}&since=2026-09-02` },
    { feed: `/engagement/events?demo_id=${CALL}&types=room_visit` },
    { feed: '/engagement/views' },
    { feed: `/engagement/views?distribution_id=${LINK}` },
    { feed: '/calls' },
    { feed: '/calls', largestPage: 1 },
    { feed: '/calls?has_summary=true' },
    { feed: '/calls?kind=meeting' },
    { feed: '/decision-rooms' },
    { feed: '/decision-rooms', largestPage: 1 },
    { feed: '/decision-rooms?status=won' },
    { feed: `/distributions?buyer_space_id=${ROOM}`, largestPage: 2 },
    { feed: '/people', largestPage: 2 },
    { feed: '/documents', largestPage: 1 },
    { feed: '/esign-documents', largestPage: 2 },
  ];
  const pollers = feeds.map(({ feed, largestPage = 20 }, index) => {
    const random = randomNumbers(index + 99);
    return { feed, consumer: poller(feed, () => 1 + random(largestPage)) };
  });
  const written = new AbortController();
  await Promise.all([
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => written.abort()),
    ...pollers.map(async ({ consumer }) => {
      while (!written.signal.aborted) await consumer.page();
      await consumer.drain();
    }),
  ]);

  for (const { feed, consumer } of pollers) {
    // A new reader with large pages sees the current state of the table.
    const table = poller(feed, () => 500);
    await table.drain();
    expect(table.seen.size).toBeGreaterThan(0);
    // The feed does not say that a row no longer matches a filter, so a consumer may have more rows than the table.
    const stillMatching = [...consumer.seen].filter(([objectId]) => table.seen.has(objectId));
    expect([feed, new Map(stillMatching)]).toEqual([feed, table.seen]);
  }
  const [everyEvent] = pollers;
  expect(everyEvent?.consumer.served).toBe(WRITERS * TRANSACTIONS * EVENTS);
  expect(await database.db.engagementEvent.count()).toBe(WRITERS * TRANSACTIONS * EVENTS);
  expect(await database.db.engagementView.count()).toBe(WRITERS * TRANSACTIONS * VIEWS);
});

describe('a consumer that polls between the commits of a slow and a fast writer', () => {
  let sessions: [Database, Database];

  beforeAll(async () => {
    const open = () =>
      openDatabase({ url: database.url, poolSize: 1, applicationName: 'writer', ...TEST_LIMITS });
    sessions = [open(), open()];
    await capture(database.db, { record: 'room', id: OTHER_ROOM, name: 'Other' });
  });
  afterAll(() => Promise.all(sessions.map((db) => db.$disconnect())));

  type Write = (db: Database, key: string, betweenIdAndCommit: () => Promise<void>) => Promise<unknown>;

  // Each session writes to a room of its own. In one room, the second writer would wait for the roll-ups of the first one.
  const roomOf = (db: Database) => (db === sessions[0] ? ROOM : OTHER_ROOM);
  const insert = (db: Pick<Database, '$executeRaw'>, eventKey: string, roomId: string) => db.$executeRaw`
    INSERT INTO engagement_events (company_id, source, key, type, occurred_at, buyer_space_id)
    VALUES (${COMPANY}, 'event', ${eventKey}, 'room_visit', now(), ${roomId}::uuid)`;

  /** How the product writes. */
  const underTheClock: Write = (db, eventKey, betweenIdAndCommit) =>
    inFeedTransaction(db, COMPANY, async ({ tx }) => {
      await insert(tx, eventKey, roomOf(db));
      await betweenIdAndCommit();
    });

  const withoutTheClock: Write = (db, eventKey, betweenIdAndCommit) =>
    db.$transaction(async (tx) => {
      await insert(tx, eventKey, roomOf(db));
      await betweenIdAndCommit();
    });

  const idBeforeTheLock: Write = async (db, eventKey, betweenIdAndCommit) => {
    const [{ id: early } = { id: 0n }] = await db.$queryRaw<{ id: bigint }[]>`
      SELECT nextval('engagement_events_id_seq') AS id`;
    await betweenIdAndCommit();
    await inFeedTransaction(db, COMPANY, async ({ tx }) => {
      await tx.$executeRaw`
        INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id)
        VALUES (${COMPANY}, ${early}, 'event', ${eventKey}, 'room_visit', now(), ${roomOf(db)}::uuid)`;
    });
  };

  async function writersWaiting(): Promise<number> {
    const [row] = await database.db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'writer' AND wait_event_type = 'Lock'`;
    return row?.waiting ?? 0;
  }

  /**
   * The slow writer takes an id and waits. The fast one starts, and commits unless something blocks it. A consumer
   * polls to the end of the feed, then the slow writer commits, and the consumer polls again.
   *
   * @returns how many of the two events the consumer has seen.
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
    // Under the clock the fast writer waits for the slow one.
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

  test('misses one without the feed clock', async () => {
    expect(await race(withoutTheClock, withoutTheClock, 'no clock')).toBe(1);
  });

  test('misses one if its id is taken before the feed clock', async () => {
    expect(await race(idBeforeTheLock, underTheClock, 'early id')).toBe(1);
  });

  test('misses one if the sequence caches ids in each session', async () => {
    await database.db.$executeRaw`ALTER SEQUENCE engagement_events_id_seq CACHE 20`;
    try {
      const consumer = poller('/engagement/events', () => 500);
      await consumer.drain();
      // Each session reserves a block of ids. Then the session with the lower block writes after the other one.
      await underTheClock(sessions[0], 'warm 0', async () => {});
      await underTheClock(sessions[1], 'warm 1', async () => {});
      await consumer.drain();
      const before = consumer.seen.size;
      await underTheClock(sessions[0], 'lower block', async () => {});
      await consumer.drain();
      expect(consumer.seen.size - before).toBe(0);
    } finally {
      await database.db.$executeRaw`ALTER SEQUENCE engagement_events_id_seq CACHE 1`;
    }
  });
});
