import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { NOTHING } from '@deal-signals/outbox/about';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  addAttempt,
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';
import { disableEndpoint, enableEndpoint, removeEndpoint } from '../../src/endpoints/change-state.ts';
import { FIRST_ENDPOINT, reconcileEndpoints } from '../../src/endpoints/reconcile.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const disable = (endpointId: number, reason = 'by an admin', companyId = COMPANY) =>
  database.db.transaction((tx) => disableEndpoint(tx, companyId, endpointId, reason));
const enable = (endpointId: number, companyId = COMPANY) =>
  database.db.transaction((tx) => enableEndpoint(tx, companyId, endpointId));
async function reconcile(): Promise<number> {
  const { moved } = await reconcileEndpoints(database.db, FIRST_ENDPOINT, (error) => {
    throw error;
  });
  return moved;
}
const isReconciling = async (endpointId: number) =>
  (await readEndpoint(database.db, endpointId)).reconciledTo !== null;
const remove = (endpointId: number, companyId = COMPANY) =>
  database.db.transaction((tx) => removeEndpoint(tx, companyId, endpointId));

test('disabling an endpoint puts its pending deliveries on hold; enabling makes them due and resets the failures', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db, { consecutiveFailures: 7 });
  const ready = await addDelivery(db, endpointId);
  const underWay = await addAttempt(db, endpointId);
  const dead = await addDelivery(db, endpointId, { status: 'dead' });

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
  expect(isWithinTest(due.nextAttemptAt)).toBe(true);
  // Its attempt is still running, and a second one must not begin at the same time.
  expect(await readDelivery(db, underWay.deliveryId)).toMatchObject({
    ready: false,
    claimToken: underWay.claimToken,
    nextAttemptAt: expect.any(Date),
  });
  expect(await readDelivery(db, dead)).toMatchObject({ status: 'dead', nextAttemptAt: null });
});

test('enabling an enabled endpoint, or disabling a disabled one, changes nothing', async () => {
  const endpointId = await addEndpoint(database.db, { consecutiveFailures: 3 });
  expect(await enable(endpointId)).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ consecutiveFailures: 3 });
  expect(await disable(endpointId, 'first')).toBe(true);
  expect(await disable(endpointId, 'second')).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ disabledReason: 'first' });
});

test('another workspace cannot change an endpoint or its deliveries', async () => {
  const endpointId = await addEndpoint(database.db);
  const delivery = await addDelivery(database.db, endpointId);
  expect(await disable(endpointId, 'theirs', COMPANY + 1)).toBe(false);
  expect(await remove(endpointId, COMPANY + 1)).toBe(false);
  expect(await readEndpoint(database.db, endpointId)).toMatchObject({ enabled: true });
  expect(await readDelivery(database.db, delivery)).toMatchObject({ ready: true });
});

test('recording an event does not wait for a transaction that has locked the endpoint', async () => {
  const { db } = database;
  const endpointId = await addEndpoint(db);
  await db.transaction(async (tx) => {
    await disableEndpoint(tx, COMPANY, endpointId, 'by an admin');
    const event = {
      type: 'integration.ping',
      objectId: '1',
      position: 1n,
      data: {},
      about: NOTHING,
    } as const;
    await inFeedTransaction(db, COMPANY, async (feed) =>
      recordEvents(feed, [event], await findSubscribers(feed.tx, COMPANY)),
    );
    await enableEndpoint(tx, COMPANY, endpointId);
  });
});

describe('removing an endpoint', () => {
  test('makes its pending deliveries dead, including those on hold, and cannot be undone', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const ready = await addDelivery(db, endpointId);
    const later = new Date(Date.now() + 3_600_000);
    const waiting = await addDelivery(db, endpointId, {
      ready: false,
      nextAttemptAt: later,
      lastError: 'receiver responded with 500',
    });
    const onHold = await addDelivery(db, endpointId, { ready: false, nextAttemptAt: null });
    const deliveredAt = new Date();
    const delivered = await addDelivery(db, endpointId, {
      status: 'delivered',
      deliveredAt,
    });
    const elsewhere = await addDelivery(db, await addEndpoint(db));

    expect(await remove(endpointId)).toBe(true);
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      enabled: false,
      removedAt: expect.any(Date),
      reconciledTo: null,
    });
    for (const id of [ready, waiting, onHold]) {
      expect(await readDelivery(db, id)).toMatchObject({
        status: 'dead',
        ready: false,
        nextAttemptAt: null,
        lastError: 'the endpoint was removed',
      });
    }
    expect(await readDelivery(db, delivered)).toMatchObject({ status: 'delivered', lastError: null });
    expect(await readDelivery(db, elsewhere)).toMatchObject({ status: 'pending', ready: true });

    expect(await remove(endpointId)).toBe(false);
    expect(await enable(endpointId)).toBe(false);
    expect(await disable(endpointId)).toBe(false);
    expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: false, disabledReason: null });
  });

  test('keeps the outcome of running attempts: a success is delivered, a failure dead', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const [succeeds, fails] = [await addAttempt(db, endpointId), await addAttempt(db, endpointId)];
    await remove(endpointId);
    for (const [{ deliveryId }, status] of [
      [succeeds, 200],
      [fails, 500],
    ] as const) {
      expect(await readDelivery(db, deliveryId)).toMatchObject({ status: 'pending' });
      expect(await isReconciling(endpointId)).toBe(true);
      const claim = deliveryId === succeeds.deliveryId ? succeeds : fails;
      await recordOutcome(db, RULES, claim, { kind: 'responded', status, excerpt: '', durationMs: 1 });
      await reconcile();
    }
    expect(await readDelivery(db, succeeds.deliveryId)).toMatchObject({ status: 'delivered' });
    expect(await readDelivery(db, fails.deliveryId)).toMatchObject({
      status: 'dead',
      lastError: 'receiver responded with 500',
    });
    expect(await isReconciling(endpointId)).toBe(false);
  });

  test('makes the delivery of a crashed worker dead once its claim is void', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const { deliveryId } = await addAttempt(db, endpointId);
    await remove(endpointId);
    expect(await reconcile()).toBe(0);
    await db.pendingDelivery.updateMany({
      where: { id: deliveryId },
      data: { claimToken: null, leaseExpiresAt: null, ready: true },
    });
    expect(await reconcile()).toBe(1);
    expect(await readDelivery(db, deliveryId)).toMatchObject({ status: 'dead' });
  });
});

