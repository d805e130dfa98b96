import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, type Transaction } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import {
  addAttempt,
  addDelivery,
  addEndpoint,
  readDelivery,
  readEndpoint,
} from '@deal-signals/test-kit/worlds/deliveries';
import { until } from '@deal-signals/test-kit/until';
import { miscounted } from '@deal-signals/test-kit/worlds/attempt-counts';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Attempt,
  beginAttempt,
  beginAttemptsInBatches,
  readClaims,
} from '../src/attempts/begin-attempt.ts';
import type { AttemptResult, Recorded, RecordOutcome } from '../src/attempts/outcome.ts';
import { recordOutcome, recordOutcomesInBatches } from '../src/attempts/record-outcomes.ts';
import type { Claim } from '../src/claims/claim.ts';
import { disableEndpoint, removeEndpoint } from '../src/endpoints/change-state.ts';

const RULES = { retryScheduleMs: [30_000, 120_000], maxAttempts: 3, disableAfter: 6, disableMinOutageMs: 0 };
const LEASE_MS = 60_000;
const LEASE = { leaseMs: LEASE_MS, leaseNeededMs: 20_000 };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await addCompany(db);
});
afterAll(() => database.drop());

const responded = (status: number): AttemptResult => ({
  kind: 'responded',
  status,
  excerpt: `"${status}" \\ ü`,
  durationMs: 12,
});
const timeout: AttemptResult = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 };
const closedPort: AttemptResult = { kind: 'failed', error: 'refused', revealsPort: true, durationMs: 1 };
const notSent: AttemptResult = { kind: 'not_sent', error: 'network unreachable', durationMs: 3 };

/** A database that counts its statements and transactions. */
function counted(): { db: Database; statements: () => number } {
  let statements = 0;
  class CountingDatabase extends Database {
    override query<T>(sql: Prisma.Sql): Promise<T[]> {
      statements += 1;
      return super.query(sql);
    }

    override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      statements += 1;
      return super.transaction(work);
    }
  }
  return { db: new CountingDatabase(options()), statements: () => statements };
}

const options = () => ({ url: database.url, poolSize: 5, applicationName: 'test', ...TEST_LIMITS });

