import { randomUUID } from 'node:crypto';
import type { Transaction } from '@deal-signals/db/database';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import { type Attempt, beginAttempt, type Beginning } from '../../src/attempts/begin-attempt.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import type { Claim } from '../../src/claims/claim.ts';
import { markDue } from '../../src/claims/mark-due.ts';
import { releaseClaims } from '../../src/claims/release-claims.ts';
import { disableEndpoint, enableEndpoint, removeEndpoint } from '../../src/endpoints/change-state.ts';
import { lockEndpoint } from '../../src/endpoints/endpoint-state.ts';

const LEASE_MS = 3_600_000;
const LEASE = { leaseMs: LEASE_MS, leaseNeededMs: 30_000 };
const STALE = { kind: 'stale' };
const CLAIM_FREE = { claimToken: null, leaseExpiresAt: null };
const agoMs = (ms: number) => new Date(Date.now() - ms);

let endpointId: number;
const database = emptiedDatabase(async (db) => {
  await addCompany(db);
  endpointId = await addEndpoint(db, { url: 'https://receiver.example/' });
});

async function begin(claim: Claim): Promise<Attempt> {
  const beginning = await beginAttempt(database.db, claim, LEASE);
  if (beginning.kind !== 'begun') throw new Error(beginning.kind);
  return beginning.attempt;
}

async function claimOne(): Promise<Claim> {
  await addDelivery(database.db, endpointId);
  const {
    claims: [claim],
  } = await claimReady(database.db, { batch: 1, endpointLimit: 10, workspaceLimit: 10, leaseMs: LEASE_MS });
  return claim!;
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

  test('becomes ready when its lease has ended, and its claim is void', async () => {
    const { db } = database;
    const claim = await claimOne();
    const kept = await claimOne();
    await db.pendingDelivery.updateMany({
      where: { id: claim.deliveryId },
      data: { leaseExpiresAt: agoMs(1) },
    });
    expect(await markDue(db)).toBe(1);
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({ ready: true, ...CLAIM_FREE });
    expect(await readDelivery(db, kept.deliveryId)).toMatchObject({ claimToken: kept.claimToken });
    expect(await beginAttempt(db, claim, LEASE)).toEqual(STALE);
  });

  test('only loses its expired claim if it was put on hold in the meantime', async () => {
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
    expect(await database.db.pendingDelivery.count({ where: { ready: true } })).toBe(2_500);
  });
});

