import type { TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { endLeases, untilLeasesEnd, untilSessionsEnd } from '../../../src/faults/leases.ts';
import { balance } from '../../../src/faults/ledger.ts';
import { openScene, PATIENT, type Scene } from '../../../src/faults/scene.ts';

// Redis only holds references to claims in the database. An attempt that is in flight when Redis goes away is still recorded,
// so none of these faults may cause a duplicate.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('FLUSHALL under load, five times', async () => {
  const { receiver, redis } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 });
  const load = scene.startLoad();
  // Low concurrency, so that some claims have only their job in the queue when it is wiped.
  await scene.startWorker({ WORKER_CONCURRENCY: '3' });
  for (let round = 0; round < 5; round += 1) {
    await receiver.untilArrived(receiver.arrivals.length + 10);
    await redis.command('FLUSHALL');
    scene.faultOver();
  }
  const row = await balance(scene, {
    name: 'Redis FLUSHALL under load, five times',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test('Redis stopped for a lease under load, and started empty', async () => {
  const { receiver, redis } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 });
  const load = scene.startLoad();
  const worker = await scene.startWorker({ WORKER_CONCURRENCY: '3' });
  await receiver.untilArrived(10);
  await redis.stop();
  await worker.waitForOutput('"message":"connection trouble"');
  // Without Redis there are no ticks and no new claims, so this takes a whole lease.
  await untilLeasesEnd(scene);
  const before = receiver.arrivals.length;
  await redis.startEmpty();
  scene.faultOver();
  await receiver.untilArrived(before + 10);
  const row = await balance(scene, {
    name: 'Redis stopped for a lease under load, started empty',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test.each([
  ['refuses connections', (proxy: TcpProxy) => proxy.cut()],
  ['does not respond', async (proxy: TcpProxy) => proxy.stall()],
])('told to stop while Redis %s', async (trouble, begin) => {
  const { receiver, redis } = scene;
  receiver.answerWith('hold');
  const proxy = await scene.startProxy(redis.url);
  const env = { REDIS_URL: proxy.url };
  const [worker, api] = await Promise.all([scene.startWorker(env), scene.startApi(env)]);
  await captureEvents(scene.db, ['a', 'b', 'c']);
  await receiver.untilArrived(3);
  await begin(proxy);
  const stopped = Promise.all([worker.stop(), api.stop()]);
  await worker.waitForOutput('"message":"draining"');
  // The attempts in flight are finished and recorded. A worker that gave up waiting for Redis would exit with 1.
  receiver.release();
  expect(await stopped).toEqual([0, 0]);
  expect(worker.output()).toContain('"message":"stopped without Redis"');
  const row = await balance(scene, {
    name: `worker told to stop while Redis ${trouble}`,
    expected: 3,
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: 3, duplicates: 0, unlogged: 0 });
});

test('jobs under other key names, as after a change of REDIS_PREFIX', async () => {
  const { db, receiver, redis } = scene;
  // More than one job with its two attempts.
  const COUNT = 20;
  receiver.answerWith('hold');
  const before = await scene.startWorker({ ...PATIENT, REDIS_PREFIX: 'before', WORKER_CONCURRENCY: '2' });
  await captureEvents(
    db,
    Array.from({ length: COUNT }, (_, n) => `event-${n}`),
  );
  await until('all of them to be claimed', async () => {
    const claimed = await db.pendingDelivery.count({ where: { claimToken: { not: null } } });
    return claimed === COUNT;
  });
  await receiver.untilArrived(2);
  await before.kill9();
  scene.faultOver();
  await receiver.untilDisconnected();
  await untilSessionsEnd(scene, 'worker');
  expect(await redis.command('LLEN', '{before}:webhook-attempts:wait')).toBeGreaterThan(0);
  receiver.answerWith({ status: 200 });
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'queue keys renamed, jobs left in the old ones',
    expected: COUNT,
    allowed: 2,
  });
  expect(row).toMatchObject({ lost: 0, delivered: COUNT, duplicates: 2, exitCodes: [0] });
});