/** Locks an endpoint until the returned function is called. */
async function holdEndpoint(endpointId: number): Promise<() => Promise<void>> {
  let release = () => {};
  let holding: Promise<unknown> | undefined;
  await new Promise<void>((locked, reject) => {
    holding = db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`;
      locked();
      await new Promise<void>((resolve) => (release = resolve));
    });
    holding.catch(reject);
  });
  return async () => {
    release();
    await holding;
  };
}

/** How an attempt of the comparison ends. */
interface Ending {
  result: AttemptResult;
  fields: Parameters<typeof addAttempt>[2];
  isStale: boolean;
}

describe('outcomes that are recorded together', () => {
  /** Returns a generator of random numbers with a seed. */
  function randomNumbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  function randomEnding(random: (below: number) => number): Ending {
    const results = [200, 200, 204, 500, 500, 302, timeout, timeout, notSent, closedPort, 410] as const;
    const result = results[random(random(3) === 0 ? results.length : 8)]!;
    return {
      result: typeof result === 'number' ? responded(result) : result,
      fields: {
        attempts: random(3),
        ...(random(6) === 0 && { retryRequestedAt: new Date(Date.now() + 60_000) }),
        ...(random(25) === 0 && { eventType: 'integration.ping' as const }),
      },
      isStale: random(12) === 0,
    };
  }

  /** Adds the same endpoints and attempts for each way of recording, and returns the rows that recording leaves. */
  async function recordAndRead(
    endings: readonly { endpoint: number; ending: Ending }[],
    failuresBefore: readonly number[],
    recordAll: (ended: { attempt: Attempt; result: AttemptResult }[]) => Promise<Recorded[]>,
  ) {
    const endpointIds: number[] = [];
    for (const consecutiveFailures of failuresBefore) {
      endpointIds.push(await addEndpoint(db, { consecutiveFailures }));
    }
    const [, , disabled, removed, suspended] = endpointIds;
    const ended: { attempt: Attempt; result: AttemptResult }[] = [];
    for (const { endpoint, ending } of endings) {
      const attempt = await addAttempt(db, endpointIds[endpoint]!, ending.fields);
      ended.push({
        attempt: ending.isStale ? { ...attempt, claimToken: randomUUID() } : attempt,
        result: ending.result,
      });
    }
    await db.transaction((tx) => disableEndpoint(tx, 1, disabled!, 'by the test'));
    await db.transaction((tx) => removeEndpoint(tx, 1, removed!));
    await db.webhookEndpoint.updateMany({ where: { id: suspended! }, data: { suspended: true } });
    const recorded = await recordAll(ended);
    const roughly = (moment: Date | null) =>
      moment && Math.ceil((moment.getTime() - Date.now()) / 30_000) + 0;
    const deliveries = await Promise.all(
      ended.map(async ({ attempt }) => {
        const row = await readDelivery(db, attempt.deliveryId);
        return {
          ...row,
          id: null,
          endpointId: null,
          eventId: null,
          event: null,
          createdAt: null,
          claimToken: row.claimToken !== null,
          leaseExpiresAt: row.leaseExpiresAt !== null,
          deliveredAt: row.deliveredAt !== null,
          nextAttemptAt: roughly(row.nextAttemptAt),
          attemptLog: row.attemptLog.map((one) => ({
            ...one,
            deliveryId: null,
            startedAt: null,
            traceparent: one.traceparent === attempt.traceparent,
          })),
        };
      }),
    );
    const endpoints = await Promise.all(
      endpointIds.map(async (id) => {
        const row = await readEndpoint(db, id);
        return {
          ...row,
          id: null,
          secretCiphertext: null,
          createdAt: null,
          removedAt: null,
          failingSince: row.failingSince !== null,
          lastSuccessAt: row.lastSuccessAt !== null,
          lastErrorAt: row.lastErrorAt !== null,
        };
      }),
    );
    const audited = await db.auditRecord.findMany({
      where: { objectId: { in: endpointIds.map(String) } },
      select: { action: true, details: true, objectId: true },
      orderBy: { id: 'asc' },
    });
    const audit = audited.map(({ objectId, ...one }) => ({
      ...one,
      at: endpointIds.indexOf(Number(objectId)),
    }));
    // The two ways may begin in different minutes, so their counts are summed. `miscounted` checks each minute and hour.
    const countRows = await db.attemptCount.groupBy({
      by: ['endpointId', 'width'],
      where: { endpointId: { in: endpointIds } },
      _sum: { delivered: true, failed: true, notSent: true, dead: true, durationMs: true },
      _max: { slowestMs: true },
      orderBy: [{ endpointId: 'asc' }, { width: 'asc' }],
    });
    const counts = countRows.map(({ endpointId, ...one }) => ({
      ...one,
      at: endpointIds.indexOf(endpointId),
    }));
    return { recorded, deliveries, endpoints, audit, counts, miscounted: await miscounted(db) };
  }

  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    'leave the same rows as when they are recorded one after the other (seed %d)',
    async (seed) => {
      const random = randomNumbers(seed);
      const endings = Array.from({ length: 40 }, () => ({
        endpoint: random(6),
        ending: randomEnding(random),
      }));
      const failuresBefore = Array.from({ length: 6 }, () => random(5));
      const oneByOne = await recordAndRead(endings, failuresBefore, async (ended) => {
        const recorded: Recorded[] = [];
        for (const { attempt, result } of ended)
          recorded.push(await recordOutcome(db, RULES, attempt, result));
        return recorded;
      });
      const together = await recordAndRead(endings, failuresBefore, (ended) => {
        const record = recordOutcomesInBatches(db, RULES);
        return Promise.all(ended.map(({ attempt, result }) => record(attempt, result)));
      });
      // Endpoints are recorded in any order, so audit records of different endpoints may be in another order.
      const byEndpoint = (one: { at: number }, other: { at: number }) => one.at - other.at;
      expect({ ...together, audit: together.audit.toSorted(byEndpoint) }).toEqual({
        ...oneByOne,
        audit: oneByOne.audit.toSorted(byEndpoint),
      });
      expect(together.miscounted).toEqual([]);
    },
  );

  let record: RecordOutcome;
  let counting: ReturnType<typeof counted>;
  beforeEach(() => {
    counting = counted();
    record = recordOutcomesInBatches(counting.db, RULES);
  });
  afterEach(() => counting.db.close());
  const attemptsAt = (endpointId: number, count: number) =>
    Promise.all(Array.from({ length: count }, () => addAttempt(db, endpointId)));

  test('take two statements for fifty attempts that end at once: one for the first, one for the others', async () => {
    const attempts = (
      await Promise.all([addEndpoint(db), addEndpoint(db)].map(async (id) => attemptsAt(await id, 25)))
    ).flat();
    const recorded = await Promise.all(attempts.map((attempt) => record(attempt, responded(200))));
    expect(recorded.every((one) => one.written && one.status === 'delivered')).toBe(true);
    expect(counting.statements()).toBe(2);
  });

  test('wait for a locked endpoint in one statement, and delay no other endpoint', async () => {
    const held = await addEndpoint(db);
    const free = await addEndpoint(db);
    const release = await holdEndpoint(held);
    let heldRecorded = 0;
    const waiting = (await attemptsAt(held, 30)).map((attempt) =>
      record(attempt, timeout).finally(() => (heldRecorded += 1)),
    );
    const others = await attemptsAt(free, 10);
    expect(await Promise.all(others.map((attempt) => record(attempt, responded(200))))).toHaveLength(10);
    expect(heldRecorded).toBe(0);
    const blocked = await db.$queryRaw<unknown[]>`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(blocked.length).toBeLessThanOrEqual(1);
    await release();
    expect((await Promise.all(waiting)).filter((one) => one.written && one.endpointDisabled)).toHaveLength(1);
    expect(await readEndpoint(db, held)).toMatchObject({ enabled: false, consecutiveFailures: 30 });
  });

  test('are counted in the order in which they ended, even if the endpoint is unlocked in between', async () => {
    const endpointId = await addEndpoint(db);
    const [failed, succeeded] = await attemptsAt(endpointId, 2);
    const release = await holdEndpoint(endpointId);
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    let asked = 0;
    // The endpoint is unlocked as soon as the first batch has skipped it, while the batch that waits for it cannot start yet.
    class SlowDatabase extends Database {
      override async query<T>(sql: Prisma.Sql): Promise<T[]> {
        const place = (asked += 1);
        if (place === 2) await gate;
        const rows = await super.query<T>(sql);
        if (place === 1) await release();
        return rows;
      }
    }
    const slow = new SlowDatabase(options());
    const inBatches = recordOutcomesInBatches(slow, RULES);
    const recordings = [inBatches(failed!, timeout), inBatches(succeeded!, responded(200))] as const;
    await Promise.race([recordings[1], sleep(500)]);
    openGate();
    await Promise.all(recordings);
    await slow.close();
    expect(await readEndpoint(db, endpointId)).toMatchObject({ consecutiveFailures: 0 });
  });

  test('record the others if one cannot be written', async () => {
    const endpointId = await addEndpoint(db);
    const attempts = await attemptsAt(endpointId, 8);
    const poisoned = attempts[4]!;
    const at = {
      companyId: poisoned.companyId,
      deliveryId: poisoned.deliveryId,
      number: 1,
      startedAt: new Date(),
      durationMs: 1,
    };
    await db.webhookAttempt.create({ data: at });
    const recorded = await Promise.allSettled(attempts.map((attempt) => record(attempt, responded(200))));
    expect(recorded.map(({ status }) => status)).toEqual(
      attempts.map((attempt) => (attempt === poisoned ? 'rejected' : 'fulfilled')),
    );
    expect(await db.webhookDelivery.count({ where: { endpointId, status: 'delivered' } })).toBe(7);
  });

  test('do not deadlock when several workers record at the same endpoints', async () => {
    const endpointIds: number[] = [];
    for (let n = 0; n < 10; n += 1) endpointIds.push(await addEndpoint(db));
    const attempts = (await Promise.all(endpointIds.map((id) => attemptsAt(id, 12)))).flat();
    const workers = Array.from({ length: 3 }, () => recordOutcomesInBatches(db, RULES));
    const shuffled = attempts.map((attempt, n) => ({ attempt, place: (n * 37) % attempts.length }));
    const recorded = await Promise.all(
      shuffled
        .toSorted((one, other) => one.place - other.place)
        .map(({ attempt, place }) => workers[place % 3]!(attempt, responded(place % 7 === 0 ? 500 : 200))),
    );
    expect(recorded.every(({ written }) => written)).toBe(true);
  });
});

