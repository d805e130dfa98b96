import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { afterEach, expect, test } from '@jest/globals';
import { balance, inFlightDuring } from '../../../src/faults/ledger.ts';
import { type ScenePair, startScenePair } from '../../../src/faults/scene-pair.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';
import { adminToken, createKey, request } from '../../published-api.ts';
import { Poller } from '../../system/poller.ts';

let scene: Scene;
let pair: ScenePair;
afterEach(() => scene.close());

async function openPair(isSynchronous: boolean): Promise<void> {
  scene = await openScene(async () => (pair = await startScenePair({ isSynchronous })));
}

test('a failover of PostgreSQL to a synchronous standby under load loses nothing that was confirmed', async () => {
  await openPair(true);
  const { receiver } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 });
  const load = scene.startLoad();
  const [, api] = await Promise.all([
    // The failover on a busy machine must not outlast the leases.
    scene.startWorker({ WEBHOOK_TIMEOUT_MS: '15000' }),
    scene.startApi(),
  ]);
  const key = await createKey(api.baseUrl);
  const consumer = new Poller(`${api.baseUrl}/engagement/events`, key, () => 20);
  const statuses = new Set<number>();
  /** Sends a read and a write to the API, whose responses may be anything while the servers change. */
  async function ask(): Promise<number> {
    const read = await request(`${api.baseUrl}/engagement/events`, key);
    const written = await request(`${api.baseUrl}/api-keys`, adminToken(), {
      method: 'POST',
      body: { name: 'x', scopes: ['read:calls'] },
    });
    statuses.add(read.status).add(written.status);
    return Math.max(read.status, written.status);
  }
  await receiver.untilArrived(20);
  await consumer.drain();
  const inFlight = await inFlightDuring(scene, async () => {
    await pair.losePrimary();
    scene.faultOver();
    await ask();
    await pair.promote();
    await until('the API to work again', async () => (await ask()) < 300);
  });
  const before = receiver.arrivals.length;
  await receiver.untilArrived(before + 20);
  const expected = await load.stop();
  const row = await balance(scene, {
    name: 'PostgreSQL failed over to a synchronous standby',
    expected,
    allowed: inFlight,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, exitCodes: [0] });
  expect(row.duplicates).toBeLessThanOrEqual(row.allowed);
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 201, 503]);
  // The consumer continues with its cursor from the lost server.
  await consumer.drain();
  expect(consumer.seen.size).toBe(expected);
});

test('after a failover of PostgreSQL to a standby that lacks commits, cursors continue without intervention', async () => {
  const SOME = 100;
  await openPair(false);
  const capture = (name: string) =>
    captureEvents(
      pair.db,
      Array.from({ length: SOME }, (_, n) => `${name}-${n}`),
    );
  const api = await scene.startApi();
  const key = await createKey(api.baseUrl);
  const consumer = new Poller(`${api.baseUrl}/engagement/events`, key, () => 20);
  await capture('kept');
  await until('the standby to have the first events', async () => {
    return (await pair.onStandby("SELECT FROM engagement_events WHERE key LIKE 'kept-%'")) === SOME;
  });
  await pair.stopStandby();
  await capture('lost');
  // The consumer has a cursor that is unknown to the standby.
  await consumer.drain();
  expect(consumer.served).toBe(2 * SOME);
  await pair.losePrimary();
  await pair.startStandby();
  await pair.promote();
  await scene.startWorker();
  scene.faultOver();
  await capture('new');
  await until('the API to work again', () => consumer.drain().then(() => true));
  expect(consumer.served).toBe(3 * SOME);
  const row = await balance(scene, {
    name: 'PostgreSQL failed over to a standby that lacks commits',
    expected: 3 * SOME,
    allowed: 0,
  });
  // Only events that were not replicated are lost.
  expect(row).toMatchObject({ lost: SOME, delivered: 2 * SOME, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
