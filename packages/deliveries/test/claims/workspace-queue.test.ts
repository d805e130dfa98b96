import type { Transaction } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { NOTHING } from '@deal-signals/outbox/about';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { addDeliveries, addDelivery, addEndpoint, DEAD } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../src/claims/claim.ts';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { markDue } from '../../src/claims/mark-due.ts';
import { rotateWorkspaces } from '../../src/claims/workspace-queue.ts';
import { releaseClaims } from '../../src/claims/release-claims.ts';
import { disableEndpoint, enableEndpoint } from '../../src/endpoints/change-state.ts';
import { reconcileEndpoint } from '../../src/endpoints/reconcile.ts';
import { retryDead, retryDelivery } from '../../src/admin-actions/retry.ts';

const LEASE_MS = 3_600_000;
const LIMITS = { batch: 50, endpointLimit: 50, workspaceLimit: 1_000, leaseMs: LEASE_MS };
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

let endpointId: number;
const database = emptiedDatabase(async (db) => {
  await addCompany(db);
  endpointId = await addEndpoint(db);
});

async function tick(): Promise<bigint[]> {
  const { db } = database;
  const { claims, workspaces } = await claimReady(db, LIMITS);
  await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
  return claims.map(({ deliveryId }) => deliveryId);
}
const rotate = () => database.db.transaction((tx) => rotateWorkspaces(tx, [COMPANY]));
const entries = () => database.db.queuedWorkspace.count({ where: { companyId: COMPANY } });

/** All writes that make deliveries ready: each entry prepares its input and returns the write. */
const WRITERS: Record<string, () => Promise<(tx: Transaction) => Promise<unknown>>> = {
  'a captured event': async () => (tx) => {
    const feed = { tx, companyId: COMPANY, at: new Date(), takeIds: () => feedId() };
    const event = {
      type: 'engagement.recorded',
      objectId: '1',
      position: 1n,
      data: {},
      about: NOTHING,
    } as const;
    return recordEvents(
      feed as unknown as FeedTransaction,
      [event],
      [{ id: endpointId, events: ['*'], filter: null }],
    );
  },
  'a retry': async () => {
    const id = await addDelivery(database.db, endpointId, DEAD);
    return (tx) => retryDelivery(tx, COMPANY, endpointId, id);
  },
  'a retry of dead letters': async () => {
    await addDelivery(database.db, endpointId, DEAD);
    return (tx) => retryDead(tx, COMPANY, endpointId, {});
  },
  'an enabled endpoint': async () => {
    await addDelivery(database.db, endpointId);
    await database.db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'by a test'));
    return (tx) => enableEndpoint(tx, COMPANY, endpointId);
  },
  'an endpoint that reconciles': async () => {
    await addDelivery(database.db, endpointId, { nextAttemptAt: null, ready: false });
    return (tx) => reconcileEndpoint(tx, COMPANY, endpointId, 'open');
  },
  'a delivery that is due': async () => {
    await addDelivery(database.db, endpointId, { ready: false, nextAttemptAt: AN_HOUR_AGO });
    return (tx) => markDue(tx);
  },
  'a released claim': async () => {
    await addDelivery(database.db, endpointId);
    const { claims } = await claimReady(database.db, LIMITS);
    // A single statement, so the transaction of the test can replace the database.
    return (tx) => releaseClaims(tx as typeof database.db, claims);
  },
};

