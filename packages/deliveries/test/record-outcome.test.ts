import { isWithinTest } from '@deal-signals/test-kit/test-clock';
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
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Attempt } from '../src/attempts/begin-attempt.ts';
import type { AttemptResult } from '../src/attempts/outcome.ts';
import { recordOutcome } from '../src/attempts/record-outcomes.ts';

const RULES = { retryScheduleMs: [30_000, 120_000], maxAttempts: 3, disableAfter: 20, disableMinOutageMs: 0 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db);
});
afterAll(() => database.drop());

const responded = (status: number, excerpt = ''): AttemptResult => ({
  kind: 'responded',
  status,
  excerpt,
  durationMs: 12,
});
const timeout: AttemptResult = { kind: 'failed', error: 'timeout after 10000 ms', durationMs: 10_000 };
/** The time of a requested retry that is later than the start of an attempt that is about to be added. */
const afterItsStart = () => new Date(Date.now() + 5_000);
const FINISHED = { nextAttemptAt: null, ready: false, claimToken: null, leaseExpiresAt: null };

describe('an outcome', () => {
  test('that is a success marks the delivery as delivered, and the attempt is logged', async () => {
    const { db } = database;
    const claim = await addAttempt(db, await addEndpoint(db), { lastError: 'receiver responded with 500' });
    expect(await recordOutcome(db, RULES, claim, responded(204, 'thanks'))).toEqual({
      written: true,
      outcome: 'delivered',
      error: null,
      status: 'delivered',
      endpointDisabled: false,
    });
    const delivery = await readDelivery(db, claim.deliveryId);
    expect(delivery).toMatchObject({
      ...FINISHED,
      status: 'delivered',
      attempts: 1,
      lastStatusCode: 204,
      lastError: null,
    });
    expect(isWithinTest(delivery.deliveredAt)).toBe(true);
    expect(delivery.attemptLog).toEqual([
      {
        companyId: COMPANY,
        deliveryId: claim.deliveryId,
        number: 1,
        startedAt: claim.startedAt,
        durationMs: 12,
        statusCode: 204,
        error: null,
        responseExcerpt: 'thanks',
        retryAfterSeconds: null,
        traceparent: claim.traceparent,
      },
    ]);
  });

  test('that is a failure is followed by the wait of the schedule, and the last one makes the delivery dead', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const first = await addAttempt(db, endpointId);
    let claim = first;
    for (const waitMs of RULES.retryScheduleMs) {
      expect(await recordOutcome(db, RULES, claim, timeout)).toMatchObject({ outcome: 'failed' });
      const { nextAttemptAt, ...delivery } = await readDelivery(db, first.deliveryId);
      expect(delivery).toMatchObject({
        status: 'pending',
        ready: false,
        claimToken: null,
        lastStatusCode: null,
        lastError: 'timeout after 10000 ms',
      });
      expect(isWithinTest(new Date(nextAttemptAt!.getTime() - waitMs))).toBe(true);
      claim = await reclaim(claim);
    }
    expect(await recordOutcome(db, RULES, claim, responded(404))).toMatchObject({ outcome: 'failed' });
    const dead = await readDelivery(db, first.deliveryId);
    expect(dead).toMatchObject({
      ...FINISHED,
      status: 'dead',
      attempts: 3,
      deliveredAt: null,
      lastStatusCode: 404,
      lastError: 'receiver responded with 404',
    });
    expect(dead.attemptLog.map(({ number, statusCode }) => [number, statusCode])).toEqual([
      [1, null],
      [2, null],
      [3, 404],
    ]);
  });

  test('is not written if its claim was lost', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claim = await addAttempt(db, endpointId);
    await reclaim(claim);
    const before = await readDelivery(db, claim.deliveryId);
    expect(await recordOutcome(db, RULES, claim, responded(200))).toEqual({ written: false });
    expect(await recordOutcome(db, RULES, claim, responded(410))).toEqual({ written: false });
    expect(await readDelivery(db, claim.deliveryId)).toEqual(before);
    expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: true, lastSuccessAt: null });
  });

  test('is not written with a claim of another workspace', async () => {
    const { db } = database;
    const claim = await addAttempt(db, await addEndpoint(db));
    expect(await recordOutcome(db, RULES, { ...claim, companyId: 2 }, responded(200))).toEqual({
      written: false,
    });
  });

  test('puts a failed delivery on hold and keeps a success if the endpoint was disabled in the meantime', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { enabled: false });
    const failed = await addAttempt(db, endpointId, { nextAttemptAt: null });
    const succeeded = await addAttempt(db, endpointId, { nextAttemptAt: null });
    await recordOutcome(db, RULES, failed, timeout);
    await recordOutcome(db, RULES, succeeded, responded(200));
    expect(await readDelivery(db, failed.deliveryId)).toMatchObject({ ...FINISHED, status: 'pending' });
    expect(await readDelivery(db, succeeded.deliveryId)).toMatchObject({ ...FINISHED, status: 'delivered' });
  });
});

