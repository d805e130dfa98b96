import type { RunningApp } from '@deal-signals/test-kit/processes';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { afterEach, describe, expect, test } from '@jest/globals';
import { holdEndpoint } from '../../../src/faults/breakpoint.ts';
import { endLeases, untilLeasesEnd } from '../../../src/faults/leases.ts';
import { balance, inFlightDuring } from '../../../src/faults/ledger.ts';
import { type ScenePostgres, startScenePostgres } from '../../../src/faults/scene-postgres.ts';
import { openScene, PATIENT, type Scene } from '../../../src/faults/scene.ts';

let scene: Scene;
afterEach(() => scene.close());

test.each([
  { name: 'PostgreSQL restarted under load', fault: (server: ScenePostgres) => server.restart() },
  { name: 'PostgreSQL SIGKILLed under load', fault: (server: ScenePostgres) => server.crash() },
])('$name', async ({ name, fault }) => {
  const server = await startScenePostgres();
  scene = await openScene(() => Promise.resolve(server));
  const { receiver } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 });
  const load = scene.startLoad();
  await scene.startWorker();
  await receiver.untilArrived(20);
  const inFlight = await inFlightDuring(scene, () => fault(server));
  scene.faultOver();
  const before = receiver.arrivals.length;
  await receiver.untilArrived(before + 20);
  const row = await balance(scene, { name, expected: await load.stop(), allowed: inFlight });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, exitCodes: [0] });
  expect(row.duplicates).toBeLessThanOrEqual(row.allowed);
});

describe('the connection to PostgreSQL is lost after the response, before the outcome is recorded', () => {
  const SOME = 8;

  test.each([
    {
      name: 'connection to PostgreSQL lost before the record, for a moment',
      // The worker keeps the outcome and records it later.
      env: PATIENT,
      untilBack: () => Promise.resolve(),
      duplicates: 0,
    },
    {
      name: 'connection to PostgreSQL lost before the record, beyond the lease',
      env: {},
      untilBack: async (worker: RunningApp) => {
        await untilLeasesEnd(scene);
        // The worker measures the lease by its own clock, and may notice its end later than the database.
        await until('the worker to give up recording', () => {
          const lost = worker.output().match(/"message":"attempt"[^\n]*"outcome":"lost"/g) ?? [];
          return lost.length === SOME;
        });
      },
      duplicates: SOME,
    },
  ])('$name', async ({ name, env, untilBack, duplicates }) => {
    scene = await openScene();
    const { receiver, db, databaseUrl } = scene;
    const proxy = await scene.startProxy(databaseUrl);
    const worker = await scene.startWorker({ ...env, DATABASE_URL: proxy.url });
    receiver.answerWith('hold');
    await captureEvents(
      db,
      Array.from({ length: SOME }, (_, n) => `event-${n}`),
    );
    await receiver.untilArrived(SOME);
    const inFlight = await inFlightDuring(scene, () => proxy.cut());
    receiver.release();
    receiver.answerWith({ status: 200 });
    await worker.waitForOutput('"message":"outcome not recorded yet"');
    await untilBack(worker);
    await proxy.restore();
    scene.faultOver();
    const row = await balance(scene, { name, expected: SOME, allowed: inFlight });
    expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates, allowed: SOME, exitCodes: [0] });
  });
});

test('an outcome that is delayed beyond its lease is not recorded, but that of the attempt with the claim is', async () => {
  const SOME = 3;
  scene = await openScene();
  const { receiver, db } = scene;
  await scene.startWorker(PATIENT);
  const breakpoint = await holdEndpoint(scene);
  receiver.answerWith({ status: 503 });
  await captureEvents(
    db,
    Array.from({ length: SOME }, (_, n) => `event-${n}`),
  );
  await receiver.untilArrived(SOME);
  await breakpoint.untilReached(1, 'worker');
  receiver.answerWith({ status: 200 });
  // Every delivery is sent a second time.
  await endLeases(scene);
  await receiver.untilArrived(2 * SOME);
  // The first attempts are first in the queue, and find that their claims are gone.
  await breakpoint.release();
  const row = await balance(scene, { name: 'record held up beyond the lease', expected: SOME, allowed: 0 });
  expect(row).toMatchObject({ lost: 0, delivered: SOME, duplicates: 0, unlogged: SOME, exitCodes: [0] });
});
