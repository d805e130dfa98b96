import { feedId } from '@deal-signals/test-kit/worlds/ids';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import { type Attempt, beginAttempt } from '../../src/attempts/begin-attempt.ts';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { rotateWorkspaces } from '../../src/claims/workspace-queue.ts';
import { MAX_RETRIED, retryDead } from '../../src/admin-actions/retry.ts';

const CONTRACT_BATCH = 50;
const LEASE_MS = 3_600_000;

const database = emptiedDatabase();

/** Adds a workspace with one endpoint, and returns the endpoint's id. */
async function addWorkspace(companyId: number): Promise<number> {
  await addCompany(database.db, companyId);
  return addEndpoint(database.db, { companyId });
}

/**
 * Adds workspaces with one endpoint and some ready deliveries each, numbered from `first`; the delivery ids are in this order.
 */
async function addWorkspaces(first: number, count: number, deliveries: number): Promise<number[]> {
  const companyIds = Array.from({ length: count }, (_, n) => first + n);
  for (const companyId of companyIds) {
    await addDeliveries(database.db, await addWorkspace(companyId), deliveries, { companyId });
  }
  return companyIds;
}

/** Copies a pending delivery within its workspace, for the given endpoints. */
async function multiply(id: bigint, endpointIds: readonly number[], countEach: number): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    SELECT company_id, ${feedId()}::bigint + row_number() OVER (), endpoint.id, event_id, event_type, created_at, next_attempt_at
    FROM pending_deliveries AS delivery
    CROSS JOIN generate_series(1, ${countEach}::int)
    CROSS JOIN unnest(${[...endpointIds]}::int[]) AS endpoint (id)
    WHERE delivery.id = ${id}`;
}

interface Tick {
  batch?: number;
  endpointLimit?: number;
  workspaceLimit?: number;
}

/** Claims like one tick, and returns the claimed deliveries in id order. */
async function tick({
  batch = CONTRACT_BATCH,
  endpointLimit = CONTRACT_BATCH,
  workspaceLimit = 10_000,
}: Tick = {}) {
  const { db } = database;
  const { claims, workspaces } = await claimReady(db, {
    batch,
    endpointLimit,
    workspaceLimit,
    leaseMs: LEASE_MS,
  });
  await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
  return claims;
}
const idsOf = (claims: { deliveryId: bigint }[]) => claims.map(({ deliveryId }) => deliveryId);
const workspacesOf = (claims: { companyId: number }[]) => claims.map(({ companyId }) => companyId);

/** The number of claims of each workspace. */
function shares(claims: { companyId: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { companyId } of claims) counts[companyId] = (counts[companyId] ?? 0) + 1;
  return counts;
}

describe('the batch of a tick', () => {
  test('is shared round by round, regardless of the order of arrival', async () => {
    await addWorkspaces(1, 1, 100);
    await addWorkspaces(2, 1, 3);
    await addWorkspaces(3, 1, 100);
    expect(shares(await tick({ batch: 10 }))).toEqual({ 1: 4, 2: 3, 3: 3 });
    expect(shares(await tick({ batch: 10 }))).toEqual({ 1: 5, 3: 5 });
  });

  test('gives the slots of the last round to the workspaces whose deliveries are oldest', async () => {
    const [first, second, third] = [await addWorkspace(1), await addWorkspace(2), await addWorkspace(3)];
    const { db } = database;
    const newest = { companyId: 1 };
    const old = await addDeliveries(db, third, 3, { companyId: 3 });
    const young = await addDeliveries(db, second, 3, { companyId: 2 });
    await addDeliveries(db, first, 3, newest);
    // One round takes three slots. The fourth and the fifth go to the two oldest deliveries.
    expect(idsOf(await tick({ batch: 5 }))).toEqual([
      ...old.slice(0, 2),
      ...young.slice(0, 2),
      expect.any(BigInt),
    ]);
  });

  test('goes to one workspace if no other has due deliveries, in id order over its endpoints', async () => {
    const { db } = database;
    const endpoints = [await addWorkspace(1), await addEndpoint(db), await addEndpoint(db)];
    await addWorkspace(2);
    const ids: bigint[] = [];
    for (let n = 0; n < 90; n += 1) ids.push(await addDelivery(db, endpoints[(n * n) % 3]!));
    expect(idsOf(await tick({ endpointLimit: 100 }))).toEqual(ids.slice(0, 50));
    expect(idsOf(await tick({ endpointLimit: 100 }))).toEqual(ids.slice(50));
  });

  test('leaves room for other workspaces when many endpoints of one workspace hang', async () => {
    const { db } = database;
    const endpoints = [await addWorkspace(1), await addEndpoint(db), await addEndpoint(db)];
    const [id] = await addDeliveries(db, endpoints[0]!, 1);
    await multiply(id!, endpoints, 40);
    const limits = { endpointLimit: 30, workspaceLimit: 75 };
    expect(await tick(limits)).toHaveLength(50);
    expect(await tick(limits)).toHaveLength(25);
    expect(await tick(limits)).toEqual([]);
    const quiet = await addDelivery(db, await addWorkspace(2), { companyId: 2 });
    expect(idsOf(await tick(limits))).toEqual([quiet]);
  });

  test('gives the slots that a limit keeps a workspace from using to the others', async () => {
    const { db } = database;
    const hanging = await addWorkspace(1);
    await addDeliveries(db, hanging, 2);
    await addDeliveries(db, hanging, 20, { requeued: true });
    const endpoints = [await addWorkspace(2)];
    while (endpoints.length < 4) endpoints.push(await addEndpoint(db, { companyId: 2 }));
    for (const endpointId of endpoints) await addDeliveries(db, endpointId, 5, { companyId: 2 });
    expect(shares(await tick({ batch: 10, endpointLimit: 2 }))).toEqual({ 1: 2, 2: 8 });
  });

  test('takes each workspace in id order', async () => {
    const { db } = database;
    const endpoints = [await addWorkspace(1), await addEndpoint(db)];
    const other = await addWorkspace(2);
    const mine: bigint[] = [];
    for (let n = 0; n < 20; n += 1) {
      mine.push(await addDelivery(db, endpoints[n % 2]!));
      await addDelivery(db, other, { companyId: 2 });
    }
    const claimed = await tick({ batch: 12 });
    expect(idsOf(claimed.filter(({ companyId }) => companyId === 1))).toEqual(mine.slice(0, 6));
  });

  test('counts a workspace with several queue entries once', async () => {
    await addWorkspaces(1, 2, 20);
    await database.db
      .$executeRaw`INSERT INTO workspace_queue (company_id) SELECT 1 FROM generate_series(1, 3)`;
    expect(shares(await tick({ batch: 10 }))).toEqual({ 1: 5, 2: 5 });
    expect(await database.db.queuedWorkspace.count()).toBe(2);
  });
});

describe('the next claim includes a single event of a quiet workspace', () => {
  test('when a workspace with 100 endpoints has a backlog', async () => {
    const { db } = database;
    const first = await addWorkspace(1);
    const endpoints = [first];
    while (endpoints.length < 100) endpoints.push(await addEndpoint(db));
    await multiply(await addDelivery(db, first), endpoints, 50);
    await tick();
    const quiet = await addDelivery(db, await addWorkspace(2), { companyId: 2 });
    const claimed = await tick();
    expect(idsOf(claimed)).toContain(quiet);
    expect(claimed).toHaveLength(CONTRACT_BATCH);
  });

  test('when another workspace has requeued dead letters', async () => {
    const { db } = database;
    const endpointId = await addWorkspace(1);
    const id = await addDelivery(db, endpointId, DEAD);
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at)
      SELECT company_id, id + n, endpoint_id, event_id, event_type, status, attempts, created_at
      FROM webhook_deliveries CROSS JOIN generate_series(1, ${MAX_RETRIED}::int) AS n WHERE id = ${id}`;
    const retried = await db.transaction((tx) => retryDead(tx, 1, endpointId, {}));
    expect(retried).toMatchObject({ count: MAX_RETRIED });
    await tick({ endpointLimit: MAX_RETRIED });
    const quiet = await addDelivery(db, await addWorkspace(2), { companyId: 2 });
    expect(idsOf(await tick({ endpointLimit: MAX_RETRIED }))).toContain(quiet);
  });
});

