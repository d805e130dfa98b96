import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../src/faults/ledger.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('three workers at once, so three dispatchers', async () => {
  const { receiver } = scene;
  receiver.answerWith({ status: 200, delayMs: 20 }, { status: 200, delayMs: 50 }, { status: 503 });
  const load = scene.startLoad();
  // A small batch and low concurrency, so that no worker does all the work alone.
  const env = { DISPATCH_BATCH: '20', WORKER_CONCURRENCY: '2' };
  const workers = await Promise.all([scene.startWorker(env), scene.startWorker(env), scene.startWorker(env)]);
  await receiver.untilArrived(200);
  const row = await balance(scene, {
    name: 'three workers and three dispatchers at once',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({
    lost: 0,
    delivered: row.expected,
    duplicates: 0,
    unlogged: 0,
    exitCodes: [0, 0, 0],
  });
  for (const worker of workers) {
    expect(worker.output()).toContain('"message":"attempt"');
    expect(worker.output()).toContain('"message":"deliveries dispatched"');
  }
});
