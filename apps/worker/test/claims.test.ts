import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { until } from '@deal-signals/test-kit/until';
import { disableEndpoint, enableEndpoint } from '@deal-signals/webhooks/endpoint-state';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  beginAttempt,
  type BegunClaim,
  claimReady,
  markDue,
  parkIfDisabled,
  type QueuedClaim,
  release,
} from '../src/claims.ts';
import { COMPANY, createDeliveries, createDelivery, createEndpoint, readDelivery } from './webhook-rows.ts';

const LEASE_MS = 30_000;
const CLAIM_FREE = { claimToken: null, leaseExpiresAt: null };
const agoMs = (ms: number) => new Date(Date.now() - ms);

let database: TestDatabase;
let endpointId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  endpointId = await createEndpoint(database.db, 'https://receiver.example/');
});
afterEach(() => database.drop());

async function claimOne(): Promise<QueuedClaim> {
  await createDelivery(database.db, endpointId);
  const [claim] = await claimReady(database.db, 1, LEASE_MS);
  return claim!;
}

async function beginOne(): Promise<BegunClaim> {
  const begun = await beginAttempt(database.db, await claimOne(), LEASE_MS);
  return begun!;
}

describe('claiming', () => {
  test('takes the first of the ready deliveries in id order, each with a token and a lease', async () => {
    const { db } = database;
    const ids = await createDeliveries(db, endpointId, 5);
    const claims = await claimReady(db, 3, LEASE_MS);
    expect(claims.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(0, 3));
    expect(new Set(claims.map(({ claimToken }) => claimToken)).size).toBe(3);
    for (const { companyId, deliveryId, claimToken } of claims) {
      expect(companyId).toBe(COMPANY);
      const { leaseExpiresAt, ...delivery } = await readDelivery(db, deliveryId);
      expect(delivery).toMatchObject({ ready: false, claimToken, status: 'pending' });
      expect(Math.abs(leaseExpiresAt!.getTime() - Date.now() - LEASE_MS)).toBeLessThan(5_000);
    }
    const rest = await claimReady(db, 50, LEASE_MS);
    expect(rest.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(3));
    expect(await claimReady(db, 50, LEASE_MS)).toEqual([]);
  });

  test('by several dispatchers at once gives no delivery to two of them', async () => {
    await createDeliveries(database.db, endpointId, 100);
    const batches = await Promise.all(Array.from({ length: 5 }, () => claimReady(database.db, 20, LEASE_MS)));
    const ids = batches.flat().map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    await claimReady(database.db, 100, LEASE_MS);
    expect(await database.db.webhookDelivery.count({ where: { claimToken: null } })).toBe(0);
  });
});

describe('what becomes due', () => {
  test('is ready when its wait is over, not before', async () => {
    const { db } = database;
    const over = await createDelivery(db, endpointId, { ready: false, nextAttemptAt: agoMs(1) });
    const early = await createDelivery(db, endpointId, { ready: false, nextAttemptAt: agoMs(-60_000) });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, over)).toMatchObject({ ready: true });
    expect(await readDelivery(db, early)).toMatchObject({ ready: false });
  });

  test('is ready when its lease has run out, and its claim is void', async () => {
    const { db } = database;
    const claim = await claimOne();
    const kept = await claimOne();
    await db.webhookDelivery.update({ where: { id: claim.deliveryId }, data: { leaseExpiresAt: agoMs(1) } });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({ ready: true, ...CLAIM_FREE });
    expect(await readDelivery(db, kept.deliveryId)).toMatchObject({ claimToken: kept.claimToken });
    expect(await beginAttempt(db, claim, LEASE_MS)).toBeNull();
  });

  test('only loses its claim when it was parked meanwhile', async () => {
    const { db } = database;
    const leaseExpiresAt = agoMs(1);
    const claimToken = randomUUID();
    const id = await createDelivery(db, endpointId, {
      ready: false,
      nextAttemptAt: null,
      claimToken,
      leaseExpiresAt,
    });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, id)).toMatchObject({ ready: false, nextAttemptAt: null, ...CLAIM_FREE });
    expect(await markDue(db)).toBe(0);
  });

  test('is moved in batches until none is left', async () => {
    await createDeliveries(database.db, endpointId, 2_500, { ready: false, nextAttemptAt: agoMs(1) });
    expect(await markDue(database.db)).toBe(2_500);
    expect(await database.db.webhookDelivery.count({ where: { ready: true } })).toBe(2_500);
  });
});

