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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { beginAttempt } from '../../src/attempts/begin-attempt.ts';
import type { AttemptResult } from '../../src/attempts/outcome.ts';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { disableEndpoint, enableEndpoint, requireVerification } from '../../src/endpoints/change-state.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
const ON_HOLD = { status: 'pending', nextAttemptAt: null, ready: false, claimToken: null } as const;
const LEASE = { leaseMs: 60_000, leaseNeededMs: 0 };
const DUE = { status: 'pending', nextAttemptAt: expect.any(Date), ready: true } as const;

let database: TestDatabase;
let endpointId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
beforeEach(async () => {
  endpointId = await addEndpoint(database.db, { awaitingVerification: true });
});
afterAll(() => database.drop());

const responded = (status: number): AttemptResult => ({
  kind: 'responded',
  status,
  excerpt: '',
  durationMs: 5,
});
const isWaiting = async () => (await readEndpoint(database.db, endpointId)).awaitingVerification;
/** The outcome of a test event. */
async function ping(status: number, nextAttemptAt: Date | null = null): Promise<void> {
  const attempt = await addAttempt(database.db, endpointId, { eventType: 'integration.ping', nextAttemptAt });
  await recordOutcome(database.db, RULES, attempt, responded(status));
}

describe('an endpoint that awaits verification', () => {
  test('gets no delivery: a delivery whose attempt is about to begin is put on hold', async () => {
    const { db } = database;
    const id = await addDelivery(db, endpointId);
    const { claims } = await claimReady(db, {
      batch: 10,
      endpointLimit: 10,
      workspaceLimit: 50,
      leaseMs: LEASE.leaseMs,
    });
    const claim = claims.find(({ deliveryId }) => deliveryId === id);
    expect(await beginAttempt(db, claim!, LEASE)).toMatchObject({ kind: 'on hold' });
    expect(await readDelivery(db, id)).toMatchObject(ON_HOLD);
  });

  test('is verified by a test event that succeeds, and its deliveries on hold are due', async () => {
    const onHold = await addDelivery(database.db, endpointId, { nextAttemptAt: null, ready: false });
    await ping(500);
    expect(await isWaiting()).toBe(true);
    expect(await readDelivery(database.db, onHold)).toMatchObject(ON_HOLD);
    await ping(200);
    expect(await isWaiting()).toBe(false);
    expect(await readDelivery(database.db, onHold)).toMatchObject(DUE);
  });

  test('is not verified by the success of another running delivery', async () => {
    const attempt = await addAttempt(database.db, endpointId, { nextAttemptAt: null });
    await recordOutcome(database.db, RULES, attempt, responded(200));
    expect(await isWaiting()).toBe(true);
  });

  test('is not verified by a test of its previous URL', async () => {
    const attempt = await addAttempt(database.db, endpointId, {
      eventType: 'integration.ping',
      nextAttemptAt: null,
    });
    await database.db.webhookEndpoint.updateMany({
      where: { id: endpointId },
      data: { url: 'https://new.example.com/' },
    });
    await recordOutcome(database.db, RULES, attempt, responded(200));
    expect(await isWaiting()).toBe(true);
  });

  test('stays silent when it is enabled, and when it is verified while disabled', async () => {
    const { db } = database;
    await db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'test'));
    const onHold = await addDelivery(db, endpointId, { nextAttemptAt: null, ready: false });
    await db.transaction((tx) => enableEndpoint(tx, COMPANY, endpointId));
    expect(await readDelivery(db, onHold)).toMatchObject(ON_HOLD);
    await db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'test'));
    await ping(200);
    expect(await isWaiting()).toBe(false);
    expect(await readDelivery(db, onHold)).toMatchObject(ON_HOLD);
    await db.transaction((tx) => enableEndpoint(tx, COMPANY, endpointId));
    expect(await readDelivery(db, onHold)).toMatchObject(DUE);
  });
});

test('an endpoint that must be verified again has its pending deliveries on hold', async () => {
  const { db } = database;
  endpointId = await addEndpoint(db);
  const ready = await addDelivery(db, endpointId);
  await db.transaction((tx) => requireVerification(tx, COMPANY, endpointId));
  expect(await isWaiting()).toBe(true);
  expect(await readDelivery(db, ready)).toMatchObject(ON_HOLD);
});
