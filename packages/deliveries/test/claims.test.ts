import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { until } from '@deal-signals/test-kit/until';
import { disableEndpoint, enableEndpoint, removeEndpoint } from '../src/endpoint-state.ts';
import type { BegunClaim } from '../src/attempt-delivery.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claimReady } from '../src/claim-ready.ts';
import { beginAttempt, markDue, type QueuedClaim, release, withdraw } from '../src/claims.ts';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';

const LEASE_MS = 30_000;
const CLAIM_FREE = { claimToken: null, leaseExpiresAt: null };
const agoMs = (ms: number) => new Date(Date.now() - ms);

let database: TestDatabase;
let endpointId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
  endpointId = await addEndpoint(database.db, { url: 'https://receiver.example/' });
});
afterEach(() => database.drop());

async function claimOne(): Promise<QueuedClaim> {
  await addDelivery(database.db, endpointId);
  const [claim] = await claimReady(database.db, { batch: 1, endpointLimit: 10, leaseMs: LEASE_MS });
  return claim!;
}

async function beginOne(): Promise<BegunClaim> {
  const begun = await beginAttempt(database.db, await claimOne(), LEASE_MS);
  return begun!;
}

describe('a delivery', () => {
  test('becomes ready when its wait is over, and not before', async () => {
    const { db } = database;
    const over = await addDelivery(db, endpointId, { ready: false, nextAttemptAt: agoMs(1) });
    const early = await addDelivery(db, endpointId, { ready: false, nextAttemptAt: agoMs(-60_000) });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, over)).toMatchObject({ ready: true });
    expect(await readDelivery(db, early)).toMatchObject({ ready: false });
  });

  test('becomes ready when its lease has expired, and its claim is void', async () => {
    const { db } = database;
    const claim = await claimOne();
    const kept = await claimOne();
    await db.webhookDelivery.update({ where: { id: claim.deliveryId }, data: { leaseExpiresAt: agoMs(1) } });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({ ready: true, ...CLAIM_FREE });
    expect(await readDelivery(db, kept.deliveryId)).toMatchObject({ claimToken: kept.claimToken });
    expect(await beginAttempt(db, claim, LEASE_MS)).toBeNull();
  });

  test('that was parked meanwhile only loses its expired claim', async () => {
    const { db } = database;
    const leaseExpiresAt = agoMs(1);
    const claimToken = randomUUID();
    const id = await addDelivery(db, endpointId, {
      ready: false,
      nextAttemptAt: null,
      claimToken,
      leaseExpiresAt,
    });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, id)).toMatchObject({ ready: false, nextAttemptAt: null, ...CLAIM_FREE });
    expect(await markDue(db)).toBe(0);
  });

  test('becomes ready in batches until none is left', async () => {
    await addDeliveries(database.db, endpointId, 2_500, { ready: false, nextAttemptAt: agoMs(1) });
    expect(await markDue(database.db)).toBe(2_500);
    expect(await database.db.webhookDelivery.count({ where: { ready: true } })).toBe(2_500);
  });
});

describe('beginning an attempt', () => {
  test('renews the lease, returns the event and voids the token of the job', async () => {
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
      endpointEnabled: true,
      secretCiphertext: expect.any(Uint8Array),
    });
    expect(delivery.claimToken).not.toBe(claim.claimToken);
    expect(delivery.leaseExpiresAt!.getTime()).toBeGreaterThan(Date.now() + LEASE_MS - 5_000);
    expect(await beginAttempt(db, claim, LEASE_MS)).toBeNull();
    expect(await release(db, [claim])).toBe(0);
  });

  test('needs the right token and the right workspace', async () => {
    const claim = await claimOne();
    expect(await beginAttempt(database.db, { ...claim, claimToken: randomUUID() }, LEASE_MS)).toBeNull();
    expect(await beginAttempt(database.db, { ...claim, companyId: COMPANY + 1 }, LEASE_MS)).toBeNull();
    expect(await beginAttempt(database.db, claim, LEASE_MS)).not.toBeNull();
  });
});

describe('releasing claims', () => {
  test('makes deliveries ready at once, unless they were claimed again or parked', async () => {
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

describe('a retry requested while a delivery is claimed', () => {
  const ask = ({ deliveryId }: QueuedClaim) =>
    database.db.webhookDelivery.update({ where: { id: deliveryId }, data: { retryRequested: true } });

  test('is settled by an attempt that begins afterwards', async () => {
    const claim = await claimOne();
    await ask(claim);
    await beginAttempt(database.db, claim, LEASE_MS);
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({ retryRequested: false });
  });

  test('is settled when the claim is released, expires or is withdrawn', async () => {
    const { db } = database;
    const [given, expired, begun] = [await claimOne(), await claimOne(), await beginOne()];
    for (const claim of [given, expired, begun]) await ask(claim);
    await release(db, [given]);
    await db.webhookDelivery.update({
      where: { id: expired.deliveryId },
      data: { leaseExpiresAt: agoMs(1) },
    });
    await markDue(db);
    for (const { deliveryId } of [given, expired]) {
      expect(await readDelivery(db, deliveryId)).toMatchObject({ ready: true, retryRequested: false });
    }
    await db.$transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'by an admin'));
    await withdraw(db, begun);
    expect(await readDelivery(db, begun.deliveryId)).toMatchObject({ ready: false, retryRequested: false });
  });
});

describe('withdrawing a delivery of a disabled endpoint', () => {
  const setEnabled = (enabled: boolean) =>
    database.db.$transaction((tx) =>
      enabled
        ? enableEndpoint(tx, COMPANY, endpointId)
        : disableEndpoint(tx, COMPANY, endpointId, 'by an admin'),
    );

  test('gives up the claim and parks the delivery', async () => {
    const claim = await beginOne();
    await setEnabled(false);
    expect(await withdraw(database.db, claim)).toBe('parked');
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      ready: false,
      attempts: 0,
      ...CLAIM_FREE,
    });
  });

  test('makes the delivery dead when the endpoint was removed', async () => {
    const claim = await beginOne();
    await database.db.$transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await withdraw(database.db, claim)).toBe('dead');
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      status: 'dead',
      lastError: 'the endpoint was removed',
      nextAttemptAt: null,
      ready: false,
      ...CLAIM_FREE,
    });
  });

  test('changes nothing when the endpoint has been enabled again', async () => {
    const claim = await beginOne();
    await setEnabled(false);
    await setEnabled(true);
    expect(await withdraw(database.db, claim)).toBeNull();
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      claimToken: claim.claimToken,
      nextAttemptAt: expect.any(Date),
    });
  });

  test('waits for an enabling that is not committed yet, and then changes nothing', async () => {
    const { db } = database;
    const claim = await beginOne();
    await setEnabled(false);
    let withdrawing: Promise<unknown> | undefined;
    await db.$transaction(async (tx) => {
      await enableEndpoint(tx, COMPANY, endpointId);
      withdrawing = withdraw(db, claim);
      await until('the withdrawal to wait for the lock', async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    expect(await withdrawing).toBeNull();
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({
      claimToken: claim.claimToken,
      nextAttemptAt: expect.any(Date),
    });
  });
});
