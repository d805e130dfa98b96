import { Database, type Transaction } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { ALERT_EVENTS } from '@deal-signals/outbox/alert-events';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import { addAlertChannel } from '@deal-signals/test-kit/worlds/alert-channels';
import { addAttempt, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AttemptResult, OutcomeRules } from '../../src/attempts/outcome.ts';
import { recordOutcome, recordOutcomesInBatches } from '../../src/attempts/record-outcomes.ts';
import { writeOutcomes } from '../../src/attempts/write-outcomes.ts';
import { disableEndpoint, enableEndpoint } from '../../src/endpoints/change-state.ts';
import { claimAlerts, completeAlert, MAX_READ, postponeAlert } from '../../src/alerts/claim-alerts.ts';

// Which alerts are inserted, and when.

const RULES: OutcomeRules = {
  retryScheduleMs: [30_000],
  maxAttempts: 3,
  disableAfter: 20,
  disableMinOutageMs: 0,
};
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let channel: number;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, COMPANY);
  await addCompany(database.db, COMPANY + 1);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.alert.deleteMany();
  await database.db.alertChannel.deleteMany();
  channel = await addAlertChannel(database.db);
});

const responded = (status: number): AttemptResult => ({
  kind: 'responded',
  status,
  excerpt: '',
  durationMs: 12,
});
const timeout: AttemptResult = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 };

async function record(endpointId: number, result: AttemptResult, rules = RULES, fields = {}) {
  return recordOutcome(
    database.db,
    rules,
    await addAttempt(database.db, endpointId, { nextAttemptAt: new Date(), ...fields }),
    result,
  );
}

/** Returns event, count and consecutive failures of each alert of an endpoint and channel. */
async function alertsOf(endpointId: number, channelId = channel) {
  const rows = await database.db.alert.findMany({
    where: { endpointId, channelId },
    orderBy: { event: 'asc' },
  });
  return rows.map(({ event, count, consecutiveFailures }) => [event, count, consecutiveFailures]);
}

const beginOutage = (endpointId: number, forMs: number) =>
  database.db.webhookEndpoint.updateMany({
    where: { id: endpointId },
    data: { failingSince: new Date(Date.now() - forMs) },
  });

describe('without a minimum outage', () => {
  test('the tenth and the eighteenth consecutive failure insert alerts, and the twentieth the one that the endpoint was disabled', async () => {
    const endpointId = await addEndpoint(database.db);
    const counts: unknown[] = [];
    for (let n = 1; n <= 20; n += 1) {
      await record(endpointId, timeout);
      counts.push((await alertsOf(endpointId)).find(([event]) => event === 'endpoint.failing')?.[1] ?? 0);
    }
    expect(counts).toEqual([...Array<number>(9).fill(0), ...Array<number>(8).fill(1), 2, 2, 2]);
    expect(await alertsOf(endpointId)).toEqual([
      ['endpoint.disabled', 1, 20],
      ['endpoint.failing', 2, 18],
    ]);
    const rows = await database.db.alert.findMany({ where: { endpointId } });
    expect(rows.map(({ lastError }) => lastError)).toEqual([
      'timeout after 10000 ms',
      'timeout after 10000 ms',
    ]);
  });

  test('a batch that crosses both levels inserts one alert, with the number at its end', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const group = recordOutcomesInBatches(db, RULES);
    const attempts = await Promise.all(Array.from({ length: 19 }, () => addAttempt(db, endpointId)));
    await Promise.all(attempts.map((attempt) => group(attempt, timeout)));
    expect(await alertsOf(endpointId)).toEqual([['endpoint.failing', 1, 19]]);
  });

  test('a 410 disables at once, and a test event that fails inserts no alert', async () => {
    const [gone, pinged] = [
      await addEndpoint(database.db),
      await addEndpoint(database.db, { consecutiveFailures: 9 }),
    ];
    await record(gone, responded(410));
    await record(pinged, timeout, RULES, { eventType: 'integration.ping' });
    expect(await alertsOf(gone)).toEqual([
      ['deliveries.dead', 1, 1],
      ['endpoint.disabled', 1, 1],
    ]);
    expect(await alertsOf(pinged)).toEqual([]);
  });

  test('only the first success after a failing alert is a recovery', async () => {
    const endpointId = await addEndpoint(database.db, { consecutiveFailures: 9 });
    await record(endpointId, timeout);
    await record(endpointId, responded(200));
    await record(endpointId, responded(200));
    expect(await alertsOf(endpointId)).toEqual([
      ['endpoint.failing', 1, 10],
      ['endpoint.recovered', 1, 0],
    ]);
    // The next outage inserts alerts again.
    await database.db.webhookEndpoint.updateMany({
      where: { id: endpointId },
      data: { consecutiveFailures: 9 },
    });
    await record(endpointId, timeout);
    expect((await alertsOf(endpointId))[0]).toEqual(['endpoint.failing', 2, 10]);
  });

  test('a success after fewer failures is no recovery', async () => {
    const endpointId = await addEndpoint(database.db, { consecutiveFailures: 8 });
    await record(endpointId, timeout);
    await record(endpointId, responded(200));
    expect(await alertsOf(endpointId)).toEqual([]);
  });

  test('the first success after an admin enables an endpoint is a recovery, and a success while it is disabled is not', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 12, alertLevel: 2 });
    const late = await addAttempt(db, endpointId);
    await inFeedTransaction(db, COMPANY, ({ tx }) => disableEndpoint(tx, COMPANY, endpointId, 'by a test'));
    await recordOutcome(db, RULES, late, responded(200));
    expect(await alertsOf(endpointId)).toEqual([]);
    await inFeedTransaction(db, COMPANY, ({ tx }) => enableEndpoint(tx, COMPANY, endpointId));
    for (let n = 0; n < 10; n += 1) await record(endpointId, timeout);
    await record(endpointId, responded(200));
    await record(endpointId, responded(200));
    expect(await alertsOf(endpointId)).toEqual([
      ['endpoint.failing', 1, 10],
      ['endpoint.recovered', 1, 0],
    ]);
  });

  test('the first success after an admin enables an endpoint that a 410 disabled is a recovery', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    await record(endpointId, responded(410));
    await inFeedTransaction(db, COMPANY, ({ tx }) => enableEndpoint(tx, COMPANY, endpointId));
    await record(endpointId, timeout);
    await record(endpointId, responded(200));
    await record(endpointId, responded(200));
    expect((await alertsOf(endpointId)).at(-1)).toEqual(['endpoint.recovered', 1, 0]);
  });
});

