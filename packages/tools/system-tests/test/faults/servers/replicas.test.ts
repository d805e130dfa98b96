import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents, capture, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ScenePair, startScenePair } from '../../../src/faults/scene-pair.ts';
import { createKey, request } from '../../published-api.ts';
import { expectNothingMissed } from '../../system/concurrent-writers.ts';
import { Poller } from '../../system/poller.ts';

let pair: ScenePair;
/** Reads from the replica while it is at most five seconds behind. */
let replicated: RunningApp;
/** Reads from the primary. */
let alone: RunningApp;
let key: string;

beforeAll(async () => {
  pair = await startScenePair({ isSynchronous: false });
  await captureWorkspace(pair.db);
  const start = async (DATABASE_REPLICA_URLS: string) =>
    startApp('api', {
      DATABASE_URL: pair.primaryUrl,
      DATABASE_REPLICA_URLS,
      REDIS_URL: await createTestRedis(),
    });
  [replicated, alone] = await Promise.all([start(pair.standbyUrl), start('')]);
  key = await createKey(alone.baseUrl);
  await untilSaid('replica in use');
});
afterAll(async () => {
  await Promise.all([replicated.stop(), alone.stop()]);
  await pair.drop();
});

const EVENTS = '/engagement/events';
const pollerOf = (api: RunningApp, feed: string, limitOf = () => 500) =>
  new Poller(`${api.baseUrl}${feed}`, key, limitOf);

type Change = 'replica in use' | 'replica not in use';

/**
 * Waits until this is the latest log line of the API about the replica. The API may stop using a replica a moment before it
 * logs that.
 */
async function untilSaid(change: Change): Promise<void> {
  await until(change, () => {
    const said = [...replicated.output().matchAll(/"message":"(replica (?:not )?in use)"/g)];
    return said.at(-1)?.[1] === change;
  });
}

async function databaseErrors(): Promise<number | undefined> {
  const { values } = parseScrape(await (await fetch(new URL('/metrics', replicated.url))).text());
  return values.get('deal_signals_database_errors_total');
}

/** Waits until the standby shows everything that the primary has committed. */
async function caughtUp(): Promise<void> {
  const [row] = await pair.db.$queryRaw<{ end: string }[]>`SELECT pg_current_wal_lsn()::text AS end`;
  await until('the standby to catch up', () =>
    pair.onStandby(`SELECT WHERE pg_last_wal_replay_lsn() >= '${row?.end}'`),
  );
}

test('pollers of a replica miss nothing that concurrent writers commit on the primary', async () => {
  await expectNothingMissed(
    pair.db,
    { writers: 3, transactions: 6 },
    (feed, limitOf) => pollerOf(replicated, feed, limitOf),
    caughtUp,
  );
  for (const path of [
    `/decision-rooms/${ROOM}/metrics`,
    `/distributions/${LINK}/heatmap`,
    '/webhook-deliveries',
  ]) {
    expect([path, (await request(`${replicated.baseUrl}${path}`, key)).status]).toEqual([path, 200]);
  }
  // A read that the replica had rejected would have been repeated on the primary.
  expect(await databaseErrors()).toBe(0);
  await until('the standby to have counted the reads', () =>
    pair.onStandby(`
      SELECT FROM pg_stat_user_tables WHERE relname = 'engagement_events' AND idx_scan > 50`),
  );
});

test('a cursor ahead of a replica returns an empty page, and later everything after it', async () => {
  await caughtUp();
  const onReplica = pollerOf(replicated, EVENTS);
  const onPrimary = pollerOf(alone, EVENTS);
  await Promise.all([onReplica.drain(), onPrimary.drain()]);
  const before = onReplica.seen.size;
  await pair.onStandby('SELECT pg_wal_replay_pause()');
  await captureEvents(pair.db, ['paused 1', 'paused 2']);
  const call = uuid(700);
  await capture(pair.db, {
    record: 'call',
    id: call,
    kind: 'demo',
    occurredAt: '2026-09-01',
    ownerId: 7,
    title: 'New',
  });
  await onPrimary.drain();
  expect(onPrimary.seen.size).toBe(before + 2);
  const ahead = pollerOf(replicated, EVENTS);
  ahead.cursor = onPrimary.cursor;
  expect(await ahead.page()).toBe(false);
  expect(await onReplica.page()).toBe(false);
  expect([ahead.seen.size, ahead.cursor, onReplica.seen.size]).toEqual([0, onPrimary.cursor, before]);
  // A webhook may already have announced the object.
  expect((await request(`${replicated.baseUrl}/calls/${call}`, key)).body.data?.title).toBe('New');
  expect((await request(`${replicated.baseUrl}/calls/${uuid(701)}`, key)).status).toBe(404);

  // The API stops reading from the replica, and serves the state of the primary.
  await untilSaid('replica not in use');
  await onReplica.drain();
  expect(onReplica.seen.size).toBe(before + 2);
  await captureEvents(pair.db, ['paused 3']);
  await pair.onStandby('SELECT pg_wal_replay_resume()');
  await untilSaid('replica in use');
  await caughtUp();
  await ahead.drain();
  expect(ahead.seen.size).toBe(1);
});

test('the API serves all reads without its replica, and uses it again when it is back', async () => {
  const consumer = pollerOf(replicated, EVENTS);
  await pair.stopStandby();
  await consumer.drain();
  await untilSaid('replica not in use');
  await captureEvents(pair.db, ['without the replica']);
  await consumer.drain();
  expect(consumer.seen.size).toBe(await pair.db.engagementEvent.count());
  await pair.startStandby();
  await untilSaid('replica in use');
});