describe('Retry-After', () => {
  const WAIT_S = RULES.retryScheduleMs[0]! / 1_000;
  const asks = (status: number, retryAfterSeconds: number): AttemptResult => ({
    kind: 'responded',
    status,
    excerpt: '',
    durationMs: 12,
    retryAfterSeconds,
  });

  /** Records a failure of the first attempt; returns the seconds until the next one, and the logged wait. */
  async function waitAfter(result: AttemptResult, honorRetryAfter: boolean, requested: Date | null = null) {
    const { db } = database;
    const endpointId = await addEndpoint(db, { honorRetryAfter });
    const claim = await addAttempt(db, endpointId, { retryRequestedAt: requested });
    const before = Date.now();
    await recordOutcome(db, RULES, claim, result);
    const { nextAttemptAt, attemptLog } = await readDelivery(db, claim.deliveryId);
    return {
      waitS: Math.floor((nextAttemptAt!.getTime() - before) / 1_000),
      logged: attemptLog[0]!.retryAfterSeconds,
    };
  }

  test.each([
    ['delays the next attempt beyond the schedule', 600, 600],
    ['never brings it forward', 5, WAIT_S],
    ['delays it by two hours at most', 86_400, WAIT_S + 7_200],
  ])('%s if the endpoint honors it', async (_, asked, waitS) => {
    expect(await waitAfter(asks(503, asked), true)).toEqual({ waitS, logged: asked });
  });

  test('is logged, and changes nothing, if the endpoint does not honor it', async () => {
    expect(await waitAfter(asks(429, 600), false)).toEqual({ waitS: WAIT_S, logged: 600 });
  });

  test('does not change the schedule if the response has none', async () => {
    expect(await waitAfter(responded(503), true)).toEqual({ waitS: WAIT_S, logged: null });
  });

  test('yields to a retry that an admin requested in the meantime', async () => {
    expect(await waitAfter(asks(503, 600), true, afterItsStart())).toEqual({ waitS: 0, logged: 600 });
  });
});

