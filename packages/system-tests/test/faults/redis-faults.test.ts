import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { untilLeasesEnd } from '../../src/faults/leases.ts';
import { balance } from '../../src/faults/ledger.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';

// Redis only points at claims in the database. An attempt that is under way when Redis goes away is still recorded, so none
// of these faults may cause a duplicate.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('FLUSHALL under load, five times', async () => {
  const { receiver, redis } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 });
  const load = scene.startLoad();
  // Few attempts at once, so that some claims have nothing but their job in the queue when it is wiped.
  await scene.startWorker({ WORKER_CONCURRENCY: '3' });
  for (let round = 0; round < 5; round += 1) {
    await receiver.untilArrived(receiver.arrivals.length + 10);
    await redis.command('FLUSHALL');
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
  await receiver.untilArrived(before + 10);
  const row = await balance(scene, {
    name: 'Redis stopped for a lease under load, started empty',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