describe('the deliveries of an endpoint', () => {
  const MANY = 4_500;

  async function createMany(endpointId: number): Promise<void> {
    const first = await addDelivery(database.db, endpointId);
    await database.db.$executeRaw`
      INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
      SELECT company_id, id + n, endpoint_id, event_id, event_type, created_at, next_attempt_at
      FROM pending_deliveries, generate_series(2, ${MANY}::int) AS n WHERE id = ${first}`;
  }

  const onHold = (endpointId: number) =>
    database.db.pendingDelivery.count({ where: { endpointId, nextAttemptAt: null, ready: false } });
  const ready = (endpointId: number) =>
    database.db.pendingDelivery.count({ where: { endpointId, ready: true } });
  const dead = (endpointId: number) =>
    database.db.webhookDelivery.count({ where: { endpointId, status: 'dead' } });

  test.each([
    ['disabled', disable, onHold],
    ['removed', remove, dead],
  ] as const)(
    'are reconciled when it is %s: a batch at once, the rest with the next ticks',
    async (_, change, countMoved) => {
      const { db } = database;
      const endpointId = await addEndpoint(db);
      await createMany(endpointId);
      await change(endpointId);
      expect(await countMoved(endpointId)).toBe(2_000);
      expect(await isReconciling(endpointId)).toBe(true);
      expect(await reconcile()).toBe(MANY - 2_000);
      expect(await countMoved(endpointId)).toBe(MANY);
      expect(await isReconciling(endpointId)).toBe(false);
      expect(await reconcile()).toBe(0);
    },
  );

  test('are reconciled with the last of several changes', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    await createMany(endpointId);
    await disable(endpointId);
    await reconcile();
    await enable(endpointId);
    expect(await ready(endpointId)).toBe(2_000);
    await disable(endpointId);
    await reconcile();
    expect(await onHold(endpointId)).toBe(MANY);
    await enable(endpointId);
    await reconcile();
    expect(await ready(endpointId)).toBe(MANY);
  });

  test('are reconciled even if those of another endpoint fail', async () => {
    const { db } = database;
    const [failing, sound] = [await addEndpoint(db), await addEndpoint(db)];
    for (const endpointId of [failing, sound]) {
      await createMany(endpointId);
      await disable(endpointId);
    }
    await db.$executeRawUnsafe(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
    await db.$executeRawUnsafe(`
      CREATE TRIGGER refuse BEFORE UPDATE ON pending_deliveries FOR EACH ROW
      WHEN (OLD.endpoint_id = ${failing}) EXECUTE FUNCTION refuse()`);
    const failed: number[] = [];
    const { moved } = await reconcileEndpoints(db, FIRST_ENDPOINT, (_, { endpointId }) =>
      failed.push(endpointId),
    );
    expect(moved).toBe(MANY - 2_000);
    expect(failed).toEqual([failing]);
    expect(await isReconciling(failing)).toBe(true);
    await db.$executeRawUnsafe('DROP FUNCTION refuse CASCADE');
    expect(await reconcile()).toBe(MANY - 2_000);
  });

  test('are reconciled while another endpoint is locked, with two dispatchers at once', async () => {
    const { db } = database;
    const [locked, free] = [await addEndpoint(db), await addEndpoint(db)];
    for (const endpointId of [locked, free]) {
      await createMany(endpointId);
      await disable(endpointId);
    }
    await db.transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ${locked} FOR NO KEY UPDATE`;
      const moved = await Promise.all([reconcile(), reconcile()]);
      expect(moved[0] + moved[1]).toBe(MANY - 2_000);
    });
    expect(await onHold(free)).toBe(MANY);
    expect(await onHold(locked)).toBe(2_000);
    expect(await reconcile()).toBe(MANY - 2_000);
  });

  test('are reconciled in turn: those of the first hundred endpoints, and with the next tick those of the others', async () => {
    const { db } = database;
    const companyId = 5;
    await addCompany(db, companyId);
    const ids: number[] = [];
    for (let n = 0; n < 102; n += 1) ids.push(await addEndpoint(db, { companyId, reconciledTo: 0n }));
    const delivery = await addDelivery(db, ids.at(-1)!, { companyId, nextAttemptAt: null, ready: false });
    // Another transaction has locked all but the last.
    await db.transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ANY (${ids.slice(0, -1)}) FOR NO KEY UPDATE`;
      const first = await reconcileEndpoints(db, FIRST_ENDPOINT, () => {});
      expect(first).toEqual({ moved: 0, after: { companyId, id: ids[99] } });
      const second = await reconcileEndpoints(db, first.after, () => {});
      expect(second).toEqual({ moved: 1, after: FIRST_ENDPOINT });
    });
    expect(await readDelivery(db, delivery)).toMatchObject({ ready: true });
  });
});
