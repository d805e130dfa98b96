import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../src/faults/ledger.ts';
import { untilLeasesEnd } from '../../src/faults/leases.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';

// Redis only points at claims that stand in the database: what is under way when it goes is recorded all the same, so
// none of these faults may cause a duplicate.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('FLUSHALL under load, again and again', async () => {
  const { receiver, redis } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 });
  const load = scene.startLoad();
  // Fewer at once than there are deliveries, so that some wait in the queue and nowhere else when it is wiped.
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

test('Redis stopped for a while under load, and started empty', async () => {
  const { receiver, redis } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 });
  const load = scene.startLoad();
  const worker = await scene.startWorker({ WORKER_CONCURRENCY: '3' });
  await receiver.untilArrived(10);
  await redis.stop();
  await worker.waitForOutput('"message":"connection trouble"');
  // Nothing is claimed meanwhile, so this takes a whole lease.
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
