import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import {
  addAttempt,
  addDelivery,
  addEndpoint,
  DEAD,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import { beginAttempt, type Beginning } from '../../src/attempts/begin-attempt.ts';
import type { AttemptResult } from '../../src/attempts/outcome.ts';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { releaseClaims } from '../../src/claims/release-claims.ts';
import { disableEndpoint, enableEndpoint, removeEndpoint } from '../../src/endpoints/change-state.ts';
import { lockEndpoint } from '../../src/endpoints/endpoint-state.ts';
import { FIRST_ENDPOINT, reconcileEndpoints } from '../../src/endpoints/reconcile.ts';
import { retryDelivery } from '../../src/admin-actions/retry.ts';

// Switching a workspace's API off puts its pending deliveries on hold, and switching it on makes them due.

const LEASE = { leaseMs: 3_600_000, leaseNeededMs: 0 };
const RULES = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
const ON_HOLD = { status: 'pending', nextAttemptAt: null, ready: false } as const;
const FAILED: AttemptResult = { kind: 'responded', status: 500, excerpt: '', durationMs: 1 };

let endpointId: number;
const database = emptiedDatabase(async (db) => {
  await addCompany(db);
  endpointId = await addEndpoint(db);
});

const switchApi = (apiEnabled: boolean, id = COMPANY) =>
  capture(database.db, { record: 'company', id, name: 'Acme', apiEnabled });
async function reconcile(): Promise<number> {
  const { moved } = await reconcileEndpoints(database.db, FIRST_ENDPOINT, (error) => {
    throw error;
  });
  return moved;
}
const claim = async () =>
  (
    await claimReady(database.db, {
      batch: 50,
      endpointLimit: 50,
      workspaceLimit: 50,
      leaseMs: LEASE.leaseMs,
    })
  ).claims;

test('switching off puts the pending deliveries of every endpoint on hold, and switching on makes them due at once', async () => {
  const { db } = database;
  const other = await addEndpoint(db);
  const later = new Date(Date.now() + 3_600_000);
  const ids = [
    await addDelivery(db, endpointId),
    await addDelivery(db, other, { nextAttemptAt: later, ready: false, attempts: 3 }),
  ];
  const dead = await addDelivery(db, endpointId, DEAD);
  await switchApi(false);
  expect(await reconcile()).toBe(2);
  for (const id of ids) expect(await readDelivery(db, id)).toMatchObject(ON_HOLD);
  expect(await claim()).toEqual([]);
  // The endpoints themselves are as their owner configured them.
  expect(await readEndpoint(db, endpointId)).toMatchObject({
    enabled: true,
    disabledReason: null,
    reconciledTo: null,
  });

  await switchApi(true);
  expect(await reconcile()).toBe(2);
  for (const id of ids) {
    const { nextAttemptAt, ...delivery } = await readDelivery(db, id);
    expect(delivery).toMatchObject({ status: 'pending', ready: true });
    expect(Math.abs(nextAttemptAt!.getTime() - Date.now())).toBeLessThan(60_000);
  }
  expect(await readDelivery(db, ids[1]!)).toMatchObject({ attempts: 3 });
  expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual(ids);
  expect(await readDelivery(db, dead)).toMatchObject({ status: 'dead' });
});

test('another workspace is not affected', async () => {
  const { db } = database;
  await addCompany(db, 2);
  const id = await addDelivery(db, await addEndpoint(db, { companyId: 2 }), { companyId: 2 });
  await switchApi(false);
  await reconcile();
  expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual([id]);
});

test('each switch is in the audit log, unless it changes nothing', async () => {
  const { db } = database;
  await switchApi(true);
  await switchApi(false);
  await switchApi(false);
  await capture(db, { record: 'company', id: COMPANY, name: 'Acme Inc' });
  await switchApi(true);
  await switchApi(false, 3);
  const records = await db.auditRecord.findMany({ orderBy: { id: 'asc' } });
  const bySystem = {
    companyId: COMPANY,
    userId: null,
    requestId: null,
    serverRequestId: null,
    apiKeyId: null,
    ipAddress: null,
  };
  const workspace = { ...bySystem, objectType: 'workspace', objectId: String(COMPANY), details: {} };
  expect(records).toEqual([
    { ...workspace, id: expect.anything(), at: expect.any(Date), action: 'workspace.api_disabled' },
    { ...workspace, id: expect.anything(), at: expect.any(Date), action: 'workspace.api_enabled' },
  ]);
});

test('a record without the API switch, or with its present state, changes nothing', async () => {
  const { db } = database;
  await capture(db, { record: 'company', id: COMPANY, name: 'Acme' });
  await switchApi(true);
  expect((await readEndpoint(db, endpointId)).reconciledTo).toBeNull();
  await switchApi(false);
  await reconcile();
  await capture(db, { record: 'company', id: COMPANY, name: 'Acme Inc' });
  await switchApi(false);
  expect(await readEndpoint(db, endpointId)).toMatchObject({ reconciledTo: null, suspended: true });
});

test('the company record moves no delivery itself, and ticks move them in batches', async () => {
  const { db } = database;
  const MANY = 4_500;
  const first = await addDelivery(db, endpointId);
  await db.$executeRaw`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    SELECT company_id, id + n, endpoint_id, event_id, event_type, created_at, next_attempt_at
    FROM pending_deliveries, generate_series(2, ${MANY}::int) AS n WHERE id = ${first}`;
  const onHold = () => db.pendingDelivery.count({ where: { nextAttemptAt: null, ready: false } });
  await switchApi(false);
  expect(await onHold()).toBe(0);
  expect(await reconcile()).toBe(MANY);
  expect(await onHold()).toBe(MANY);
  await switchApi(true);
  // Switched off again before any delivery was made due.
  await switchApi(false);
  await reconcile();
  expect(await onHold()).toBe(MANY);
  await switchApi(true);
  await reconcile();
  expect(await db.pendingDelivery.count({ where: { ready: true } })).toBe(MANY);
});

describe('an attempt', () => {
  test('that was claimed before the switch and begins after it puts its delivery on hold without a tick', async () => {
    const { db } = database;
    const id = await addDelivery(db, endpointId);
    const [claimed] = await claim();
    await switchApi(false);
    expect(await beginAttempt(db, claimed!, LEASE)).toMatchObject({ kind: 'on hold' });
    expect(await readDelivery(db, id)).toMatchObject({ ...ON_HOLD, attempts: 0, claimToken: null });
  });

  test.each(['reconciled', 'not reconciled'])('that is running keeps its outcome; %s', async (when) => {
    const { db } = database;
    const [fails, succeeds] = [await addAttempt(db, endpointId), await addAttempt(db, endpointId)];
    await switchApi(false);
    if (when === 'reconciled') await reconcile();
    await recordOutcome(db, RULES, fails, FAILED);
    await recordOutcome(db, RULES, succeeds, { ...FAILED, status: 200 });
    await reconcile();
    expect(await readDelivery(db, fails.deliveryId)).toMatchObject({ ...ON_HOLD, attempts: 1 });
    expect(await readDelivery(db, succeeds.deliveryId)).toMatchObject({ status: 'delivered' });
    await switchApi(true);
    await reconcile();
    expect(await readDelivery(db, fails.deliveryId)).toMatchObject({ attempts: 1, ready: true });
  });

  test('that is interrupted by a shutdown leaves its delivery on hold', async () => {
    const { db } = database;
    const attempt = await addAttempt(db, endpointId);
    await switchApi(false);
    await reconcile();
    await releaseClaims(db, [attempt]);
    expect(await readDelivery(db, attempt.deliveryId)).toMatchObject({ ...ON_HOLD, claimToken: null });
  });

  test('that begins before the switch is committed waits for it, and then follows it', async () => {
    const { db } = database;
    await switchApi(false);
    await reconcile();
    await db.$executeRaw`UPDATE webhook_endpoints SET suspended = false`;
    await addDelivery(db, endpointId);
    const [claimed] = await claim();
    await db.$executeRaw`UPDATE webhook_endpoints SET suspended = true`;
    let beginning: Promise<Beginning> | undefined;
    await db.transaction(async (tx) => {
      await tx.$executeRaw`UPDATE companies SET api_enabled = true`;
      await tx.$executeRaw`UPDATE webhook_endpoints SET suspended = false, reconciled_to = 0`;
      beginning = beginAttempt(db, claimed!, LEASE);
      await until('the attempt to wait for the lock', async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    expect(await beginning).toMatchObject({ kind: 'released' });
    await reconcile();
    expect(await claim()).toHaveLength(1);
  });

  test('that is recorded while the API is being switched off leaves its delivery on hold', async () => {
    const { db } = database;
    const attempt = await addAttempt(db, endpointId);
    let switching: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await lockEndpoint(tx, COMPANY, endpointId);
      switching = switchApi(false);
      await until('the switch to wait for the endpoint', async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      // Recording a failure in the transaction that came first: the delivery waits for its next attempt.
      await tx.$executeRaw`
        UPDATE pending_deliveries
        SET claim_token = NULL, lease_expires_at = NULL, next_attempt_at = clock_timestamp() + interval '30 seconds'
        WHERE id = ${attempt.deliveryId}`;
    });
    await switching;
    await reconcile();
    expect(await readDelivery(db, attempt.deliveryId)).toMatchObject(ON_HOLD);
  });
});

test('a 410 that arrives while the API is off still disables the endpoint', async () => {
  const { db } = database;
  const attempt = await addAttempt(db, endpointId);
  await switchApi(false);
  const recorded = await recordOutcome(db, RULES, attempt, { ...FAILED, status: 410 });
  expect(recorded).toMatchObject({ endpointDisabled: true });
  expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: false });
});

test('an endpoint that its owner has disabled stays disabled when the API is switched on', async () => {
  const { db } = database;
  const id = await addDelivery(db, endpointId);
  await db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'by an admin'));
  await switchApi(false);
  await reconcile();
  await switchApi(true);
  await reconcile();
  expect(await readDelivery(db, id)).toMatchObject(ON_HOLD);
  await db.transaction((tx) => enableEndpoint(tx, COMPANY, endpointId));
  expect(await readDelivery(db, id)).toMatchObject({ ready: true });
});

test('deliveries stay on hold while the API is off, even after enabling an endpoint or requesting a retry; a removed endpoint is removed', async () => {
  const { db } = database;
  const [waiting, dead] = [await addDelivery(db, endpointId), await addDelivery(db, endpointId, DEAD)];
  await db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'by an admin'));
  await switchApi(false);
  expect(await db.transaction((tx) => enableEndpoint(tx, COMPANY, endpointId))).toBe(true);
  expect(await db.transaction((tx) => retryDelivery(tx, COMPANY, endpointId, dead))).toBe('retried');
  await reconcile();
  for (const id of [waiting, dead]) expect(await readDelivery(db, id)).toMatchObject(ON_HOLD);
  await db.transaction((tx) => removeEndpoint(tx, COMPANY, endpointId));
  await switchApi(true);
  await reconcile();
  for (const id of [waiting, dead]) expect(await readDelivery(db, id)).toMatchObject({ status: 'dead' });
});