describe('with a minimum outage', () => {
  const rules = { ...RULES, disableMinOutageMs: 10 * HOUR_MS };

  test('half and nine tenths of it insert alerts, with any number of failures', async () => {
    const endpointId = await addEndpoint(database.db, { consecutiveFailures: 1 });
    const counts: unknown[] = [];
    for (const hours of [4.9, 5.1, 5.2, 8.9, 9.1, 9.2]) {
      await beginOutage(endpointId, hours * HOUR_MS);
      await record(endpointId, timeout, rules);
      counts.push((await alertsOf(endpointId))[0]?.[1] ?? 0);
    }
    expect(counts).toEqual([0, 1, 1, 1, 2, 2]);
  });

  test('many failures within a short time insert no alert', async () => {
    const endpointId = await addEndpoint(database.db);
    for (let n = 0; n < 19; n += 1) await record(endpointId, timeout, rules);
    expect(await alertsOf(endpointId)).toEqual([]);
  });

  test('the failures after a success begin a new outage', async () => {
    const endpointId = await addEndpoint(database.db, { consecutiveFailures: 3 });
    await beginOutage(endpointId, 9.5 * HOUR_MS);
    const ended = await Promise.all(
      [responded(200), timeout].map(async (result, index) => ({
        attempt: await addAttempt(database.db, endpointId),
        result,
        index,
      })),
    );
    const options = { rules, ifLocked: Prisma.empty, mayDisable: false };
    expect(await writeOutcomes(database.db, ended, options)).toHaveLength(2);
    expect(await alertsOf(endpointId)).toEqual([]);
  });
});

describe('dead deliveries', () => {
  const lastTry = { attempts: 2 };

  test('are counted', async () => {
    const endpointId = await addEndpoint(database.db);
    for (let n = 0; n < 3; n += 1) await record(endpointId, responded(500), RULES, lastTry);
    expect(await alertsOf(endpointId)).toEqual([['deliveries.dead', 3, 3]]);
  });

  test('of a removed endpoint insert no alert', async () => {
    const endpointId = await addEndpoint(database.db, { enabled: false, removedAt: new Date() });
    await record(endpointId, responded(500), RULES, lastTry);
    expect(await alertsOf(endpointId)).toEqual([]);
  });
});

