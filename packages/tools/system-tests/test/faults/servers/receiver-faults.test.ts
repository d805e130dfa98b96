import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../../src/faults/ledger.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test('a receiver that fails now and then', async () => {
  const { receiver } = scene;
  // An odd number of responses, so that no delivery gets the same one at every attempt.
  receiver.answerWith(
    { status: 200 },
    { status: 500 },
    'close',
    { status: 204 },
    'hang',
    { status: 429 },
    { status: 200 },
  );
  const load = scene.startLoad();
  await scene.startWorker();
  await receiver.untilArrived(200);
  const row = await balance(scene, { name: 'receiver flapping', expected: await load.stop(), allowed: 0 });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, exitCodes: [0] });
  // If a kept connection turns out to be closed, the attempt is sent again over a new one.
  const closed = receiver.arrivals.filter(({ answer }) => answer === 'close').length;
  expect(row.unlogged).toBeLessThanOrEqual(closed);
  expect(receiver.arrivals.length).toBeGreaterThan(row.expected);
});
