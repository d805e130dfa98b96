import type { RunningApp } from '@deal-signals/test-kit/processes';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { SIGNING_SECRET } from '@deal-signals/test-kit/worlds/deliveries';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findSignatureProblem } from '../../../../../docs/examples/receiver/verify-signature.mts';
import { balance } from '../../src/faults/ledger.ts';
import { manage } from '../../src/faults/management.ts';
import { openScene, PATIENT, type Scene } from '../../src/faults/scene.ts';
import type { Arrival } from '../../src/faults/watched-receiver.ts';

// An admin changes an endpoint while its deliveries are in progress.

let scene: Scene;
let api: RunningApp;
let endpoint: string;
beforeEach(async () => {
  scene = await openScene();
  api = await scene.startApi();
  endpoint = `/webhooks/${scene.endpointId}`;
});
afterEach(() => scene.close());

/** Low concurrency, so that claims wait in the queue when the endpoint changes. */
const AT_ONCE = 2;
const SLOW = { WORKER_CONCURRENCY: String(AT_ONCE) };

/**
 * Waits until no attempt of the endpoint is in flight and none can follow: neither from a claim that precedes the change, nor
 * from a capture that had read the endpoint before it.
 */
const untilIdle = () =>
  until('nothing to be ready or claimed', async () => {
    const queued = { OR: [{ ready: true }, { claimToken: { not: null } }] };
    return (await scene.db.pendingDelivery.count({ where: queued })) === 0;
  });

/** So many that some still wait when the endpoint changes, however slowly the load captures. */
const BACKLOG = 50;
const captureBacklog = (name: string) =>
  captureEvents(
    scene.db,
    Array.from({ length: BACKLOG }, (_, n) => `backlog-${name}-${n}`),
  );

/** Waits until the load has captured further events. */
async function untilLoadContinues(): Promise<void> {
  const { at } = await scene.db.feedClock.findFirstOrThrow();
  await until('the load to continue', async () => {
    const clock = await scene.db.feedClock.findFirstOrThrow();
    return clock.at.getTime() > at.getTime() + 500;
  });
}

test('disabled and enabled again under load', async () => {
  const { receiver, db } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 }, { status: 503 });
  const load = scene.startLoad();
  await scene.startWorker(SLOW);
  for (let round = 0; round < 3; round += 1) {
    await receiver.untilArrived(receiver.arrivals.length + 15);
    await captureBacklog(`round ${round}`);
    expect(await manage(api, 'PATCH', endpoint, { enabled: false })).toMatchObject({ status: 200 });
    const arrivalsAtAnswer = receiver.arrivals.length;
    await untilIdle();
    const arrivalsWhenDisabled = receiver.arrivals.length;
    expect(arrivalsWhenDisabled - arrivalsAtAnswer).toBeLessThanOrEqual(AT_ONCE);
    expect(await db.pendingDelivery.count({ where: { nextAttemptAt: null } })).toBeGreaterThan(0);
    await untilLoadContinues();
    expect(receiver.arrivals).toHaveLength(arrivalsWhenDisabled);
    expect(await manage(api, 'PATCH', endpoint, { enabled: true })).toMatchObject({ status: 200 });
    scene.faultOver();
  }
  const captured = 3 * BACKLOG + (await load.stop());
  const row = await balance(scene, {
    name: 'endpoint disabled and enabled under load, three times',
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });
  // Events that are captured while the endpoint is disabled get no delivery.
  expect(row.expected).toBeLessThan(captured);
});

