import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { addDeliveries, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import { claimReady } from '../../src/claims/claim-ready.ts';

const LEASE_MS = 3_600_000;

let endpointId: number;
const database = emptiedDatabase(async (db) => {
  await addCompany(db);
  endpointId = await addEndpoint(db, { url: 'https://receiver.example/' });
});

const claim = async (batch: number, endpointLimit = 1_000) =>
  (await claimReady(database.db, { batch, endpointLimit, workspaceLimit: 10_000, leaseMs: LEASE_MS })).claims;
const claimIds = async (batch: number, endpointLimit?: number) =>
  (await claim(batch, endpointLimit)).map(({ deliveryId }) => deliveryId);

test('a claim takes the first ready deliveries in id order, each with a token and a lease', async () => {
  const { db } = database;
  const ids = await addDeliveries(db, endpointId, 5);
  const claims = await claim(3);
  expect(claims.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(0, 3));
  expect(new Set(claims.map(({ claimToken }) => claimToken)).size).toBe(3);
  for (const { companyId, deliveryId, claimToken } of claims) {
    expect(companyId).toBe(COMPANY);
    const { leaseExpiresAt, ...delivery } = await readDelivery(db, deliveryId);
    expect(delivery).toMatchObject({ ready: false, claimToken, status: 'pending' });
    expect(isWithinTest(new Date(leaseExpiresAt!.getTime() - LEASE_MS))).toBe(true);
  }
  expect(await claimIds(50)).toEqual(ids.slice(3));
  expect(await claimIds(50)).toEqual([]);
});

test('concurrent claims never take the same delivery', async () => {
  await addDeliveries(database.db, endpointId, 100);
  const ids = (await Promise.all(Array.from({ length: 5 }, () => claimIds(20)))).flat();
  expect(new Set(ids).size).toBe(ids.length);
  await claim(100);
  expect(await database.db.pendingDelivery.count({ where: { claimToken: null } })).toBe(0);
});

describe('an endpoint at its limit', () => {
  /** Deliveries of three endpoints, in turn. The busy endpoint has the first one and the largest number. */
  async function mixed() {
    const { db } = database;
    const others = [
      await addEndpoint(db, { url: 'https://one.example/' }),
      await addEndpoint(db, { url: 'https://two.example/' }),
    ];
    const busy = await addDeliveries(db, endpointId, 12);
    const one = await addDeliveries(db, others[0]!, 3);
    const more = await addDeliveries(db, endpointId, 12);
    const two = await addDeliveries(db, others[1]!, 3);
    return { busy: [...busy, ...more], one, two };
  }

  test('leaves the rest of the batch to the others, in id order', async () => {
    const { busy, one, two } = await mixed();
    expect(await claimIds(10, 5)).toEqual([...busy.slice(0, 5), ...one, ...two.slice(0, 2)]);
    // Five deliveries of the busy endpoint are claimed, so it gets no more, and the others have only one left.
    expect(await claimIds(10, 5)).toEqual(two.slice(2));
    expect(await claimIds(10, 5)).toEqual([]);
  });

  test('continues with its next deliveries when claimed ones have ended', async () => {
    const { busy } = await mixed();
    const first = await claimIds(10, 5);
    await database.db.pendingDelivery.deleteMany({ where: { id: { in: first.slice(0, 2) } } });
    expect((await claimIds(10, 5)).slice(0, 2)).toEqual(busy.slice(5, 7));
  });

  test('counts its fresh and its requeued deliveries together', async () => {
    const fresh = await addDeliveries(database.db, endpointId, 2);
    const requeued = await addDeliveries(database.db, endpointId, 4, { requeued: true });
    expect(await claimIds(10, 3)).toEqual([...fresh, requeued[0]]);
  });

  test('does not count against an endpoint of another workspace with the same id', async () => {
    const { db } = database;
    await db.company.create({ data: { id: 2, name: 'Other' } });
    await addDeliveries(db, endpointId, 5);
    await db.$executeRaw`
      INSERT INTO webhook_endpoints (company_id, id, url, events, secret_ciphertext)
      VALUES (2, ${endpointId}, 'https://other.example/', '{*}', '')`;
    await db.$executeRaw`
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      SELECT 2, id, type, created_at, body FROM webhook_events`;
    await db.$executeRaw`
      INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
      SELECT 2, id, endpoint_id, event_id, event_type, created_at, next_attempt_at FROM pending_deliveries`;
    expect((await claim(10, 2)).map(({ companyId }) => companyId)).toEqual([1, 2, 1, 2]);
    expect(await claim(10, 2)).toEqual([]);
  });
});

test('at the default limit the first fifty deliveries are claimed, over all endpoints', async () => {
  const ids = await addDeliveries(database.db, endpointId, 60);
  const other = await addEndpoint(database.db, { url: 'https://one.example/' });
  await addDeliveries(database.db, other, 10);
  expect(await claimIds(50, 50)).toEqual(ids.slice(0, 50));
});