describe('beginning an attempt', () => {
  test('returns the event, and renews a lease that has little left under the same token', async () => {
    const { db } = database;
    const claim = await claimOne();
    const { companyId, deliveryId } = claim;
    await db.pendingDelivery.update({
      where: { companyId_id: { companyId, id: deliveryId } },
      data: { leaseExpiresAt: agoMs(-1_000), attempts: 3 },
    });
    await db.webhookAttempt.create({
      data: { companyId, deliveryId, number: 5, startedAt: new Date(), durationMs: 1 },
    });
    const begun = await beginAttempt(db, claim, LEASE);
    const delivery = await readDelivery(db, claim.deliveryId);
    expect(begun).toEqual({
      kind: 'begun',
      attempt: {
        companyId: COMPANY,
        deliveryId: claim.deliveryId,
        endpointId,
        eventId: delivery.eventId,
        eventType: 'engagement.recorded',
        body: delivery.event.body,
        claimToken: claim.claimToken,
        startedAt: expect.any(Date),
        ageMs: expect.any(Number),
        leaseLeftMs: LEASE_MS,
        waitedMs: expect.any(Number),
        isRateLimited: false,
        attemptInSchedule: 4,
        attemptNumber: 6,
        url: 'https://receiver.example/',
        secretCiphertext: expect.any(Uint8Array),
        previousSecretCiphertext: null,
        headersCiphertext: null,
        everHadHeaders: false,
        traceparent: expect.stringMatching(
          new RegExp(`^00-${delivery.eventId.replaceAll('-', '')}-[0-9a-f]{16}-01$`),
        ),
        captureTraceparent: null,
      },
    });
    expect(delivery.claimToken).toBe(claim.claimToken);
    expect(isWithinTest(new Date(delivery.leaseExpiresAt!.getTime() - LEASE_MS))).toBe(true);
  });

  test('does not change a claim that has most of its lease left', async () => {
    const { db } = database;
    const claim = await claimOne();
    const before = await readDelivery(db, claim.deliveryId);
    await begin(claim);
    expect(await readDelivery(db, claim.deliveryId)).toEqual(before);
  });

  test('continues a trace that the caller does not sample, with a span of its own', async () => {
    const captureSpan = '00f067aa0ba902b7-00';
    const { db } = database;
    const traceId = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';
    const claims = [await claimOne(), await claimOne()];
    await db.webhookEvent.updateMany({ data: { traceId, captureSpan } });
    const spans = await Promise.all(
      claims.map(async (claim) => {
        const { traceparent, captureTraceparent } = await begin(claim);
        const head = `00-${traceId.replaceAll('-', '')}`;
        expect(captureTraceparent).toBe(`${head}-${captureSpan}`);
        expect(traceparent).toMatch(new RegExp(`^${head}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
        return traceparent;
      }),
    );
    expect(new Set(spans).size).toBe(2);
  });

  test('passes on the span of the capturing request, because this process records no spans', async () => {
    const { db } = database;
    const claim = await claimOne();
    await db.webhookEvent.updateMany({
      data: { traceId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736', captureSpan: '00f067aa0ba902b7-01' },
    });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(await begin(claim)).toMatchObject({ traceparent, captureTraceparent: traceparent });
  });

  test('requires the right token and the right workspace', async () => {
    const claim = await claimOne();
    expect(await beginAttempt(database.db, { ...claim, claimToken: randomUUID() }, LEASE)).toEqual(STALE);
    expect(await beginAttempt(database.db, { ...claim, companyId: COMPANY + 1 }, LEASE)).toEqual(STALE);
    expect(await beginAttempt(database.db, claim, LEASE)).toMatchObject({ kind: 'begun' });
  });
});

describe('releasing claims', () => {
  test('makes deliveries ready at once, unless they were claimed again or put on hold', async () => {
    const { db } = database;
    const [mine, lost, onHold] = [await claimOne(), await claimOne(), await claimOne()];
    await db.pendingDelivery.updateMany({
      where: { id: lost.deliveryId },
      data: { claimToken: randomUUID() },
    });
    await db.pendingDelivery.updateMany({ where: { id: onHold.deliveryId }, data: { nextAttemptAt: null } });
    expect(await releaseClaims(db, [mine, lost, onHold])).toBe(2);
    expect(await readDelivery(db, mine.deliveryId)).toMatchObject({ ready: true, ...CLAIM_FREE });
    expect(await readDelivery(db, lost.deliveryId)).toMatchObject({
      ready: false,
      claimToken: expect.any(String),
    });
    expect(await readDelivery(db, onHold.deliveryId)).toMatchObject({ ready: false, ...CLAIM_FREE });
    expect(await releaseClaims(db, [])).toBe(0);
  });
});

describe('a retry requested while a delivery is claimed', () => {
  const ask = ({ deliveryId }: Claim) =>
    database.db.pendingDelivery.updateMany({
      where: { id: deliveryId },
      data: { retryRequestedAt: new Date() },
    });

  test.each(['released', 'expired'] as const)('is satisfied when the claim is %s', async (how) => {
    const { db } = database;
    const claim = await claimOne();
    await ask(claim);
    if (how === 'released') await releaseClaims(db, [claim]);
    else {
      const where = { id: claim.deliveryId };
      await db.pendingDelivery.updateMany({ where, data: { leaseExpiresAt: agoMs(1) } });
      await markDue(db);
    }
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({ ready: true, retryRequestedAt: null });
  });

  test('is dropped when the delivery is put on hold instead of attempted', async () => {
    const { db } = database;
    const claim = await claimOne();
    await setEnabled(false);
    const beginning = await whileEndpointIsLocked(claim, () => ask(claim));
    expect(beginning).toMatchObject({ kind: 'on hold' });
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({ ready: false, retryRequestedAt: null });
  });
});

const setEnabled = (enabled: boolean) =>
  database.db.transaction((tx) =>
    enabled
      ? enableEndpoint(tx, COMPANY, endpointId)
      : disableEndpoint(tx, COMPANY, endpointId, 'by an admin'),
  );

/**
 * Begins an attempt while another transaction has locked the endpoint, and ends that transaction once the attempt waits for it.
 */
async function whileEndpointIsLocked(
  claim: Claim,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<Beginning> {
  const { db } = database;
  let beginning: Promise<Beginning> | undefined;
  await db.transaction(async (tx) => {
    await lockEndpoint(tx, COMPANY, endpointId);
    beginning = beginAttempt(db, claim, LEASE);
    await until('the attempt to wait for the lock', async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await change(tx);
  });
  return beginning!;
}

describe('beginning an attempt at an endpoint that is not enabled', () => {
  test('puts the delivery on hold', async () => {
    const claim = await claimOne();
    await setEnabled(false);
    expect(await beginAttempt(database.db, claim, LEASE)).toMatchObject({
      kind: 'on hold',
      attempt: { deliveryId: claim.deliveryId },
    });
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      ready: false,
      attempts: 0,
      ...CLAIM_FREE,
    });
  });

  test('marks the delivery dead if the endpoint was removed', async () => {
    const claim = await claimOne();
    await database.db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
    expect(await beginAttempt(database.db, claim, LEASE)).toMatchObject({ kind: 'dead' });
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({
      status: 'dead',
      lastError: 'the endpoint was removed',
      nextAttemptAt: null,
      ready: false,
      ...CLAIM_FREE,
    });
  });

  test('begins normally once the endpoint is enabled again', async () => {
    const claim = await claimOne();
    await setEnabled(false);
    await setEnabled(true);
    expect(await beginAttempt(database.db, claim, LEASE)).toMatchObject({ kind: 'begun' });
  });

  test('waits for an uncommitted enabling, and then releases the claim', async () => {
    const { db } = database;
    const claim = await claimOne();
    await setEnabled(false);
    const beginning = await whileEndpointIsLocked(claim, (tx) => enableEndpoint(tx, COMPANY, endpointId));
    expect(beginning).toMatchObject({ kind: 'released' });
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({
      ready: true,
      nextAttemptAt: expect.any(Date),
      ...CLAIM_FREE,
    });
  });
});