describe.each(Object.keys(WRITERS))('%s', (name) => {
  test('adds its workspace to the queue', async () => {
    const write = await WRITERS[name]!();
    await database.db.queuedWorkspace.deleteMany();
    await database.db.transaction(write);
    expect(await entries()).toBe(1);
    expect(await tick()).toHaveLength(1);
  });

  test('is found after a tick that ran before its commit and saw an idle workspace', async () => {
    const write = await WRITERS[name]!();
    await rotate();
    await database.db.transaction(async (tx) => {
      await write(tx);
      expect(await tick()).toEqual([]);
      await rotate();
    });
    expect(await entries()).toBe(1);
    expect(await tick()).toHaveLength(1);
  });

  test('is found if the workspace was already in the queue and its entry is about to be removed', async () => {
    const { db } = database;
    const write = await WRITERS[name]!();
    await rotate();
    await db.queuedWorkspace.create({ data: { companyId: COMPANY } });
    await db.transaction(async (tx) => {
      // The entry no longer counts: a dispatcher that reads now sees nothing ready.
      await write(tx);
      expect(await tick()).toEqual([]);
      await rotate();
      expect(await entries()).toBeGreaterThanOrEqual(1);
    });
    expect(await tick()).toHaveLength(1);
  });

  test('does not wait for a tick that is removing the entry, and adds the workspace again', async () => {
    const { db } = database;
    const write = await WRITERS[name]!();
    await rotate();
    await db.queuedWorkspace.create({ data: { companyId: COMPANY } });
    await db.transaction(async (removal) => {
      await rotateWorkspaces(removal, [COMPANY]);
      // Another transaction commits before the removal is committed.
      await db.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL lock_timeout = 5000`;
        await write(tx);
      });
    });
    expect(await entries()).toBe(1);
    expect(await tick()).toHaveLength(1);
  });
});

test('a workspace without ready deliveries leaves the queue', async () => {
  await addDeliveries(database.db, endpointId, 3);
  expect(await tick()).toHaveLength(3);
  expect(await entries()).toBe(0);
  expect(await tick()).toEqual([]);
});

test('a workspace whose deliveries were put on hold leaves the queue', async () => {
  await addDeliveries(database.db, endpointId, 3);
  await database.db.transaction((tx) => disableEndpoint(tx, COMPANY, endpointId, 'by a test'));
  expect(await entries()).toBe(1);
  expect(await tick()).toEqual([]);
  expect(await entries()).toBe(0);
});

test('a tick that ends between its claim and the rotation loses no delivery', async () => {
  await addDeliveries(database.db, endpointId, 60);
  await claimReady(database.db, { ...LIMITS, endpointLimit: 100 });
  expect((await claimReady(database.db, { ...LIMITS, endpointLimit: 100 })).claims).toHaveLength(10);
});

test('two concurrent dispatchers keep one entry for each workspace and claim no delivery twice', async () => {
  const { db } = database;
  const COMPANIES = 30;
  for (let companyId = 2; companyId <= COMPANIES; companyId += 1) {
    await addCompany(db, companyId);
    await addDeliveries(db, await addEndpoint(db, { companyId }), 30, { companyId });
  }
  const claimed: bigint[] = [];
  for (let n = 0; n < 5; n += 1) claimed.push(...(await Promise.all([tick(), tick()])).flat());
  expect(new Set(claimed).size).toBe(claimed.length);
  // At least five ticks of one dispatcher, in addition to those that interfere with the other.
  expect(claimed.length).toBeGreaterThanOrEqual(5 * LIMITS.batch);
  const all = await db.queuedWorkspace.findMany();
  expect(new Set(all.map(({ companyId }) => companyId)).size).toBe(COMPANIES - 1);
  expect(all).toHaveLength(COMPANIES - 1);
});

test('no delivery is left behind while many write and two dispatchers tick', async () => {
  const { db } = database;
  const COMPANIES = [COMPANY, 2, 3];
  for (const companyId of COMPANIES.slice(1)) {
    await addCompany(db, companyId);
    await addEndpoint(db, { companyId });
  }
  const writing = new AbortController();
  const claimed: string[] = [];
  async function claim(): Promise<Claim[]> {
    const { claims, workspaces } = await claimReady(db, LIMITS);
    await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
    claimed.push(...claims.map(({ companyId, deliveryId }) => `${companyId} ${deliveryId}`));
    return claims;
  }
  async function dispatch(): Promise<void> {
    while (!writing.signal.aborted) {
      const claims = await claim();
      // Attempts end at once, so that no endpoint reaches its limit and every workspace becomes idle repeatedly.
      await db.pendingDelivery.deleteMany({
        where: { claimToken: { in: claims.map(({ claimToken }) => claimToken) } },
      });
    }
  }
  async function capture(companyId: number): Promise<void> {
    for (let n = 0; n < 100; n += 1) {
      await inFeedTransaction(db, companyId, async (feed) => {
        const subscribers = await findSubscribers(feed.tx, companyId);
        const event = { type: 'engagement.recorded', objectId: '1', position: feed.at } as const;
        await recordEvents(feed, [{ ...event, data: {}, about: NOTHING }], subscribers);
        // Some commit late, so that ticks run between the write and its commit.
        await feed.tx.$queryRaw`SELECT pg_sleep(random() * 0.005)::text`;
      });
    }
  }
  const dispatchers = [dispatch(), dispatch()];
  await Promise.all(COMPANIES.map(capture));
  writing.abort();
  await Promise.all(dispatchers);
  while ((await claim()).length > 0);
  expect(new Set(claimed).size).toBe(claimed.length);
  expect(claimed).toHaveLength(100 * COMPANIES.length);
  expect(await db.pendingDelivery.count({ where: { ready: true } })).toBe(0);
  await tick();
  expect(await db.queuedWorkspace.count()).toBe(0);
});
