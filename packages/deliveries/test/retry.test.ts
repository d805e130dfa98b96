import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  addAttempt,
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeEndpoint } from '../src/endpoints/change-state.ts';
import { MAX_RETRIED, retryDead, retryDelivery } from '../src/admin-actions/retry.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const retry = (endpointId: number, id: bigint, companyId = COMPANY) =>
  database.db.transaction((tx) => retryDelivery(tx, companyId, endpointId, id));

describe('a retry of a delivery', () => {
  test('that is dead starts a new schedule at once', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const id = await addDelivery(db, endpointId, DEAD);
    expect(await retry(endpointId, id)).toBe('retried');
    const delivery = await readDelivery(db, id);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: 0,
      ready: true,
      lastError: 'receiver responded with 500',
    });
    expect(isWithinTest(delivery.nextAttemptAt)).toBe(true);
  });

  test('that is waiting makes it due at once and keeps its attempts', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const nextAttemptAt = new Date(Date.now() + 3_600_000);
    const id = await addDelivery(db, endpointId, { attempts: 5, nextAttemptAt, ready: false });
    expect(await retry(endpointId, id)).toBe('retried');
    const delivery = await readDelivery(db, id);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 5, ready: true, retryRequestedAt: null });
    expect(isWithinTest(delivery.nextAttemptAt)).toBe(true);
  });

  test('whose attempt is running keeps the claim and stores the request', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const { deliveryId, claimToken } = await addAttempt(db, endpointId);
    expect(await retry(endpointId, deliveryId)).toBe('retried');
    expect(await readDelivery(db, deliveryId)).toMatchObject({
      status: 'pending',
      ready: false,
      claimToken,
      retryRequestedAt: expect.any(Date),
    });
  });

  test('at a disabled endpoint puts it on hold', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { enabled: false });
    const id = await addDelivery(db, endpointId, DEAD);
    expect(await retry(endpointId, id)).toBe('retried');
    expect(await readDelivery(db, id)).toMatchObject({
      status: 'pending',
      attempts: 0,
      nextAttemptAt: null,
      ready: false,
    });
  });

  test('that is delivered, or at a removed endpoint, is rejected', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const delivered = await addDelivery(db, endpointId, DELIVERED);
    const dead = await addDelivery(db, endpointId, DEAD);
    expect(await retry(endpointId, delivered)).toBe('delivered');
    await db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await retry(endpointId, dead)).toBe('endpoint removed');
    expect(await readDelivery(db, delivered)).toMatchObject({ status: 'delivered' });
    expect(await readDelivery(db, dead)).toMatchObject({ status: 'dead', attempts: 8 });
  });

  test('finds it only in its workspace and at its endpoint', async () => {
    const { db } = database;
    const [endpointId, other] = [await addEndpoint(db), await addEndpoint(db)];
    const id = await addDelivery(db, endpointId, DEAD);
    expect(await retry(other, id)).toBe('unknown');
    expect(await retry(endpointId, id, COMPANY + 1)).toBe('unknown');
    expect(await retry(endpointId, id + 1_000n)).toBe('unknown');
    expect(await readDelivery(db, id)).toMatchObject({ status: 'dead' });
  });
});

describe('a retry of the dead letters of an endpoint', () => {
  const retryAll = async (endpointId: number, since?: Date, companyId = COMPANY) => {
    const moved = await database.db.transaction((tx) => retryDead(tx, companyId, endpointId, { since }));
    return typeof moved === 'string' ? moved : moved.count;
  };

  test('covers all of them, or those from a given time on', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const since = new Date('2026-11-20T12:00:00.000Z');
    const before = await addDelivery(db, endpointId, {
      ...DEAD,
      createdAt: new Date(since.getTime() - 1),
    });
    const at = await addDelivery(db, endpointId, { ...DEAD, createdAt: since });
    const pending = await addDelivery(db, endpointId, { attempts: 2, createdAt: since });
    const elsewhere = await addDelivery(db, await addEndpoint(db), { ...DEAD, createdAt: since });
    expect(await retryAll(endpointId, since)).toBe(1);
    expect(await readDelivery(db, at)).toMatchObject({ status: 'pending', attempts: 0, ready: true });
    expect(await readDelivery(db, before)).toMatchObject(DEAD);
    expect(await readDelivery(db, pending)).toMatchObject({ attempts: 2 });
    expect(await retryAll(endpointId)).toBe(1);
    expect(await readDelivery(db, before)).toMatchObject({ status: 'pending', attempts: 0, ready: true });
    expect(await retryAll(endpointId)).toBe(0);
    expect(await readDelivery(db, elsewhere)).toMatchObject(DEAD);
  });

  test('puts them on hold at a disabled endpoint, and is rejected for an unknown or removed one', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { enabled: false });
    const id = await addDelivery(db, endpointId, DEAD);
    expect(await retryAll(endpointId, undefined, COMPANY + 1)).toBe('unknown');
    expect(await retryAll(endpointId)).toBe(1);
    expect(await readDelivery(db, id)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      ready: false,
    });
    await db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await retryAll(endpointId)).toBe('endpoint removed');
    expect(await readDelivery(db, id)).toMatchObject({ status: 'dead' });
  });

  test('covers a limited number, oldest first', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const first = await addDelivery(db, endpointId, DEAD);
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts)
      SELECT company_id, id + n * 1000, endpoint_id, event_id, event_type, created_at + n * interval '1 ms', status, attempts
      FROM webhook_deliveries, generate_series(1, ${MAX_RETRIED}::int) AS n WHERE id = ${first}`;
    expect(await retryAll(endpointId)).toBe(MAX_RETRIED);
    const [left] = await db.webhookDelivery.findMany({ where: { endpointId, status: 'dead' } });
    expect(left?.createdAt).toEqual(
      new Date((await readDelivery(db, first)).createdAt.getTime() + MAX_RETRIED),
    );
    expect(await retryAll(endpointId)).toBe(1);
  });
});
