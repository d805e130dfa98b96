import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { describe, expect, test } from '@jest/globals';
import { claimReady } from '../../src/claims/claim-ready.ts';
import { markDue } from '../../src/claims/mark-due.ts';
import { setRateLimit } from '../../src/endpoints/rate-limit.ts';

const LEASE_MS = 3_600_000;
const PER_MINUTE = 10;

let limited: number;
const database = emptiedDatabase(async (db) => {
  await addCompany(db);
  limited = await addEndpoint(db, { rateLimit: { create: { maxPerMinute: PER_MINUTE } } });
});

const claim = async (batch = 50, db: Parameters<typeof claimReady>[0] = database.db) => {
  const limits = { batch, endpointLimit: 1_000, workspaceLimit: 10_000, leaseMs: LEASE_MS };
  return (await claimReady(db, limits)).claims.map(({ deliveryId }) => deliveryId);
};

const readRateLimit = () =>
  database.db.endpointRateLimit.findUniqueOrThrow({
    where: { companyId_endpointId: { companyId: COMPANY, endpointId: limited } },
  });

/** Moves claims into the past. */
const letSecondsPass = (seconds: number) =>
  database.db.$executeRaw`
    UPDATE endpoint_rate_limits SET claimed_at = ARRAY(
      SELECT at - ${seconds}::int * interval '1 second' FROM unnest(claimed_at) WITH ORDINALITY AS past (at, place)
      ORDER BY place
    )`;

test('an endpoint with a rate limit gets that many claims in a minute, and its other deliveries stay ready and due', async () => {
  const ids = await addDeliveries(database.db, limited, 30);
  expect(await claim(4)).toEqual(ids.slice(0, 4));
  expect(await claim()).toEqual(ids.slice(4, 10));
  expect(await claim()).toEqual([]);
  const waiting = { ready: true, nextAttemptAt: { lte: new Date() }, claimToken: null };
  expect(await database.db.pendingDelivery.count({ where: waiting })).toBe(20);
  // A claim counts until a minute after the end of its second.
  for (const at of (await readRateLimit()).claimedAt) expect(at.getTime() % 1_000).toBe(0);
  await letSecondsPass(50);
  expect(await claim()).toEqual([]);
  await letSecondsPass(11);
  expect(await claim()).toEqual(ids.slice(10, 20));
  expect(await claim()).toEqual([]);
});

test('each claim counts from the second in which it was made', async () => {
  const ids = await addDeliveries(database.db, limited, 30);
  expect(await claim(6)).toEqual(ids.slice(0, 6));
  await letSecondsPass(40);
  expect(await claim()).toEqual(ids.slice(6, 10));
  await letSecondsPass(21);
  expect(await claim()).toEqual(ids.slice(10, 16));
  await letSecondsPass(40);
  expect(await claim()).toEqual(ids.slice(16, 20));
  expect(await claim()).toEqual([]);
});

test('other endpoints get the slots that a limited one does not use, in id order', async () => {
  const { db } = database;
  const other = await addEndpoint(db);
  const slow = await addDeliveries(db, limited, 30);
  const mine = await addDeliveries(db, other, 20);
  await addCompany(db, 2);
  const theirs = await addDeliveries(db, await addEndpoint(db, { companyId: 2 }), 20, { companyId: 2 });
  expect(await claim(45)).toEqual([...slow.slice(0, 10), ...mine.slice(0, 15), ...theirs]);
  expect(await claim(45)).toEqual(mine.slice(15));
});

test('requeued and fresh deliveries count together', async () => {
  const requeued = await addDeliveries(database.db, limited, 8, { requeued: true });
  const fresh = await addDeliveries(database.db, limited, 6);
  expect(await claim()).toEqual([...requeued.slice(0, 4), ...fresh]);
  expect(await claim()).toEqual([]);
});

