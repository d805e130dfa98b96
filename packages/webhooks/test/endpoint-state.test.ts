import { inFeedTransaction } from '@deal-signals/db/feed-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disableEndpoint, enableEndpoint } from '../src/endpoint-state.ts';
import { recordEvents } from '../src/record-events.ts';
import { recordOutcome } from '../src/record-outcome.ts';
import {
  COMPANY,
  createClaim,
  createDelivery,
  createEndpoint,
  readDelivery,
  readEndpoint,
} from './webhook-rows.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const disable = (endpointId: number, reason: string | null = null, companyId = COMPANY) =>
  database.db.$transaction((tx) => disableEndpoint(tx, companyId, endpointId, reason));
const enable = (endpointId: number, companyId = COMPANY) =>
  database.db.$transaction((tx) => enableEndpoint(tx, companyId, endpointId));

test('disabling parks what is pending, and enabling makes it due at once and forgets the failures', async () => {
  const { db } = database;
  const endpointId = await createEndpoint(db, { consecutiveFailures: 7 });
  const ready = await createDelivery(db, endpointId);
  const underWay = await createClaim(db, endpointId);
  const dead = await createDelivery(db, endpointId, { status: 'dead', nextAttemptAt: null, ready: false });

  expect(await disable(endpointId, 'because')).toBe(true);
  expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: false, disabledReason: 'because' });
  expect(await readDelivery(db, ready)).toMatchObject({
    status: 'pending',
    nextAttemptAt: null,
    ready: false,
  });

  expect(await enable(endpointId)).toBe(true);
  expect(await readEndpoint(db, endpointId)).toMatchObject({
    enabled: true,
    disabledReason: null,
    consecutiveFailures: 0,
  });
  const due = await readDelivery(db, ready);
  expect(due).toMatchObject({ status: 'pending', ready: true });
  expect(Math.abs((due.nextAttemptAt?.getTime() ?? 0) - Date.now())).toBeLessThan(5_000);
  // Its attempt is still under way: a second one must not begin beside it.
  expect(await readDelivery(db, underWay.deliveryId)).toMatchObject({
    ready: false,
    claimToken: underWay.claimToken,
    nextAttemptAt: expect.any(Date),
  });
  expect(await readDelivery(db, dead)).toMatchObject({ status: 'dead', nextAttemptAt: null });
});

test('doing it twice changes nothing: the first reason stays, the failures too', async () => {
  const endpointId = await createEndpoint(database.db, { consecutiveFailures: 3 });
  expect(await enable(endpointId)).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ consecutiveFailures: 3 });
  expect(await disable(endpointId, 'first')).toBe(true);
  expect(await disable(endpointId, 'second')).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ disabledReason: 'first' });
});

test('another workspace reaches neither the endpoint nor its deliveries', async () => {
  const endpointId = await createEndpoint(database.db);
  const delivery = await createDelivery(database.db, endpointId);
  expect(await disable(endpointId, 'theirs', COMPANY + 1)).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ enabled: true });
  expect(await readDelivery(database.db, delivery)).toMatchObject({ ready: true });
});

test('capturing an event does not wait for whoever holds the endpoint', async () => {
  const { db } = database;
  const endpointId = await createEndpoint(db);
  await db.$transaction(async (tx) => {
    await disableEndpoint(tx, COMPANY, endpointId, null);
    const event = { type: 'integration.ping', data: {} } as const;
    await inFeedTransaction(db, COMPANY, (feed) => recordEvents(feed, [event]));
    await enableEndpoint(tx, COMPANY, endpointId);
  });
});

test('many deliveries follow their endpoint in batches, each attempt moves one, and none is left behind', async () => {
  const { db } = database;
  const endpointId = await createEndpoint(db);
  const first = await createClaim(db, endpointId);
  await db.$executeRaw`
    INSERT INTO webhook_deliveries (company_id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    SELECT company_id, endpoint_id, event_id, event_type, created_at, next_attempt_at
    FROM webhook_deliveries, generate_series(1, 4500) WHERE id = ${first.deliveryId}`;
  const parkedNow = () => db.webhookDelivery.count({ where: { endpointId, nextAttemptAt: null } });
  const attempt = async (status: number) => {
    const claim = await createClaim(db, endpointId);
    await recordOutcome(db, RULES, claim, { kind: 'answered', status, excerpt: '', durationMs: 1 });
  };

  await disable(endpointId);
  expect(await parkedNow()).toBe(2_000);
  await attempt(500);
  expect(await parkedNow()).toBeGreaterThanOrEqual(4_000);
  await attempt(500);
  expect(await parkedNow()).toBe(4_503);

  await enable(endpointId);
  expect(await parkedNow()).toBe(2_503);
  await attempt(200);
  await attempt(200);
  expect(
    await db.webhookDelivery.count({ where: { endpointId, status: 'pending', nextAttemptAt: null } }),
  ).toBe(0);
});

test.each([true, false])(
  'a straggler is found by the next attempt, whether the endpoint is enabled: %s',
  async (enabled) => {
    const { db } = database;
    const endpointId = await createEndpoint(db, { enabled });
    const due = new Date();
    const straggler = await createDelivery(db, endpointId, {
      ready: !enabled,
      nextAttemptAt: enabled ? null : due,
    });
    const claim = await createClaim(db, endpointId, { nextAttemptAt: enabled ? due : null });
    await recordOutcome(db, RULES, claim, { kind: 'answered', status: 200, excerpt: '', durationMs: 1 });
    expect(await readDelivery(db, straggler)).toMatchObject({
      ready: enabled,
      nextAttemptAt: enabled ? expect.any(Date) : null,
    });
  },
);
