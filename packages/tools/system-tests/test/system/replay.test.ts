import type { Database } from '@deal-signals/db/database';
import { EVENTS, OBJECT_FEEDS } from '@deal-signals/serializers/events/events';
import { startReceiver, type Receiver } from '@deal-signals/test-kit/servers/https-receiver';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATA_FEEDS } from 'deal-signals/feeds/feeds';
import { adminToken, createKey, request } from '../published-api.ts';
import { type FeedObject, Poller } from './poller.ts';
import { changeOfWeek, WEEK_STEPS } from './week-of-changes.ts';

/** The feeds that show the records of the week. Nothing is erased in it. */
const FEEDS = DATA_FEEDS.filter((feed) => feed !== 'erasures').map((feed) => `/${feed}`);

let database: TestDatabase;
let api: RunningApp;
let key: string;
let receiver: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    DISPATCH_BATCH: '500',
  };
  await capture(database.db, { record: 'company', id: COMPANY, name: 'Acme' });
  api = await startApp('api', env);
  await startApp('worker', env);
  key = await createKey(api.baseUrl);
  receiver = await startReceiver();
  const { status } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
    method: 'POST',
    body: { url: receiver.url, events: ['*'] },
  });
  expect(status).toBe(201);
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** A consumer of all feeds. Only what it stores survives a restart. */
class Consumer {
  pollers = this.#connect();
  #stored = new Map<string, { cursor: string | undefined; rows: Map<string, FeedObject> }>();

  #connect() {
    return FEEDS.map((feed) => new Poller(`${api.baseUrl}${feed}`, key, () => 7));
  }

  async poll(pages: number): Promise<void> {
    for (const poller of this.pollers) {
      for (let n = 0; n < pages; n += 1) if (!(await poller.page())) break;
    }
  }

  async drain(): Promise<void> {
    for (const poller of this.pollers) await poller.drain();
  }

  /** Stores rows and cursors together, as one transaction would. */
  store(): void {
    for (const [index, { cursor, seen }] of this.pollers.entries()) {
      this.#stored.set(FEEDS[index] as string, { cursor, rows: new Map(seen) });
    }
  }

  /** Discards everything that was not stored. */
  restart(): void {
    this.pollers = this.#connect();
    for (const [index, poller] of this.pollers.entries()) {
      const stored = this.#stored.get(FEEDS[index] as string);
      poller.cursor = stored?.cursor;
      for (const [objectId, row] of stored?.rows ?? []) poller.seen.set(objectId, row);
    }
  }

  tables(): Record<string, FeedObject[]> {
    return Object.fromEntries(this.pollers.map(({ seen }, index) => [FEEDS[index], byId(seen)]));
  }
}

function byId(rows: Map<string, FeedObject>): FeedObject[] {
  return [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Upserts the object of a webhook into its table, unless the table has a newer version. */
function upsertPushed(
  consumer: Consumer,
  envelope: { type: keyof typeof EVENTS; data: FeedObject & { document?: FeedObject } },
): void {
  const { object: kind } = EVENTS[envelope.type];
  if (kind === null || kind === 'erasure') return;
  const table = consumer.pollers[FEEDS.indexOf(`/${OBJECT_FEEDS[kind]}`)]!;
  const versionOf = (row: FeedObject | undefined) => row?.updatedAt ?? row?.lastActivityAt ?? '';
  const object = envelope.data.document ?? envelope.data;
  const held = table.seen.get(object.id);
  if (held === undefined || versionOf(held) < versionOf(object)) table.seen.set(object.id, object);
}

async function allDelivered(db: Database): Promise<boolean> {
  return (await db.pendingDelivery.count()) === 0;
}

test('consumers that poll, receive webhooks or restart repeatedly have the same tables after a week of changes', async () => {
  const random = randomNumbers(11);
  const polling = new Consumer();
  const restarting = new Consumer();
  for (let step = 0; step < WEEK_STEPS; step += 1) {
    await capture(database.db, ...changeOfWeek(step, random));
    if (step % 10 === 0) await polling.poll(3);
    if (step % 7 === 0) {
      await restarting.poll(1 + random(3));
      if (random(3) === 0) restarting.store();
      if (random(3) === 0) restarting.restart();
    }
  }
  await polling.drain();
  restarting.restart();
  await restarting.drain();

  await until('all deliveries to be made', () => allDelivered(database.db));
  const pushed = new Consumer();
  const kept = receiver.requests.filter(() => random(5) > 0);
  expect(kept.length).toBeLessThan(receiver.requests.length);
  for (const { rawBody } of kept) upsertPushed(pushed, JSON.parse(rawBody.toString('utf8')));
  await pushed.drain();

  const source = new Consumer();
  await source.drain();
  for (const [feed, rows] of Object.entries(source.tables()))
    expect([feed, rows.length > 0]).toEqual([feed, true]);
  expect(polling.tables()).toEqual(source.tables());
  expect(restarting.tables()).toEqual(source.tables());
  expect(pushed.tables()).toEqual(source.tables());
});