describe('channels', () => {
  test.each(ALERT_EVENTS)('get only the events that they choose: %s', async (event) => {
    const { db } = database;
    const chosen = await addAlertChannel(db, { events: [event] });
    const foreign = await addAlertChannel(db, { companyId: COMPANY + 1 });
    const endpointId = await addEndpoint(db, { consecutiveFailures: 9 });
    await record(endpointId, timeout);
    await record(endpointId, responded(200));
    await record(endpointId, responded(410));
    expect((await alertsOf(endpointId)).map(([name]) => name)).toEqual([...ALERT_EVENTS].toSorted());
    expect((await alertsOf(endpointId, chosen)).map(([name]) => name)).toEqual([event]);
    expect(await alertsOf(endpointId, foreign)).toEqual([]);
  });

  test('get no alert of an outcome that is rolled back', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 9 });
    const attempt = await addAttempt(db, endpointId);
    const options = { rules: RULES, ifLocked: Prisma.empty, mayDisable: true };
    const rolledBack = db.transaction(async (tx) => {
      expect(await writeOutcomes(tx, [{ attempt, result: timeout, index: 0 }], options)).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await alertsOf(endpointId)).toEqual([]);
  });

  test('the operator gets alerts of workspaces without channels, if the setting is on', async () => {
    const { db } = database;
    await db.alertChannel.deleteMany();
    const endpointId = await addEndpoint(db, { consecutiveFailures: 9 });
    await record(endpointId, timeout);
    expect(await db.alert.count()).toBe(0);
    await db.webhookEndpoint.updateMany({
      where: { id: endpointId },
      data: { alertLevel: 0, consecutiveFailures: 9 },
    });
    await record(endpointId, timeout, { ...RULES, alertsOperator: true });
    expect(await alertsOf(endpointId, 0)).toEqual([['endpoint.failing', 1, 10]]);
  });
});

describe('what it costs', () => {
  /** Writes the outcome of one attempt as a worker does, with a plan that it keeps. Returns what was read of `alert_channels`. */
  async function readOfChannels(worker: Database, companyId: number, endpointId: number, attempts: number) {
    const attempt = await addAttempt(database.db, endpointId, { companyId, attempts });
    const options = { rules: RULES, ifLocked: Prisma.empty, mayDisable: false };
    return worker.transaction(async (tx) => {
      let statements = 0;
      const counted = {
        query: (sql: Prisma.Sql) => {
          statements += 1;
          return tx.query(sql);
        },
      } as Transaction;
      // Both also count what the transactions before have read.
      const before = await readSoFar(tx);
      const [written] = await writeOutcomes(counted, [{ attempt, result: timeout, index: 0 }], options);
      const after = await readSoFar(tx);
      const read = { scans: after.scans - before.scans, rows: after.rows - before.rows };
      return { status: written!.status, statements, ...read };
    });
  }

  async function readSoFar(tx: Transaction, table = 'alert_channels') {
    const [read] = await tx.$queryRaw<{ scans: number; rows: number }[]>`
      SELECT (seq_scan + idx_scan)::int AS scans, (seq_tup_read + idx_tup_fetch)::int AS rows
      FROM pg_stat_xact_user_tables WHERE relname = ${table}`;
    return read!;
  }

  test('a claim reads a bounded number of alerts, however many are due and whatever the planner knows', async () => {
    const { db } = database;
    await db.$executeRaw`
      INSERT INTO alerts (company_id, channel_id, endpoint_id, event, count, consecutive_failures, last_at, due_at)
      SELECT 2000 + n / 400, 1 + n % 5, 1 + (n / 5) % 20, (ARRAY['a', 'b', 'c', 'd'])[1 + (n / 100) % 4], n % 10, 10, now(),
        now() - interval '1 day' + n * interval '1 millisecond'
      FROM generate_series(0, 39999) AS n`;
    for (const analyzed of [false, true]) {
      if (analyzed) await db.$executeRawUnsafe('ANALYZE alerts');
      for (const forOperator of [false, true]) {
        const rows = await db.transaction(async (tx) => {
          const before = await readSoFar(tx, 'alerts');
          await claimAlerts(tx, { max: 20, leaseMs: 60_000, forOperator });
          const after = await readSoFar(tx, 'alerts');
          return after.rows - before.rows;
        });
        // Each row of the window, its key once more if it is claimed or removed, and the rows that are passed over.
        expect(rows).toBeLessThan(5 * MAX_READ);
      }
    }
    await db.alert.deleteMany();
  });

  test('an outcome remains one statement, and reads only the channels of its own workspace, and only if an event happens', async () => {
    const { db, url } = database;
    await db.alertChannel.deleteMany({ where: { companyId: COMPANY } });
    await db.$executeRaw`
      INSERT INTO companies (id, name) SELECT id, 'other' FROM generate_series(100, 1099) AS id`;
    await db.$executeRaw`
      INSERT INTO alert_channels (company_id, kind, host, target_ciphertext, events)
      SELECT id, 'slack', 'h', '', '{deliveries.dead,endpoint.failing}' FROM generate_series(100, 1099) AS id, generate_series(1, 5)`;
    const worker = new Database({
      url,
      poolSize: 1,
      applicationName: 'worker',
      keepPlans: true,
      ...TEST_LIMITS,
    });
    try {
      for (const analyzed of [false, true]) {
        if (analyzed) await db.$executeRawUnsafe('ANALYZE alert_channels');
        const none = await addEndpoint(db);
        const pending = { status: 'pending', statements: 1 };
        const dead = { status: 'dead', statements: 1 };
        expect(await readOfChannels(worker, COMPANY, none, 0)).toEqual({ ...pending, scans: 0, rows: 0 });
        expect(await readOfChannels(worker, COMPANY, none, 2)).toEqual({ ...dead, scans: 1, rows: 0 });
        const some = await addEndpoint(db, { companyId: 500 });
        expect(await readOfChannels(worker, 500, some, 0)).toEqual({ ...pending, scans: 0, rows: 0 });
        expect(await readOfChannels(worker, 500, some, 2)).toEqual({ ...dead, scans: 1, rows: 5 });
      }
    } finally {
      await worker.close();
    }
  });
});