describe('with more workspaces than slots', () => {
  const WORKSPACES = 120;

  test('each is served in its turn, and none twice before', async () => {
    const all = await addWorkspaces(1, WORKSPACES, 3);
    const turns = [await tick(), await tick(), await tick()].map(workspacesOf);
    expect(turns.map(({ length }) => length)).toEqual([50, 50, 50]);
    expect(new Set(turns.flat())).toEqual(new Set(all));
    // The slots that remain after all 120 go to those that were served first.
    expect(new Set(turns[2])).toEqual(new Set([...all.slice(100), ...all.slice(0, 30)]));
  });

  test('the last one waits for those before it, but not for their next deliveries', async () => {
    await addWorkspaces(1, WORKSPACES, 30);
    const quiet = await addDelivery(database.db, await addWorkspace(500), { companyId: 500 });
    await tick();
    await tick();
    expect(idsOf(await tick())).toContain(quiet);
  });

  test('60 whose endpoints are all at their limit do not keep the others out', async () => {
    const blocked = await addWorkspaces(1, 60, 3);
    expect(await tick({ batch: 60, endpointLimit: 1 })).toHaveLength(60);
    const [free] = await addWorkspaces(500, 1, 1);
    const seen = [
      ...(await tick({ endpointLimit: 1 })),
      ...(await tick({ endpointLimit: 1 })),
      ...(await tick({ endpointLimit: 1 })),
    ];
    expect(workspacesOf(seen)).toEqual([free]);
    // They are still in the queue, for when their claims have ended.
    const queue = await database.db.queuedWorkspace.findMany({ orderBy: { companyId: 'asc' } });
    expect(queue.map(({ companyId }) => companyId)).toEqual(blocked);
  });
});