test('deleted under load', async () => {
  const { receiver, db } = scene;
  receiver.answerWith({ status: 200, delayMs: 100 }, { status: 503 });
  const load = scene.startLoad();
  await scene.startWorker(SLOW);
  await receiver.untilArrived(30);
  await captureBacklog('to be deleted');
  expect(await manage(api, 'DELETE', endpoint)).toMatchObject({ status: 204 });
  const arrivalsAtAnswer = receiver.arrivals.length;
  await untilIdle();
  const arrivalsWhenDeleted = receiver.arrivals.length;
  expect(arrivalsWhenDeleted - arrivalsAtAnswer).toBeLessThanOrEqual(AT_ONCE);
  await untilLoadContinues();
  const captured = BACKLOG + (await load.stop());
  const row = await balance(scene, {
    name: 'endpoint deleted under load (what is left is dead)',
    allowed: 0,
    deadIsExpected: true,
  });
  expect(row).toMatchObject({ lost: 0, duplicates: 0, unlogged: 0, exitCodes: [0] });
  expect(row.expected).toBeLessThan(captured);
  expect(receiver.arrivals).toHaveLength(arrivalsWhenDeleted);

  const dead = await db.webhookDelivery.count({ where: { status: 'dead' } });
  expect(dead).toBeGreaterThan(0);
  expect(row.delivered + dead).toBe(row.expected);
  const log = await manage(api, 'GET', `${endpoint}/deliveries?status=dead`);
  expect(log).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
  expect((log.body as { data: unknown[] }).data).toHaveLength(Math.min(dead, 100));
});

test('its secret rotated under load', async () => {
  const { receiver, db } = scene;
  receiver.answerWith({ status: 200, delayMs: 50 }, { status: 503 }, { status: 200 });
  const secrets = [SIGNING_SECRET];
  /** For each secret, what had been captured and had arrived when the API returned it. */
  const answeredAt = [{ lastId: 0n, arrivals: 0 }];
  /** The index of the secret that an attempt was signed with. */
  const signedWith = ({ request }: Arrival) =>
    secrets.findIndex((secret) => {
      const header = request.headers['x-service-signature'] as string;
      const { rawBody: body, receivedAt: now } = request;
      return findSignatureProblem({ header, body, secrets: [secret], now }) === null;
    });
  const load = scene.startLoad();
  await scene.startWorker();
  for (let round = 0; round < 3; round += 1) {
    await receiver.untilArrived(receiver.arrivals.length + 20);
    const { status, body } = await manage(api, 'POST', `${endpoint}/rotate-secret`);
    const arrivals = receiver.arrivals.length;
    expect(status).toBe(200);
    const { id } = await db.delivery.findFirstOrThrow({ orderBy: { id: 'desc' } });
    secrets.push((body as { secret: string }).secret);
    answeredAt.push({ lastId: id, arrivals });
    await until('the new secret to be in use', () => {
      const last = receiver.arrivals.at(-1);
      return last !== undefined && signedWith(last) === secrets.length - 1;
    });
  }
  const row = await balance(scene, {
    name: 'signing secret rotated under load, three times',
    expected: await load.stop(),
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: row.expected, duplicates: 0, unlogged: 0, exitCodes: [0] });

  const lastArrivalOf = new Map<string, number>();
  for (const [position, arrival] of receiver.arrivals.entries()) {
    // An attempt begins after the capture of its event, and after the arrival of the previous attempt.
    const previous = lastArrivalOf.get(arrival.deliveryId) ?? -1;
    const oldest = answeredAt.findLastIndex(
      ({ lastId, arrivals }) => BigInt(arrival.deliveryId) > lastId || previous >= arrivals,
    );
    expect(signedWith(arrival)).toBeGreaterThanOrEqual(oldest);
    lastArrivalOf.set(arrival.deliveryId, position);
  }
});

test('a retry requested while the attempt is under way', async () => {
  const { receiver, db } = scene;
  receiver.answerWith('hold');
  await scene.startWorker(PATIENT);
  const keys = Array.from({ length: 8 }, (_, n) => `event-${n}`);
  await captureEvents(db, keys);
  await receiver.untilArrived(keys.length);
  const ids = receiver.takenIds();
  for (const id of ids) {
    const retry = () => manage(api, 'POST', `${endpoint}/deliveries/${id}/retry`);
    const answers = await Promise.all([retry(), retry()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
  receiver.release();
  const row = await balance(scene, {
    name: 'retry requested while the attempt is under way',
    expected: keys.length,
    allowed: keys.length,
  });
  // The attempt in flight succeeded, so there was no further one.
  expect(row).toMatchObject({ lost: 0, delivered: keys.length, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