describe('attempts that begin together', () => {
  /** Deliveries that were just claimed. */
  async function claimsAt(endpointId: number, count: number): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (let n = 0; n < count; n += 1) {
      const claimToken = randomUUID();
      const leaseExpiresAt = new Date(Date.now() + LEASE_MS);
      const deliveryId = await addDelivery(db, endpointId, { ready: false, claimToken, leaseExpiresAt });
      claims.push({ companyId: 1, deliveryId, claimToken });
    }
    return claims;
  }

  test('take two statements for twenty claims: one for the first, one for the others', async () => {
    const counting = counted();
    const begin = beginAttemptsInBatches(counting.db, LEASE);
    const claims = await claimsAt(await addEndpoint(db), 20);
    const begun = await Promise.all(claims.map(begin));
    expect(begun.map(({ kind }) => kind)).toEqual(claims.map(() => 'begun'));
    expect(counting.statements()).toBe(2);
    await counting.db.close();
    for (const [n, one] of begun.entries()) {
      expect(one).toMatchObject({ attempt: { deliveryId: claims[n]!.deliveryId, attemptNumber: 1 } });
    }
  });

  test('write nothing while enough of the lease is left, and begin only with the right token and workspace', async () => {
    const [first, second, stale, foreign] = await claimsAt(await addEndpoint(db), 4);
    const begin = beginAttemptsInBatches(db, LEASE);
    const versions = () =>
      db.$queryRaw`SELECT id, xmin::text FROM pending_deliveries ORDER BY company_id, id`;
    const before = await versions();
    const begun = await Promise.all(
      [first!, second!, { ...stale!, claimToken: randomUUID() }, { ...foreign!, companyId: 2 }].map(begin),
    );
    expect(begun.map(({ kind }) => kind)).toEqual(['begun', 'begun', 'stale', 'stale']);
    expect(begun[0]).toMatchObject({ attempt: { claimToken: first!.claimToken } });
    expect(await versions()).toEqual(before);
  });

  test('renew a lease of which too little is left, under the same token, unless the claim is no longer held', async () => {
    const [short, lost] = await claimsAt(await addEndpoint(db), 2);
    await db.pendingDelivery.updateMany({
      where: { id: short!.deliveryId },
      data: { leaseExpiresAt: new Date(Date.now() + 19_000) },
    });
    const begin = beginAttemptsInBatches(db, LEASE);
    expect(await begin(short!)).toMatchObject({
      kind: 'begun',
      attempt: { ...short!, leaseLeftMs: LEASE_MS },
    });
    const { leaseExpiresAt, claimToken } = await readDelivery(db, short!.deliveryId);
    expect(claimToken).toBe(short!.claimToken);
    expect(leaseExpiresAt!.getTime()).toBeGreaterThan(Date.now() + 50_000);

    await db.pendingDelivery.updateMany({
      where: { id: lost!.deliveryId },
      data: { leaseExpiresAt: new Date() },
    });
    let beginning: Promise<{ kind: string }> | undefined;
    await db.transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE pending_deliveries SET claim_token = gen_random_uuid() WHERE id = ${lost!.deliveryId}`;
      beginning = begin(lost!);
      await until('the renewal to wait for the row', async () => {
        const [{ count } = { count: 0 }] = await db.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted`;
        return count > 0;
      });
    });
    expect(await beginning).toEqual({ kind: 'stale' });
  });

  test('send two requests and record one outcome for a job that runs twice', async () => {
    const [claim] = await claimsAt(await addEndpoint(db), 1);
    const begin = beginAttemptsInBatches(db, LEASE);
    const begun = await Promise.all([claim!, claim!].map(begin));
    const outcomes = await Promise.all(
      begun.map((one) => recordOutcome(db, RULES, (one as { attempt: Attempt }).attempt, responded(200))),
    );
    expect(outcomes.filter(({ written }) => written)).toHaveLength(1);
    const { attemptLog } = await readDelivery(db, claim!.deliveryId);
    expect(attemptLog).toHaveLength(1);
  });

  test('put the delivery of a disabled endpoint on hold and send the others', async () => {
    const disabled = await claimsAt(await addEndpoint(db, { enabled: false }), 1);
    const enabled = await claimsAt(await addEndpoint(db), 3);
    const begin = beginAttemptsInBatches(db, LEASE);
    const begun = await Promise.all([...enabled, ...disabled].map(begin));
    expect(begun.map(({ kind }) => kind)).toEqual(['begun', 'begun', 'begun', 'on hold']);
  });

  test('do not wait for a locked delivery', async () => {
    const claims = await claimsAt(await addEndpoint(db), 4);
    const begin = beginAttemptsInBatches(db, LEASE);
    await db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM pending_deliveries WHERE id = ${claims[2]!.deliveryId} FOR UPDATE`;
      const begun = await Promise.all(claims.map(begin));
      expect(begun.map(({ kind }) => kind)).toEqual(claims.map(() => 'begun'));
    });
  });

  test('read neither the other claims of the workspace nor the table', async () => {
    const endpointId = await addEndpoint(db);
    const claims = await claimsAt(endpointId, 40);
    await db.$executeRaw`ANALYZE pending_deliveries`;
    const read = await db.transaction(async (tx) => {
      const rowsRead = async () => {
        const [row] = await tx.$queryRaw<{ rows: number }[]>`
          SELECT (seq_tup_read + idx_tup_fetch)::int AS rows
          FROM pg_stat_xact_user_tables WHERE relname = 'pending_deliveries'`;
        return row!.rows;
      };
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      const before = await rowsRead();
      await readClaims(tx, claims.slice(0, 2));
      return (await rowsRead()) - before;
    });
    // No reads of the 38 other claims.
    expect(read).toBe(2);
  });

  test('have the same fields as attempts that begin one by one', async () => {
    const endpointId = await addEndpoint(db);
    const [alone, grouped] = await claimsAt(endpointId, 2);
    const one = await beginAttempt(db, alone!, LEASE);
    const other = await beginAttemptsInBatches(db, LEASE)(grouped!);
    const comparable = (beginning: typeof one) =>
      beginning.kind === 'stale' ? null : Object.keys(beginning.attempt).toSorted();
    expect(comparable(other)).toEqual(comparable(one));
  });
});

test('a process with a pool of one connection records outcomes', async () => {
  const small = new Database({ ...options(), poolSize: 1 });
  try {
    const record = recordOutcomesInBatches(small, RULES);
    const endpointId = await addEndpoint(db);
    const attempts = await Promise.all(Array.from({ length: 20 }, () => addAttempt(db, endpointId)));
    const recorded = await Promise.all(
      attempts.map((attempt, n) => record(attempt, n === 10 ? responded(410) : responded(200))),
    );
    expect(recorded.filter((one) => one.written && one.endpointDisabled)).toHaveLength(1);
  } finally {
    await small.close();
  }
});