describe('beginning an attempt', () => {
  test('renews the lease, gives the event, and makes the token of the job worthless', async () => {
    const { db } = database;
    const claim = await claimOne();
    await db.webhookDelivery.update({
      where: { id: claim.deliveryId },
      data: {
        leaseExpiresAt: agoMs(-1_000),
        attempts: 3,
        attemptLog: { create: { number: 5, startedAt: new Date(), durationMs: 1 } },
      },
    });
    const begun = await beginAttempt(db, claim, LEASE_MS);
    const delivery = await readDelivery(db, claim.deliveryId);
    expect(begun).toEqual({
      companyId: COMPANY,
      deliveryId: claim.deliveryId,
      endpointId,
      eventId: delivery.eventId,
      eventType: 'engagement.recorded',
      body: delivery.event.body,
      claimToken: delivery.claimToken,
      startedAt: expect.any(Date),
      attempt: 4,
      attemptNumber: 6,
      url: 'https://receiver.example/',
      enabled: true,
      secretCiphertext: expect.any(Uint8Array),
    });
    expect(delivery.claimToken).not.toBe(claim.claimToken);
    expect(delivery.leaseExpiresAt!.getTime()).toBeGreaterThan(Date.now() + LEASE_MS - 5_000);
    expect(await beginAttempt(db, claim, LEASE_MS)).toBeNull();
    expect(await release(db, [claim])).toBe(0);
  });

  test('needs the right token, in the right workspace', async () => {
    const claim = await claimOne();
    expect(await beginAttempt(database.db, { ...claim, claimToken: randomUUID() }, LEASE_MS)).toBeNull();
    expect(await beginAttempt(database.db, { ...claim, companyId: COMPANY + 1 }, LEASE_MS)).toBeNull();
    expect(await beginAttempt(database.db, claim, LEASE_MS)).not.toBeNull();
  });
});

describe('giving back', () => {
  test('makes deliveries ready at once, but not one that was claimed anew or parked', async () => {
    const { db } = database;
    const [mine, lost, parked] = [await claimOne(), await claimOne(), await claimOne()];
    await db.webhookDelivery.update({ where: { id: lost.deliveryId }, data: { claimToken: randomUUID() } });
    await db.webhookDelivery.update({ where: { id: parked.deliveryId }, data: { nextAttemptAt: null } });
    expect(await release(db, [mine, lost, parked])).toBe(2);
    expect(await readDelivery(db, mine.deliveryId)).toMatchObject({ ready: true, ...CLAIM_FREE });
    expect(await readDelivery(db, lost.deliveryId)).toMatchObject({
      ready: false,
      claimToken: expect.any(String),
    });
    expect(await readDelivery(db, parked.deliveryId)).toMatchObject({ ready: false, ...CLAIM_FREE });
    expect(await release(db, [])).toBe(0);
  });
});

describe('parking a delivery of a disabled endpoint', () => {
  const setEnabled = (enabled: boolean) =>
    database.db.$transaction((tx) =>
      enabled ? enableEndpoint(tx, COMPANY, endpointId) : disableEndpoint(tx, COMPANY, endpointId, null),
    );

  test('gives up the claim and takes the time away', async () => {
    const claim = await beginOne();
    await setEnabled(false);
    expect(await parkIfDisabled(database.db, claim)).toBe(true);
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      ready: false,
      attempts: 0,
      ...CLAIM_FREE,
    });
  });

  test('leaves it alone when the endpoint has been enabled again', async () => {
    const claim = await beginOne();
    await setEnabled(false);
    await setEnabled(true);
    expect(await parkIfDisabled(database.db, claim)).toBe(false);
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      claimToken: claim.claimToken,
      nextAttemptAt: expect.any(Date),
    });
  });

  test('waits for an enabling that is not committed yet, and leaves it alone then', async () => {
    const { db } = database;
    const claim = await beginOne();
    await setEnabled(false);
    let parking: Promise<boolean> | undefined;
    await db.$transaction(async (tx) => {
      await enableEndpoint(tx, COMPANY, endpointId);
      parking = parkIfDisabled(db, claim);
      await until('the parking to wait for the lock', async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    expect(await parking).toBe(false);
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({
      claimToken: claim.claimToken,
      nextAttemptAt: expect.any(Date),
    });
  });
});
