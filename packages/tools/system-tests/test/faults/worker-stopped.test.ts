import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { holdClaims, holdEndpoint } from '../../src/faults/breakpoint.ts';
import { endLeases, untilSessionsEnd } from '../../src/faults/leases.ts';
import { balance, inFlightDuring } from '../../src/faults/ledger.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const SOME = 8;

const captureSome = (count = SOME) =>
  captureEvents(
    scene.db,
    Array.from({ length: count }, (_, n) => `event-${n}`),
  );

test('SIGKILL during attempts, before the response', async () => {
  const { receiver } = scene;
  receiver.answerWith('hold');
  const worker = await scene.startWorker(PATIENT);
  await captureSome();
  await receiver.untilArrived(SOME);
  const load = scene.startLoad();
  const inFlight = await inFlightDuring(scene, async () => {
    await worker.kill9();
    scene.faultOver();
    await receiver.untilDisconnected();
  });
  receiver.answerWith({ status: 200 });
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker killed during attempts, before the response',
    expected: SOME + (await load.stop()),
    allowed: inFlight,
  });
  // The outcome of these attempts is unknown, so each is repeated: the guarantee is at least once.
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: inFlight, exitCodes: [0] });
  expect(inFlight).toBeGreaterThanOrEqual(SOME);
});

test('SIGKILL after the response, before the outcome is recorded', async () => {
  const { receiver } = scene;
  const worker = await scene.startWorker(PATIENT);
  const breakpoint = await holdEndpoint(scene);
  await captureSome();
  await until('the receiver to respond to every attempt', () => receiver.takenIds().size === SOME);
  // One outcome waits for the endpoint's row. Inside the worker, the others wait for it.
  await breakpoint.untilReached(1, 'worker');
  const inFlight = await inFlightDuring(scene, () => worker.kill9());
  scene.faultOver();
  await breakpoint.release();
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker killed after the response, before the record',
    expected: SOME,
    allowed: inFlight,
  });
  // PostgreSQL executes the statement that waited, although the worker that sent it is dead, so one outcome is recorded.
  const duplicates = SOME - 1;
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates, allowed: SOME, exitCodes: [0] });
});

test('SIGKILL between claim and job', async () => {
  const { db, receiver, redis } = scene;
  const proxy = await scene.startProxy(redis.url);
  const worker = await scene.startWorker({ ...PATIENT, REDIS_URL: proxy.url });
  const breakpoint = await holdClaims(scene);
  await captureSome();
  await breakpoint.untilReached(1, 'worker');
  proxy.stall();
  await breakpoint.release();
  await until('the claims', async () => {
    const claimed = await db.pendingDelivery.count({ where: { claimToken: { not: null } } });
    return claimed === SOME;
  });
  const inFlight = await inFlightDuring(scene, () => worker.kill9());
  scene.faultOver();
  await proxy.cut();
  expect(receiver.arrivals).toHaveLength(0);
  await untilSessionsEnd(scene, 'worker');
  await endLeases(scene);
  await scene.startWorker();
  const row = await balance(scene, {
    name: 'worker killed between claim and job',
    expected: SOME,
    allowed: inFlight,
  });
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates: 0, allowed: 0, exitCodes: [0] });
});

test('the response to adding the jobs is lost', async () => {
  const { db, receiver, redis } = scene;
  const proxy = await scene.startProxy(redis.url);
  const dispatcher = await scene.startWorker({ ...PATIENT, REDIS_URL: proxy.url });
  const aside = await scene.startProxy(redis.url);
  await aside.cut();
  // This worker must start before the claim: it waits for Redis before it claims anything, and a claim waits for ten seconds
  // at most.
  const other = await scene.startWorker({ ...PATIENT, REDIS_URL: aside.url }, { waitUntilReady: false });
  const breakpoint = await holdClaims(scene);
  // Two jobs, because the response to the first one may be lost as well.
  const count = 12;
  await captureSome(count);
  await breakpoint.untilReached(1, 'worker');
  await aside.restore();
  await other.waitForOutput('"message":"worker ready"');
  receiver.answerWith('hold');
  proxy.stallResponses();
  await breakpoint.release();
  await receiver.untilArrived(count);
  // The dispatcher assumes that its jobs are lost, and leaves the claims to them. Their attempts have begun at the other
  // worker.
  await until('the dispatcher to have done without Redis', async () => {
    const response = await fetch(new URL('/metrics', dispatcher.url));
    const { values } = parseScrape(await response.text());
    return values.get('deal_signals_ticks_total{result="unqueued"}') === 1;
  });
  expect(await db.pendingDelivery.count({ where: { claimToken: null } })).toBe(0);
  receiver.release();
  receiver.answerWith({ status: 200 });
  await proxy.cut();
  await dispatcher.kill9();
  const row = await balance(scene, { name: 'response to adding the jobs lost', expected: count, allowed: 0 });
  expect(row).toMatchObject({ lost: 0, delivered: count, duplicates: 0, unlogged: 0, exitCodes: [0] });
});

test('SIGTERM during load', async () => {
  const { receiver } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 });
  const load = scene.startLoad();
  const first = await scene.startWorker();
  await receiver.untilArrived(20);
  // Some requests are always in flight, whenever the signal comes.
  expect(await first.stop('SIGTERM')).toBe(0);
  scene.faultOver();
  const atHandover = receiver.arrivals.length;
  await scene.startWorker();
  await receiver.untilArrived(atHandover + 20);
  const row = await balance(scene, {
    name: 'worker stopped under load (SIGTERM)',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
