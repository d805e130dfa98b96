import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { until } from '@deal-signals/test-kit/until';
import { addAttempt, addEndpoint, readEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AttemptResult } from '../../src/attempts/outcome.ts';
import { recordOutcome } from '../../src/attempts/record-outcomes.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 3, disableAfter: 20, disableMinOutageMs: 0 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const responded = (status: number): AttemptResult => ({
  kind: 'responded',
  status,
  excerpt: '',
  durationMs: 12,
});
const timeout: AttemptResult = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 };

describe('with a minimum outage', () => {
  const HOUR_MS = 3_600_000;
  const rules = { ...RULES, disableMinOutageMs: HOUR_MS };
  const fail = async (endpointId: number) =>
    recordOutcome(database.db, rules, await addAttempt(database.db, endpointId), timeout);
  const begin = (endpointId: number, failingSince: Date) =>
    database.db.webhookEndpoint.updateMany({ where: { id: endpointId }, data: { failingSince } });

  test('twenty failures within a moment do not disable an endpoint, but twenty after that time do', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 19 });
    expect(await fail(endpointId)).toMatchObject({ endpointDisabled: false });
    const { failingSince } = await readEndpoint(db, endpointId);
    expect(isWithinTest(failingSince)).toBe(true);
    expect(await fail(endpointId)).toMatchObject({ endpointDisabled: false });
    expect((await readEndpoint(db, endpointId)).failingSince).toEqual(failingSince);
    await begin(endpointId, new Date(Date.now() - HOUR_MS - 60_000));
    expect(await fail(endpointId)).toMatchObject({ endpointDisabled: true });
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      disabledReason: '22 consecutive failed attempts',
    });
  });

  test('a long time with few failures does not disable it, and a success starts the count again', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 3 });
    await begin(endpointId, new Date(0));
    expect(await fail(endpointId)).toMatchObject({ endpointDisabled: false });
    await recordOutcome(db, rules, await addAttempt(db, endpointId), responded(200));
    expect((await readEndpoint(db, endpointId)).failingSince).toBeNull();
  });

  test('a 410 disables it at once', async () => {
    const endpointId = await addEndpoint(database.db);
    const claim = await addAttempt(database.db, endpointId);
    const recorded = await recordOutcome(database.db, rules, claim, responded(410));
    expect(recorded).toMatchObject({ endpointDisabled: true });
  });
});

describe('the audit log', () => {
  const recordsOf = (endpointId: number) =>
    database.db.auditRecord.findMany({ where: { objectType: 'webhook', objectId: String(endpointId) } });
  const bySystem = { companyId: 1, userId: null, requestId: null, action: 'webhook.disabled' };

  test.each([
    ['failures', timeout, 19],
    ['gone', responded(410), 0],
  ] as const)('has one record of a disabling by the system: %s', async (reason, result, failuresBefore) => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: failuresBefore });
    const claims = await Promise.all(Array.from({ length: 5 }, () => addAttempt(db, endpointId)));
    await Promise.all(claims.map((claim) => recordOutcome(db, RULES, claim, result)));
    const records = await recordsOf(endpointId);
    expect(records).toMatchObject([
      { ...bySystem, details: { reason, consecutiveFailures: failuresBefore + 1 } },
    ]);
    expect(isWithinTest(records[0]!.at)).toBe(true);
  });

  test('has no record of an endpoint that was already disabled', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { enabled: false, consecutiveFailures: 30 });
    await recordOutcome(db, RULES, await addAttempt(db, endpointId, { nextAttemptAt: null }), timeout);
    expect(await recordsOf(endpointId)).toEqual([]);
  });

  test('does not deadlock with a management write, which takes the feed clock before the endpoint', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claim = await addAttempt(db, endpointId);
    let recording: Promise<unknown> | undefined;
    await inFeedTransaction(db, 1, async ({ tx }) => {
      recording = recordOutcome(db, RULES, claim, responded(410));
      await until('the outcome to wait for the clock', async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      // The endpoint is not locked: the outcome waits without holding its lock.
      await tx.$executeRaw`SET LOCAL lock_timeout = 5000`;
      await tx.$queryRaw`SELECT id FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`;
    });
    expect(await recording).toMatchObject({ endpointDisabled: true });
  });
});
