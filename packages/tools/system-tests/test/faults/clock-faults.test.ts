import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../src/faults/ledger.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';
import { createSteppingClock } from '../../src/faults/stepping-clock.ts';

const HOUR_MS = 3_600_000;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test("the workers' clock steps back by an hour", async () => {
  const { receiver } = scene;
  // Every third attempt fails, so that some deliveries wait for their next attempt.
  receiver.answerWith({ status: 200 }, { status: 200, delayMs: 100 }, { status: 503 });
  const clock = await createSteppingClock(scene.folder);
  const load = scene.startLoad();
  const worker = await scene.startWorker(clock.environment);
  await receiver.untilArrived(20);
  await clock.step(-HOUR_MS);
  scene.faultOver();
  const steppedAt = receiver.arrivals.length;
  await receiver.untilArrived(steppedAt + 50);
  // The worker's log shows that its clock is an hour behind.
  const lastTime = /"timestamp":"([^"]+)"[^\n]*\n$/.exec(worker.output())?.[1] ?? '';
  expect(Date.now() - Date.parse(lastTime)).toBeGreaterThan(HOUR_MS - 60_000);
  const row = await balance(scene, {
    name: "workers' clock stepped back by an hour",
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test("the database's clock steps back by an hour: the feed clock is ahead of it", async () => {
  const { db, receiver } = scene;
  receiver.answerWith({ status: 200 }, { status: 503 });
  const ahead = new Date(Date.now() + HOUR_MS);
  await db.feedClock.update({ where: { companyId: COMPANY }, data: { at: ahead } });
  const load = scene.startLoad();
  await scene.startWorker();
  await receiver.untilArrived(50);
  const row = await balance(scene, {
    name: "database's clock stepped back by an hour",
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
  const { createdAt } = await db.delivery.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(createdAt.getTime()).toBeGreaterThanOrEqual(ahead.getTime());
});