test('an endpoint of another workspace with the same id has a rate limit of its own', async () => {
  const { db } = database;
  await addCompany(db, 2);
  await addEndpoint(db, { companyId: 2, id: limited });
  const mine = await addDeliveries(db, limited, 12);
  const theirs = await addDeliveries(db, limited, 12, { companyId: 2 });
  expect(await claim()).toEqual([...mine.slice(0, 10), ...theirs]);
});

describe('two dispatchers', () => {
  test('never claim more than the rate limit together', async () => {
    for (let round = 0; round < 5; round += 1) {
      await addDeliveries(database.db, limited, 20);
      const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(3)))).flat();
      for (let more = await claim(); more.length > 0; more = await claim()) claimed.push(...more);
      expect(claimed).toHaveLength(PER_MINUTE);
      await letSecondsPass(61);
    }
  });

  test('leave a limited endpoint to the one that is claiming for it, without waiting', async () => {
    const ids = await addDeliveries(database.db, limited, 20);
    const other = await addDeliveries(database.db, await addEndpoint(database.db), 1);
    await database.db.transaction(async (tx) => {
      expect(await claim(4, tx)).toEqual(ids.slice(0, 4));
      expect(await claim()).toEqual(other);
    });
    expect(await claim()).toEqual(ids.slice(4, 10));
  });

  test('do not claim other deliveries of a limited endpoint instead', async () => {
    const requeued = await addDeliveries(database.db, limited, PER_MINUTE, { requeued: true });
    await database.db.transaction(async (tx) => {
      expect(await claim(50, tx)).toEqual(requeued);
      await addDeliveries(database.db, limited, PER_MINUTE);
      expect(await claim()).toEqual([]);
    });
    expect(await claim()).toEqual([]);
  });
});

test('claims that are repeated after a loss of Redis are counted again, so no burst is sent', async () => {
  await addDeliveries(database.db, limited, 30);
  expect(await claim()).toHaveLength(PER_MINUTE);
  await database.db.pendingDelivery.updateMany({
    where: { claimToken: { not: null } },
    data: { leaseExpiresAt: new Date(0) },
  });
  expect(await markDue(database.db)).toBe(PER_MINUTE);
  expect(await claim()).toEqual([]);
});

test('times in the future, after the clock was set back, do not count', async () => {
  await addDeliveries(database.db, limited, 30);
  await claim();
  await letSecondsPass(-3_600);
  expect(await claim()).toHaveLength(PER_MINUTE);
  expect((await readRateLimit()).claimed).toEqual([PER_MINUTE]);
});

test('a rate limit stores a minute, second by second', async () => {
  const { db } = database;
  await addDeliveries(db, limited, 5);
  await db.$executeRaw`
    UPDATE endpoint_rate_limits SET
      claimed_at = ARRAY(SELECT now() - n * interval '1 second' FROM generate_series(300, 20, -1) AS n),
      claimed = ARRAY(SELECT CASE WHEN n < 60 AND n % 10 = 0 THEN 1 ELSE 0 END FROM generate_series(300, 20, -1) AS n)`;
  expect(await claim()).toHaveLength(5);
  const { claimed, claimedAt } = await readRateLimit();
  expect(claimed.length).toBeLessThanOrEqual(61);
  expect(claimedAt).toHaveLength(claimed.length);
  expect(claimed.reduce((sum, claims) => sum + claims)).toBe(9);
  await addDeliveries(db, limited, 5);
  expect(await claim()).toHaveLength(1);
});

describe('changing the rate limit', () => {
  const set = (maxPerMinute: number | null) =>
    database.db.transaction((tx) => setRateLimit(tx, COMPANY, limited, maxPerMinute));

  test('counts earlier claims', async () => {
    await addDeliveries(database.db, limited, 40);
    expect(await claim()).toHaveLength(10);
    await set(15);
    expect(await claim()).toHaveLength(5);
    await set(3);
    expect(await claim()).toEqual([]);
  });

  test('to null removes it', async () => {
    await addDeliveries(database.db, limited, 40);
    await set(null);
    expect(await claim()).toHaveLength(40);
    await set(null);
    expect(await database.db.endpointRateLimit.count()).toBe(0);
  });
});