describe('requeued dead letters', () => {
  test('come after the fresh deliveries of their workspace, at any endpoint', async () => {
    const { db } = database;
    const endpoints = [await addWorkspace(1), await addEndpoint(db)];
    const retried = await addDeliveries(db, endpoints[0]!, 10, DEAD);
    await db.transaction((tx) => retryDead(tx, 1, endpoints[0]!, {}));
    const fresh = [
      ...(await addDeliveries(db, endpoints[0]!, 5)),
      ...(await addDeliveries(db, endpoints[1]!, 5)),
    ];
    expect(idsOf(await tick({ batch: 7 }))).toEqual(fresh.slice(0, 7));
    // The result of a claim is in id order, so only the set of deliveries matters.
    expect(idsOf(await tick({ batch: 7 }))).toEqual([...retried.slice(0, 4), ...fresh.slice(7)]);
    expect(idsOf(await tick({ batch: 7 }))).toEqual(retried.slice(4));
  });

  test('get the same share of a tick as the fresh deliveries of another workspace', async () => {
    const { db } = database;
    const endpointId = await addWorkspace(1);
    await addDeliveries(db, endpointId, 10, DEAD);
    await db.transaction((tx) => retryDead(tx, 1, endpointId, {}));
    await addWorkspaces(2, 1, 10);
    expect(shares(await tick({ batch: 6 }))).toEqual({ 1: 3, 2: 3 });
  });

  test('still come after the fresh ones when an attempt has failed', async () => {
    const { db } = database;
    const endpointId = await addWorkspace(1);
    const id = await addDelivery(db, endpointId, DEAD);
    await db.transaction((tx) => retryDead(tx, 1, endpointId, {}));
    const [claim] = await tick();
    const beginning = await beginAttempt(db, claim!, { leaseMs: LEASE_MS, leaseNeededMs: 30_000 });
    expect(await readDelivery(db, id)).toMatchObject({ requeued: true });
    const rules = { retryScheduleMs: [30_000], maxAttempts: 8, disableAfter: 20, disableMinOutageMs: 0 };
    const failure = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 } as const;
    await recordOutcome(db, rules, (beginning as { attempt: Attempt }).attempt, failure);
    expect(await readDelivery(db, id)).toMatchObject({ status: 'pending', requeued: true });
  });

  test('do not count twice against the limit of their endpoint', async () => {
    const { db } = database;
    const endpointId = await addWorkspace(1);
    const retried = await addDeliveries(db, endpointId, 10, DEAD);
    await db.transaction((tx) => retryDead(tx, 1, endpointId, {}));
    const fresh = await addDeliveries(db, endpointId, 3);
    expect(idsOf(await tick({ endpointLimit: 5 }))).toEqual([...retried.slice(0, 2), ...fresh]);
  });
});