describe('a retry requested during the attempt', () => {
  test('makes the next attempt due at once when this one fails, even the last of the schedule', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claim = await addAttempt(db, endpointId, {
      attempts: 2,
      retryRequestedAt: afterItsStart(),
      requeued: true,
    });
    expect(await recordOutcome(db, RULES, claim, timeout)).toMatchObject({ status: 'pending' });
    const again = await readDelivery(db, claim.deliveryId);
    expect(again).toMatchObject({ status: 'pending', attempts: 3, retryRequestedAt: null, requeued: true });
    expect(isWithinTest(again.nextAttemptAt)).toBe(true);
    expect(await recordOutcome(db, RULES, await reclaim(claim), timeout)).toMatchObject({ status: 'dead' });
  });

  test('causes no extra attempt if it was requested before this one began', async () => {
    const { db } = database;
    const claim = await addAttempt(db, await addEndpoint(db), { attempts: 2 });
    const earlier = new Date(claim.startedAt.getTime() - 1);
    await db.pendingDelivery.updateMany({
      where: { id: claim.deliveryId },
      data: { retryRequestedAt: earlier },
    });
    expect(await recordOutcome(db, RULES, claim, timeout)).toMatchObject({ status: 'dead' });
  });

  test('is fulfilled by a success, and put on hold when the endpoint was disabled', async () => {
    const { db } = database;
    const succeeded = await addAttempt(db, await addEndpoint(db), { retryRequestedAt: afterItsStart() });
    await recordOutcome(db, RULES, succeeded, responded(200));
    expect(await readDelivery(db, succeeded.deliveryId)).toMatchObject({ ...FINISHED, status: 'delivered' });
    const disabled = await addEndpoint(db, { enabled: false });
    const failed = await addAttempt(db, disabled, { nextAttemptAt: null, retryRequestedAt: afterItsStart() });
    await recordOutcome(db, RULES, failed, timeout);
    expect(await readDelivery(db, failed.deliveryId)).toMatchObject({ ...FINISHED, status: 'pending' });
  });

  test('does not revive a delivery that the receiver rejected with 410', async () => {
    const claim = await addAttempt(database.db, await addEndpoint(database.db), {
      retryRequestedAt: afterItsStart(),
    });
    await recordOutcome(database.db, RULES, claim, responded(410));
    expect(await readDelivery(database.db, claim.deliveryId)).toMatchObject({ ...FINISHED, status: 'dead' });
  });
});

describe('a test event', () => {
  const ping = { eventType: 'integration.ping' } as const;

  test('that fails is dead at once, and its failure is not counted', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 25 });
    const claim = await addAttempt(db, endpointId, ping);
    expect(await recordOutcome(db, RULES, claim, responded(500))).toMatchObject({
      status: 'dead',
      endpointDisabled: false,
    });
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({
      ...FINISHED,
      status: 'dead',
      attempts: 1,
    });
    const endpoint = await readEndpoint(db, endpointId);
    expect(endpoint).toMatchObject({
      enabled: true,
      consecutiveFailures: 25,
      lastError: 'receiver responded with 500',
    });
    expect(isWithinTest(endpoint.lastErrorAt)).toBe(true);
  });

  test('that succeeds resets the failures', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 5 });
    await recordOutcome(db, RULES, await addAttempt(db, endpointId, ping), responded(200));
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      consecutiveFailures: 0,
      lastSuccessAt: expect.any(Date),
    });
  });

  test('that gets 410 disables the endpoint', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claim = await addAttempt(db, endpointId, ping);
    expect(await recordOutcome(db, RULES, claim, responded(410))).toMatchObject({ endpointDisabled: true });
    expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: false });
  });
});