describe('an hour', () => {
  const claim = () => claimAlerts(database.db, { max: 10, leaseMs: 60_000, forOperator: false });
  const pass = (ms: number) =>
    database.db.$executeRaw`UPDATE alerts SET due_at = due_at - ${ms}::float8 * interval '1 millisecond'`;
  const lastTry = { attempts: 2 };

  test('has one message of an endpoint and event, and the next contains the number of occurrences since', async () => {
    const endpointId = await addEndpoint(database.db);
    const other = await addEndpoint(database.db);
    await record(endpointId, responded(500), RULES, lastTry);
    const [first] = await claim();
    expect(first).toMatchObject({
      endpointId,
      event: 'deliveries.dead',
      count: 1,
      lastError: 'receiver responded with 500',
    });
    // During the attempt to send it, and after it.
    await record(endpointId, responded(500), RULES, lastTry);
    expect(await claim()).toEqual([]);
    await completeAlert(database.db, first!);
    await record(endpointId, responded(503), RULES, lastTry);
    await pass(HOUR_MS - 60_000);
    await record(other, responded(500), RULES, lastTry);
    const [ofOther, ...none] = await claim();
    expect([ofOther, none]).toMatchObject([{ endpointId: other, count: 1 }, []]);
    await completeAlert(database.db, ofOther!);
    await pass(120_000);
    const [second] = await claim();
    expect(second).toMatchObject({ endpointId, count: 2, lastError: 'receiver responded with 503' });
    expect(second!.messageId).not.toBe(first!.messageId);
    await completeAlert(database.db, second!);
    // What was quiet for an hour is removed.
    await pass(HOUR_MS + 60_000);
    expect(await claim()).toEqual([]);
    expect(await database.db.alert.count()).toBe(0);
  });

  test('a message is sent again five times with the same id before it is given up', async () => {
    const endpointId = await addEndpoint(database.db);
    await record(endpointId, responded(500), RULES, lastTry);
    const ids: string[] = [];
    const ends: boolean[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const [claimed] = await claim();
      ids.push(claimed!.messageId);
      ends.push(await postponeAlert(database.db, claimed!));
      expect(await claim()).toEqual([]);
      await pass(1_250_000);
    }
    expect(new Set(ids).size).toBe(1);
    expect(ends).toEqual([false, false, false, false, false, true]);
    expect(await claim()).toEqual([]);
    expect(await alertsOf(endpointId)).toEqual([['deliveries.dead', 0, 1]]);
  });

  test('one of two workers claims an alert; the other claims it after the lease, and then the first can no longer complete it', async () => {
    const endpointId = await addEndpoint(database.db);
    await record(endpointId, responded(500), RULES, lastTry);
    const claims = await Promise.all([claim(), claim(), claim()]);
    const [first, ...others] = claims.flat();
    expect(others).toEqual([]);
    await pass(61_000);
    const [second] = await claim();
    expect(second).toMatchObject({ endpointId, messageId: first!.messageId });
    await completeAlert(database.db, first!);
    expect(await alertsOf(endpointId)).toEqual([['deliveries.dead', 1, 1]]);
    await completeAlert(database.db, second!);
    expect(await alertsOf(endpointId)).toEqual([['deliveries.dead', 0, 1]]);
  });

  test('a channel has one claimed alert at a time, and its other alerts are postponed with one that was not accepted', async () => {
    const endpoints = [await addEndpoint(database.db), await addEndpoint(database.db)];
    for (const endpointId of endpoints) await record(endpointId, responded(500), RULES, lastTry);
    const [first, ...rest] = await claim();
    expect(rest).toEqual([]);
    expect(await claim()).toEqual([]);
    await postponeAlert(database.db, first!);
    expect(await claim()).toEqual([]);
    await pass(31_000);
    const [second] = await claim();
    await completeAlert(database.db, second!);
    expect(await claim()).toHaveLength(1);
  });
});
