import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@deal-signals/test-kit/until';
import { holdClaims, holdEndpoint } from '../../src/faults/breakpoint.ts';
import { balance, inFlightDuring } from '../../src/faults/ledger.ts';
import { endLeases, untilSessionsEnd } from '../../src/faults/leases.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const SOME = 8;

const captureSome = () =>
  captureEvents(
    scene.db,
    Array.from({ length: SOME }, (_, n) => `event-${n}`),
  );

test('SIGKILL in mid-attempt, before the receiver has answered', async () => {
  const { receiver } = scene;
  receiver.answerWith('hold');
  const worker = await scene.startWorker(PATIENT);
  await captureSome();
  await receiver.untilArrived(SOME);
  const load = scene.startLoad();
  const inFlight = await inFlightDuring(scene, async () => {
    await worker.kill9();
    await receiver.untilDisconnected();
  });
  receiver.answerWith({ status: 200 });
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker SIGKILLed in mid-attempt, before the answer',
    expected: SOME + (await load.stop()),
    allowed: inFlight,
  });
  // Nobody knows what became of them, so every one is sent again: at least once is the promise.
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: inFlight, exitCodes: [0] });
  expect(inFlight).toBeGreaterThanOrEqual(SOME);
});

test('SIGKILL after the receiver has answered, before the outcome is written', async () => {
  const { receiver } = scene;
  const worker = await scene.startWorker(PATIENT);
  const breakpoint = await holdEndpoint(scene);
  await captureSome();
  await until('every attempt to be answered', () => receiver.takenIds().size === SOME);
  // One of them waits for the endpoint's row, and the others, in the worker, for that one.
  await breakpoint.untilReached(1, 'worker');
  const inFlight = await inFlightDuring(scene, () => worker.kill9());
  await breakpoint.release();
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker SIGKILLed after the answer, before the record',
    expected: SOME,
    allowed: inFlight,
  });
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates: SOME, allowed: SOME, exitCodes: [0] });
});

test('SIGKILL between claim and enqueue', async () => {
  const { db, receiver, redis } = scene;
  const proxy = await scene.startProxy(redis.url);
  const worker = await scene.startWorker({ ...PATIENT, REDIS_URL: proxy.url });
  const breakpoint = await holdClaims(scene);
  await captureSome();
  await breakpoint.untilReached(1, 'worker');
  proxy.stall();
  await breakpoint.release();
  await until('the claims', async () => {
    const claimed = await db.webhookDelivery.count({ where: { claimToken: { not: null } } });
    return claimed === SOME;
  });
  const inFlight = await inFlightDuring(scene, () => worker.kill9());
  await proxy.cut();
  expect(receiver.arrivals).toHaveLength(0);
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker SIGKILLed between claim and enqueue',
    expected: SOME,
    allowed: inFlight,
  });
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates: 0, allowed: 0, exitCodes: [0] });
});

test('the answer to the enqueueing lost', async () => {
  const { db, receiver, redis } = scene;
  const proxy = await scene.startProxy(redis.url);
  const dispatcher = await scene.startWorker({ ...PATIENT, REDIS_URL: proxy.url });
  const breakpoint = await holdClaims(scene);
  await captureSome();
  await breakpoint.untilReached(1, 'worker');
  await scene.startWorker(PATIENT);
  receiver.answerWith('hold');
  proxy.stallAnswers();
  await breakpoint.release();
  await receiver.untilArrived(SOME);
  // It believes that its jobs are lost, and gives back claims whose attempts have begun at the other worker.
  await until('the claims to have been given back, in vain', async () => {
    const [session] = await db.$queryRaw<{ hasReleased: boolean }[]>`
      SELECT count(*) > 0 AS "hasReleased" FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'deal-signals-worker'
        AND state = 'idle' AND query LIKE '%AS claim (id, token)%'`;
    return session?.hasReleased;
  });
  expect(await db.webhookDelivery.count({ where: { claimToken: null } })).toBe(0);
  receiver.release();
  receiver.answerWith({ status: 200 });
  await proxy.cut();
  await dispatcher.kill9();
  const row = await balance(scene, { name: 'answer to the enqueueing lost', expected: SOME, allowed: 0 });
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test('SIGTERM during load', async () => {
  const { receiver } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 });
  const load = scene.startLoad();
  const first = await scene.startWorker();
  await receiver.untilArrived(20);
  // The receiver is never without a request then, so some are under way whenever the signal comes.
  expect(await first.stop('SIGTERM')).toBe(0);
  const atHandover = receiver.arrivals.length;
  await scene.startWorker();
  await receiver.untilArrived(atHandover + 20);
  const row = await balance(scene, {
    name: 'worker told to stop under load (SIGTERM)',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