describe('an endpoint', () => {
  test('counts consecutive failures over all its deliveries, and a success resets them', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const after = async (result: AttemptResult) => {
      await recordOutcome(db, RULES, await addAttempt(db, endpointId), result);
      return readEndpoint(db, endpointId);
    };
    expect(await after(timeout)).toMatchObject({
      consecutiveFailures: 1,
      lastError: 'timeout after 10000 ms',
      lastSuccessAt: null,
    });
    const failed = await after(responded(500));
    expect(failed).toMatchObject({ consecutiveFailures: 2, lastError: 'receiver responded with 500' });
    expect(isWithinTest(failed.lastErrorAt)).toBe(true);
    const succeeded = await after(responded(200));
    expect(succeeded).toMatchObject({ consecutiveFailures: 0, lastErrorAt: failed.lastErrorAt });
    expect(isWithinTest(succeeded.lastSuccessAt)).toBe(true);
  });

  test.each([19, 25])(
    'with %d failures is disabled by the next one, and its pending deliveries are on hold',
    async (failuresBefore) => {
      const { db } = database;
      const endpointId = await addEndpoint(db, { consecutiveFailures: failuresBefore });
      const claim = await addAttempt(db, endpointId);
      const underWay = await addAttempt(db, endpointId);
      const ready = await addDelivery(db, endpointId);
      const later = new Date(Date.now() + 3_600_000);
      const waiting = await addDelivery(db, endpointId, { ready: false, nextAttemptAt: later });
      const elsewhere = await addDelivery(db, await addEndpoint(db));
      expect(await recordOutcome(db, RULES, claim, timeout)).toMatchObject({ endpointDisabled: true });
      expect(await readEndpoint(db, endpointId)).toMatchObject({
        enabled: false,
        disabledReason: `${failuresBefore + 1} consecutive failed attempts`,
        consecutiveFailures: failuresBefore + 1,
      });
      for (const id of [claim.deliveryId, ready, waiting]) {
        expect(await readDelivery(db, id)).toMatchObject({ ...FINISHED, status: 'pending' });
      }
      expect(await readDelivery(db, underWay.deliveryId)).toMatchObject({
        nextAttemptAt: null,
        claimToken: underWay.claimToken,
      });
      expect(await readDelivery(db, elsewhere)).toMatchObject({ ready: true });
    },
  );

  test('with 18 failures stays enabled after the next one', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 18 });
    const recorded = await recordOutcome(db, RULES, await addAttempt(db, endpointId), timeout);
    expect(recorded).toMatchObject({ endpointDisabled: false });
    expect(await readEndpoint(db, endpointId)).toMatchObject({ enabled: true, consecutiveFailures: 19 });
  });

  test('is disabled at once by 410, and that delivery is dead', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claim = await addAttempt(db, endpointId);
    const other = await addDelivery(db, endpointId);
    expect(await recordOutcome(db, RULES, claim, responded(410))).toMatchObject({
      outcome: 'gone',
      endpointDisabled: true,
    });
    expect(await readDelivery(db, claim.deliveryId)).toMatchObject({
      ...FINISHED,
      status: 'dead',
      attempts: 1,
    });
    expect(await readDelivery(db, other)).toMatchObject({ ...FINISHED, status: 'pending', attempts: 0 });
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      enabled: false,
      disabledReason: 'the receiver responded with 410 Gone',
    });
  });

  test('counts 25 failures that end at the same moment, and is disabled once', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const claims = await Promise.all(Array.from({ length: 25 }, () => addAttempt(db, endpointId)));
    const recorded = await Promise.all(claims.map((claim) => recordOutcome(db, RULES, claim, timeout)));
    expect(recorded.filter((one) => one.written && one.endpointDisabled)).toHaveLength(1);
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      enabled: false,
      disabledReason: '20 consecutive failed attempts',
      consecutiveFailures: 25,
    });
    const onHold = { endpointId, nextAttemptAt: null, claimToken: null };
    expect(await db.pendingDelivery.count({ where: onHold })).toBe(25);
  });
});

describe('an attempt that was not sent for a reason on our side', () => {
  const notSent: AttemptResult = { kind: 'not_sent', error: 'network unreachable', durationMs: 3 };

  test('is retried on the schedule and logged, and does not change the failures of the endpoint', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db, { consecutiveFailures: 19 });
    const first = await addAttempt(db, endpointId);
    let claim = first;
    for (const waitMs of RULES.retryScheduleMs) {
      expect(await recordOutcome(db, RULES, claim, notSent)).toMatchObject({
        outcome: 'not_sent',
        status: 'pending',
        endpointDisabled: false,
      });
      const { nextAttemptAt } = await readDelivery(db, first.deliveryId);
      expect(isWithinTest(new Date((nextAttemptAt?.getTime() ?? 0) - waitMs))).toBe(true);
      claim = await reclaim(claim);
    }
    expect(await recordOutcome(db, RULES, claim, notSent)).toMatchObject({ status: 'dead' });
    const { attemptLog } = await readDelivery(db, first.deliveryId);
    expect(attemptLog.map(({ error }) => error)).toEqual(Array(3).fill('network unreachable'));
    expect(await readEndpoint(db, endpointId)).toMatchObject({
      enabled: true,
      consecutiveFailures: 19,
      failingSince: null,
      lastError: 'network unreachable',
    });
  });

  test('does not disable an endpoint that already has enough failures', async () => {
    const endpointId = await addEndpoint(database.db, { consecutiveFailures: 25 });
    const recorded = await recordOutcome(
      database.db,
      RULES,
      await addAttempt(database.db, endpointId),
      notSent,
    );
    expect(recorded).toMatchObject({ endpointDisabled: false });
  });
});

describe('the counts of an endpoint', () => {
  const NONE = { delivered: 0, failed: 0, notSent: 0, dead: 0, untimed: 0, durationMs: 0n, slowestMs: 0 };
  const notSent: AttemptResult = { kind: 'not_sent', error: 'network unreachable', durationMs: 3 };
  const readCounts = (endpointId: number) =>
    database.db.attemptCount.findMany({ where: { endpointId }, orderBy: [{ width: 'asc' }, { at: 'asc' }] });

  test('are counted by the minute and the hour in which the attempts began', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const endings: [string, AttemptResult, number][] = [
      ['2026-09-10T09:58:59.999Z', responded(204), 0],
      ['2026-09-10T09:59:00.000Z', timeout, 0],
      ['2026-09-10T09:59:59.999Z', timeout, 2],
      ['2026-09-10T09:59:30.000Z', notSent, 0],
      ['2026-09-10T10:00:00.000Z', responded(503), 0],
    ];
    for (const [startedAt, result, attempts] of endings) {
      const attempt = await addAttempt(db, endpointId, { attempts });
      await recordOutcome(db, RULES, { ...attempt, startedAt: new Date(startedAt) }, result);
    }
    const at = (time: string) => new Date(`2026-09-10T${time}:00.000Z`);
    const key = { companyId: COMPANY, endpointId };
    const tenOClock = { failed: 1, durationMs: 12n, slowestMs: 12 };
    const lastMinute = { failed: 2, notSent: 1, dead: 1, durationMs: 20_003n, slowestMs: 10_000 };
    expect(await readCounts(endpointId)).toEqual([
      { ...key, ...NONE, width: 'minute', at: at('09:58'), delivered: 1, durationMs: 12n, slowestMs: 12 },
      { ...key, ...NONE, width: 'minute', at: at('09:59'), ...lastMinute },
      { ...key, ...NONE, width: 'minute', at: at('10:00'), ...tenOClock },
      { ...key, ...NONE, width: 'hour', at: at('09:00'), ...lastMinute, delivered: 1, durationMs: 20_015n },
      { ...key, ...NONE, width: 'hour', at: at('10:00'), ...tenOClock },
    ]);
  });

  test('contain a 410 once, although the first try to record it was rolled back', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    expect(await recordOutcome(db, RULES, await addAttempt(db, endpointId), responded(410))).toMatchObject({
      endpointDisabled: true,
    });
    expect(await readCounts(endpointId)).toMatchObject([
      { width: 'minute', failed: 1, dead: 1 },
      { width: 'hour', failed: 1, dead: 1 },
    ]);
  });

  test('contain neither test events nor outcomes whose claim is no longer held', async () => {
    const { db } = database;
    const endpointId = await addEndpoint(db);
    const ping = await addAttempt(db, endpointId, { eventType: 'integration.ping' });
    expect(await recordOutcome(db, RULES, ping, responded(200))).toMatchObject({ written: true });
    const stale = { ...(await addAttempt(db, endpointId)), claimToken: crypto.randomUUID() };
    expect(await recordOutcome(db, RULES, stale, responded(200))).toEqual({ written: false });
    expect(await readCounts(endpointId)).toEqual([]);
  });
});

/** Claims a delivery again, like the next tick. */
async function reclaim(claim: Attempt): Promise<Attempt> {
  const claimToken = crypto.randomUUID();
  const leaseExpiresAt = new Date(Date.now() + 60_000);
  await database.db.pendingDelivery.updateMany({
    where: { id: claim.deliveryId },
    data: { ready: false, claimToken, leaseExpiresAt },
  });
  return {
    ...claim,
    claimToken,
    attemptInSchedule: claim.attemptInSchedule + 1,
    attemptNumber: claim.attemptNumber + 1,
  };
}
