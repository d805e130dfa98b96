import { feedId } from '@deal-signals/test-kit/worlds/ids';
import { recordOutcome } from '@deal-signals/deliveries/attempts/record-outcomes';
import { until } from '@deal-signals/test-kit/until';
import {
  addAttempt,
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const RULES = { retryScheduleMs: [30_000], maxAttempts: 2, disableAfter: 20, disableMinOutageMs: 0 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let api: TestApi;
let companyId = 0;
let endpointId: number;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  companyId += 1;
  await addCompany(api.db, companyId);
  endpointId = await addEndpoint(api.db, { companyId });
});
afterAll(() => api.close());

/** Reads a path of the console as an admin of the workspace of the test. */
async function read(path: string) {
  const { body } = await api.get(`/console/api${path}`, sessionToken({ companyId })).expect(200);
  return body;
}

/** Adds counts of an endpoint, some time ago. */
async function addCounts(
  width: 'minute' | 'hour' | 'day',
  agoMs: number,
  counts: {
    delivered?: number;
    failed?: number;
    notSent?: number;
    dead?: number;
    untimed?: number;
    durationMs?: number;
    slowestMs?: number;
  },
  ofEndpoint = endpointId,
) {
  const lengthMs = { minute: 60_000, hour: HOUR_MS, day: DAY_MS }[width];
  const at = new Date(Math.floor((Date.now() - agoMs) / lengthMs) * lengthMs);
  await api.db.attemptCount.create({ data: { companyId, endpointId: ofEndpoint, width, at, ...counts } });
  return at;
}

describe('the counts over time', () => {
  test.each([
    ['hour', 60, 60],
    ['day', 24, 3_600],
    ['week', 28, 21_600],
    ['month', 30, 86_400],
    ['quarter', 90, 86_400],
  ])(
    'the range %s has %d buckets of %d seconds, the last one incomplete',
    async (range, buckets, bucketSeconds) => {
      const before = Date.now();
      const body = await read(`/delivery-counts?range=${range}`);
      expect(body).toMatchObject({ range, bucketSeconds, since: body.buckets[0].at });
      expect(body.buckets).toHaveLength(buckets);
      const starts: number[] = body.buckets.map(({ at }: { at: string }) => Date.parse(at));
      for (const [place, start] of starts.entries()) {
        expect(start % (bucketSeconds * 1_000)).toBe(0);
        if (place > 0) expect(start - starts[place - 1]!).toBe(bucketSeconds * 1_000);
      }
      expect(starts.at(-1)! + bucketSeconds * 1_000).toBeGreaterThan(before);
      expect(starts.at(-1)!).toBeLessThanOrEqual(Date.now());
      expect(body.totals).toEqual({
        delivered: 0,
        failed: 0,
        notSent: 0,
        dead: 0,
        meanDurationMs: null,
        slowestMs: null,
        successRate: null,
      });
    },
  );

  test('attempts with a hidden duration are in no mean, and alone have none', async () => {
    await addCounts('minute', 0, { failed: 3, untimed: 3 });
    expect((await read('/delivery-counts?range=hour')).totals).toMatchObject({
      failed: 3,
      meanDurationMs: null,
      slowestMs: null,
    });
    await addCounts('minute', 120_000, {
      failed: 2,
      delivered: 1,
      untimed: 1,
      durationMs: 60,
      slowestMs: 40,
    });
    expect((await read('/delivery-counts?range=hour')).totals).toMatchObject({
      failed: 5,
      meanDurationMs: 30,
      slowestMs: 40,
    });
  });

  test('sums hours to days, over all endpoints including removed ones, without other workspaces', async () => {
    const removed = await addEndpoint(api.db, { companyId, enabled: false, removedAt: new Date() });
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const ofYesterday = (hour: number) => Date.now() - (midnight - DAY_MS + hour * HOUR_MS);
    await addCounts('hour', ofYesterday(3), { delivered: 3, failed: 1, durationMs: 400, slowestMs: 300 });
    await addCounts('hour', ofYesterday(23), {
      delivered: 1,
      notSent: 1,
      dead: 1,
      durationMs: 260,
      slowestMs: 250,
    });
    await addCounts('hour', ofYesterday(5), { failed: 4, durationMs: 40, slowestMs: 10 }, removed);
    // The rest of the day was summed before.
    await addCounts('day', ofYesterday(0), { delivered: 20, durationMs: 100, slowestMs: 20 });
    // Neither the rows of minutes nor older rows may be added.
    await addCounts('minute', ofYesterday(3), { delivered: 100, durationMs: 1 });
    await addCounts('hour', 31 * DAY_MS, { delivered: 1_000 });
    companyId += 1;
    await addCompany(api.db, companyId);
    const foreign = await addEndpoint(api.db, { companyId });
    await addCounts('hour', ofYesterday(3), { delivered: 10_000 }, foreign);
    companyId -= 1;

    const body = await read('/delivery-counts?range=month');
    const yesterday = {
      delivered: 24,
      failed: 5,
      notSent: 1,
      dead: 1,
      meanDurationMs: Math.round(800 / 30),
      slowestMs: 300,
    };
    expect(body.buckets.at(-2)).toEqual({ at: new Date(midnight - DAY_MS).toISOString(), ...yesterday });
    expect(body.totals).toEqual({ ...yesterday, successRate: 24 / 29 });
    const one = await read(`/delivery-counts?range=month&endpoint_id=${endpointId}`);
    expect(one.totals).toMatchObject({ delivered: 24, failed: 1, notSent: 1 });
    for (const id of [foreign, 99_999]) {
      expect((await read(`/delivery-counts?range=month&endpoint_id=${id}`)).totals.delivered).toBe(0);
    }
    companyId += 1;
  });

  test('a recorded outcome is in the charts of the hour and of the day', async () => {
    const attempt = await addAttempt(api.db, endpointId, { companyId });
    await recordOutcome(api.db, RULES, attempt, {
      kind: 'responded',
      status: 503,
      excerpt: '',
      durationMs: 40,
    });
    for (const range of ['hour', 'day', 'quarter']) {
      expect((await read(`/delivery-counts?range=${range}`)).totals).toMatchObject({
        delivered: 0,
        failed: 1,
        meanDurationMs: 40,
        successRate: 0,
      });
    }
  });

  test.each(['year', '', 'DAY'])('rejects the range "%s"', async (range) => {
    const path = `/console/api/delivery-counts?range=${range}`;
    const { body } = await api.get(path, sessionToken({ companyId })).expect(400);
    expect(body).toEqual({
      code: 'INVALID_REQUEST',
      error: 'range: must be one of hour, day, week, month, quarter',
      field: 'range',
    });
  });
});

describe('the health of the endpoints', () => {
  test('has a line for each that was not removed, with its counts and its backlog', async () => {
    const quiet = await addEndpoint(api.db, { companyId });
    await addEndpoint(api.db, { companyId, enabled: false, removedAt: new Date() });
    await addCounts('hour', 0, { delivered: 2, failed: 6, durationMs: 800, slowestMs: 500 });
    await addCounts('hour', 5 * HOUR_MS, { delivered: 1, durationMs: 8, slowestMs: 8 });
    const due = new Date(Date.now() - HOUR_MS);
    await addDelivery(api.db, endpointId, {
      companyId,
      nextAttemptAt: new Date(Date.now() + HOUR_MS),
      ready: false,
    });
    await addDelivery(api.db, endpointId, { companyId, nextAttemptAt: due, ready: false });
    await addDeliveries(api.db, endpointId, 3, { companyId, ...DEAD, createdAt: due });
    await addDelivery(api.db, endpointId, { companyId, ...DEAD, dismissedAt: due });
    await addDelivery(api.db, endpointId, { companyId, ...DEAD, eventType: 'integration.ping' });

    const { data } = await read('/endpoint-health');
    expect(data.map(({ endpointId: id }: { endpointId: number }) => id)).toEqual([endpointId, quiet]);
    expect(data[0]).toMatchObject({
      totals: { delivered: 3, failed: 6, meanDurationMs: 90, slowestMs: 500, successRate: 3 / 9 },
      pendingDeliveries: 2,
      pendingDeliveriesExact: true,
      deadDeliveries: 3,
      deadDeliveriesExact: true,
      oldestDeadAt: due.toISOString(),
      oldestDueAt: due.toISOString(),
    });
    expect(data[0].delivered).toEqual([...Array<number>(18).fill(0), 1, 0, 0, 0, 0, 2]);
    expect(data[0].failed).toEqual([...Array<number>(23).fill(0), 6]);
    expect(data[0].meanDurationsMs).toEqual([...Array<null>(18).fill(null), 8, null, null, null, null, 100]);
    expect(data[1]).toMatchObject({ totals: { successRate: null }, pendingDeliveries: 0, oldestDueAt: null });
  });

  test('counts up to 1,000, and marks larger counts; the next delivery to claim is found beyond them', async () => {
    const later = new Date(Date.now() + HOUR_MS);
    await addDeliveries(api.db, endpointId, 1_001, { companyId, nextAttemptAt: later, ready: false });
    const due = new Date(Date.now() - 60_000);
    await addDelivery(api.db, endpointId, { companyId, nextAttemptAt: due });
    await addDeliveries(api.db, endpointId, 1_001, { companyId, ...DEAD });
    const { data } = await read('/endpoint-health');
    expect(data).toMatchObject([
      {
        pendingDeliveries: 1_000,
        pendingDeliveriesExact: false,
        deadDeliveries: 1_000,
        deadDeliveriesExact: false,
        oldestDueAt: due.toISOString(),
      },
    ]);
  });
});

describe('deliveries that wait for the rate limit of their endpoint', () => {
  const limit = (claimedAt: Date[], claimed: number[]) =>
    api.db.endpointRateLimit.create({ data: { companyId, endpointId, maxPerMinute: 2, claimedAt, claimed } });

  test('are counted, with the approximate time that the limit takes for them, and are not due', async () => {
    const due = new Date(Date.now() - HOUR_MS);
    await addDeliveries(api.db, endpointId, 30, { companyId, nextAttemptAt: due });
    await limit([new Date(Date.now() - 10_000)], [2]);
    const { data } = await read('/endpoint-health');
    const rateLimited = { maxPerMinute: 2, deliveries: 30, deliveriesExact: true, secondsLeft: 900 };
    expect(data).toMatchObject([{ pendingDeliveries: 30, oldestDueAt: null, rateLimited }]);
    const { oldestDue, attention } = await read('/overview');
    expect(oldestDue).toBe(null);
    expect(attention).toContainEqual(
      expect.objectContaining({ kind: 'deliveries_rate_limited', endpointId, ...rateLimited }),
    );
    expect(attention).not.toContainEqual(expect.objectContaining({ kind: 'deliveries_overdue' }));
  });

  test('are late as soon as the limit has allowed them for more than five minutes', async () => {
    const due = new Date(Date.now() - HOUR_MS);
    await addDeliveries(api.db, endpointId, 30, { companyId, nextAttemptAt: due });
    const claimedAt = new Date(Date.now() - 11 * 60_000);
    await limit([claimedAt], [2]);
    const { data } = await read('/endpoint-health');
    expect(data).toMatchObject([
      { oldestDueAt: new Date(claimedAt.getTime() + 60_000).toISOString(), rateLimited: { deliveries: 28 } },
    ]);
    const { attention } = await read('/overview');
    expect(attention).toContainEqual(expect.objectContaining({ kind: 'deliveries_overdue', endpointId }));
  });
});

describe('the overview', () => {
  test('of a new workspace asks for an endpoint and a key', async () => {
    await api.db.webhookEndpoint.delete({ where: { companyId_id: { companyId, id: endpointId } } });
    const body = await read('/overview');
    expect(body.webhooks).toMatchObject({ endpoints: 0, disabledEndpoints: 0, failingEndpoints: 0 });
    expect(body).toMatchObject({
      oldestDue: null,
      deadLetters: [],
      attention: [{ kind: 'no_endpoint' }, { kind: 'no_key' }],
    });
  });

  test('lists what needs attention, most severe first', async () => {
    const id = (fields: object) => addEndpoint(api.db, { companyId, ...fields });
    const failing = await id({ consecutiveFailures: 3, lastError: 'timeout', failingSince: new Date(0) });
    await id({ consecutiveFailures: 2 });
    const unverified = await id({ awaitingVerification: true });
    const disabled = await id({ enabled: false, disabledReason: '20 consecutive failed attempts' });
    const byAdmin = await id({ enabled: false, disabledReason: 'disabled by an admin' });
    // Disabled by the system once, enabled again, and now disabled by an admin without a backlog: nothing to do.
    const idle = await id({ enabled: false, disabledReason: 'disabled by an admin' });
    const at = new Date('2026-09-01T12:00:00.000Z');
    for (const objectId of [disabled, idle].map(String)) {
      for (const action of ['webhook.disabled', 'webhook.pinged']) {
        await api.db.auditRecord.create({
          data: { companyId, id: feedId(at), at, action, objectType: 'webhook', objectId },
        });
      }
    }
    await addDelivery(api.db, byAdmin, { companyId, nextAttemptAt: null, ready: false });
    const dueAt = new Date(Date.now() - 6 * 60_000);
    const overdue = await addDelivery(api.db, endpointId, { companyId, nextAttemptAt: dueAt });
    await addDelivery(api.db, endpointId, { companyId, nextAttemptAt: new Date(Date.now() - 60_000) });
    await addDelivery(api.db, failing, { companyId, ...DEAD, createdAt: at });
    const soon = new Date(Date.now() + DAY_MS);
    await addKey(api.db, companyId, { name: 'soon', expiresAt: soon });
    await addKey(api.db, companyId, { name: 'replaced', expiresAt: soon, rotatedAt: at, lastUsedAt: at });
    await addKey(api.db, companyId, {
      name: 'still used',
      expiresAt: new Date(soon.getTime() + 1),
      rotatedAt: at,
      lastUsedAt: new Date(at.getTime() + 1),
    });
    await addKey(api.db, companyId, { name: 'later', expiresAt: new Date(Date.now() + 15 * DAY_MS) });

    const body = await read('/overview');
    expect(body.webhooks).toMatchObject({
      endpoints: 7,
      enabledEndpoints: 4,
      disabledEndpoints: 3,
      failingEndpoints: 1,
    });
    expect(body.oldestDue).toMatchObject({
      deliveryId: String(overdue),
      endpointId,
      dueAt: dueAt.toISOString(),
    });
    expect(body.deadLetters).toEqual([
      { endpointId: failing, count: 1, countExact: true, oldestAt: at.toISOString() },
    ]);
    expect(body.attention).toMatchObject([
      { kind: 'endpoint_disabled', endpointId: byAdmin, pendingDeliveries: 1, disabledAt: null },
      {
        kind: 'endpoint_disabled',
        endpointId: disabled,
        reason: '20 consecutive failed attempts',
        disabledAt: at.toISOString(),
      },
      { kind: 'deliveries_overdue', endpointId, pendingDeliveries: 2, dueAt: dueAt.toISOString() },
      { kind: 'endpoint_failing', endpointId: failing, consecutiveFailures: 3, lastError: 'timeout' },
      { kind: 'endpoint_unverified', endpointId: unverified },
      { kind: 'dead_letters', endpointId: failing, deadDeliveries: 1, oldestAt: at.toISOString() },
      { kind: 'key_expiring', name: 'soon' },
      { kind: 'key_expiring', name: 'still used' },
    ]);
  });
});

describe('dead letters', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 8, 1, 12, minute));
  const dead = (minute: number, lastError: string, lastStatusCode: number | null, ofEndpoint = endpointId) =>
    addDelivery(api.db, ofEndpoint, { companyId, ...DEAD, createdAt: at(minute), lastError, lastStatusCode });

  test('are grouped by endpoint and error, the largest group first', async () => {
    const other = await addEndpoint(api.db, { companyId });
    const removed = await addEndpoint(api.db, { companyId, enabled: false, removedAt: new Date() });
    await dead(1, 'receiver responded with 503', 503);
    const newest = await dead(9, 'receiver responded with 503', 503);
    await dead(4, 'receiver responded with 503', 503);
    const timeout = await dead(5, 'timeout after 10000 ms', null);
    const atOther = await dead(6, 'receiver responded with 503', 503, other);
    await dead(7, 'receiver responded with 503', 503, removed);
    await addDelivery(api.db, endpointId, { companyId, ...DEAD, dismissedAt: at(9) });
    await addDelivery(api.db, endpointId, { companyId, ...DEAD, eventType: 'integration.ping' });

    const of503 = { error: 'receiver responded with 503', statusCode: 503, countExact: true };
    const largest = {
      ...of503,
      endpointId,
      count: 3,
      oldestAt: at(1).toISOString(),
      newestAt: at(9).toISOString(),
      exampleDeliveryId: String(newest),
    };
    const smaller = [
      { error: 'timeout after 10000 ms', statusCode: null, exampleDeliveryId: String(timeout) },
      { ...of503, endpointId: other, count: 1, exampleDeliveryId: String(atOther) },
    ];
    const body = await read('/dead-letters');
    expect(body.isComplete).toBe(true);
    expect(body.data[0]).toEqual(largest);
    expect(body.data).toMatchObject([largest, ...smaller]);
    expect((await read(`/dead-letters?endpoint_id=${other}`)).data).toMatchObject([smaller[1]]);
    expect((await read(`/dead-letters?endpoint_id=${removed}`)).data).toEqual([]);
  });

  test('beyond 1,000 of an endpoint are left out, and the response is marked as incomplete', async () => {
    await addDeliveries(api.db, endpointId, 1_000, { companyId, ...DEAD, createdAt: at(2) });
    await dead(1, 'the oldest', null);
    const body = await read('/dead-letters');
    expect(body).toMatchObject({ isComplete: false, data: [{ count: 1_000, countExact: false }] });
    const one = await read(`/dead-letters?endpoint_id=${endpointId}`);
    expect(one).toMatchObject({
      isComplete: true,
      data: [{ count: 1_000 }, { error: 'the oldest', count: 1 }],
    });
  });

  test('are counted before they are moved, and moved by the same selection in steps', async () => {
    for (const minute of [1, 2, 3, 4]) await dead(minute, 'timeout', null);
    const single = await dead(3, 'other', null);
    const selection = { since: at(2).toISOString(), before: at(4).toISOString(), error: 'timeout' };
    const count = async (filters: Record<string, string>) =>
      (
        await read(
          `/dead-letters/count?${new URLSearchParams({ endpoint_id: String(endpointId), ...filters })}`,
        )
      ).count;
    const move = async (act: 'retry-dead' | 'dismiss-dead', body: object) => {
      const path = `/webhooks/${endpointId}/${act}`;
      return (await api.post(path, sessionToken({ companyId }), body).expect(200)).body.count;
    };
    expect(await count({})).toBe(5);
    expect(await count({ since: at(2).toISOString() })).toBe(4);
    expect(await count(selection)).toBe(2);
    expect(await move('retry-dead', { ...selection, limit: 1 })).toBe(1);
    expect(await count(selection)).toBe(1);
    expect(await move('retry-dead', { ...selection, limit: 1 })).toBe(1);
    expect(await move('retry-dead', { ...selection, limit: 1 })).toBe(0);
    expect(await count({})).toBe(3);
    expect(await move('dismiss-dead', { deliveryIds: [String(single), '99999999'], error: 'timeout' })).toBe(
      0,
    );
    expect(await move('dismiss-dead', { deliveryIds: [String(single), '99999999'] })).toBe(1);
    expect(await move('dismiss-dead', { since: at(4).toISOString() })).toBe(1);
    expect(await count({})).toBe(1);
    const records = await api.db.auditRecord.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
    expect(records.map(({ details }) => details)).toEqual([
      { count: 1, ...selection },
      { count: 1, ...selection },
      { count: 1, before: null, deliveryIds: [String(single), '99999999'] },
      { count: 1, before: null, since: at(4).toISOString() },
    ]);
  });

  test('without an error are a separate group, which is counted, retried and dismissed separately', async () => {
    const none = { companyId, ...DEAD, createdAt: at(1), lastError: null, lastStatusCode: null };
    for (let n = 0; n < 3; n += 1) await addDelivery(api.db, endpointId, none);
    const other = await dead(2, 'timeout', null);
    expect((await read('/dead-letters')).data).toMatchObject([
      { error: null, count: 3 },
      { error: 'timeout', count: 1 },
    ]);
    const count = async () => (await read(`/dead-letters/count?endpoint_id=${endpointId}&error=`)).count;
    const path = `/webhooks/${endpointId}`;
    const token = sessionToken({ companyId });
    expect(await count()).toBe(3);
    const retried = await api.post(`${path}/retry-dead`, token, { error: null, limit: 1 }).expect(200);
    expect(retried.body.count).toBe(1);
    expect(await count()).toBe(2);
    const dismissed = await api.post(`${path}/dismiss-dead`, token, { error: null }).expect(200);
    expect(dismissed.body).toEqual({ count: 2, nextCursor: null });
    expect((await read('/dead-letters')).data).toMatchObject([
      { error: 'timeout', count: 1, exampleDeliveryId: String(other) },
    ]);
    const records = await api.db.auditRecord.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
    expect(records.map(({ details }) => details)).toEqual([
      { count: 1, since: null, error: null },
      { count: 2, before: null, error: null },
    ]);
  });

  test.each([{}, { error: 'timeout' }])(
    'are moved once each by consecutive calls (%j), even if they are dead again by then',
    async (filter) => {
      // Two of them were created at the same moment.
      for (const minute of [1, 2, 2, 3, 4]) await dead(minute, 'timeout', null);
      const path = `/webhooks/${endpointId}/retry-dead`;
      const counts: number[] = [];
      const retried: (bigint | undefined)[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null && counts.length < 5) {
        const body = { ...filter, limit: 2, ...(cursor !== undefined && { cursor }) };
        const response = await api.post(path, sessionToken({ companyId }), body).expect(200);
        counts.push(response.body.count);
        cursor = response.body.nextCursor;
        const moved = await api.db.$queryRaw<{ id: bigint }[]>`
          WITH pending AS (
            DELETE FROM pending_deliveries WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} RETURNING *
          )
          INSERT INTO webhook_deliveries
            (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, last_status_code, last_error)
          SELECT company_id, id, endpoint_id, event_id, event_type, 'dead', 8, created_at, 500, 'timeout' FROM pending
          RETURNING id`;
        retried.push(...moved.map(({ id }) => id));
      }
      expect(counts).toEqual([2, 2, 1]);
      expect(new Set(retried).size).toBe(5);
    },
  );

  test('of an unknown endpoint, a removed one and one of another workspace are empty', async () => {
    await dead(1, 'timeout', null);
    companyId += 1;
    await addCompany(api.db, companyId);
    for (const id of [endpointId, 99_999]) {
      expect(await read(`/dead-letters/count?endpoint_id=${id}`)).toEqual({ count: 0, countExact: true });
      expect(await read(`/dead-letters?endpoint_id=${id}`)).toEqual({ data: [], isComplete: true });
    }
  });

  test.each([
    ['no ids', { deliveryIds: [] }, 'deliveryIds'],
    ['an id that is a number', { deliveryIds: [1] }, 'deliveryIds'],
    ['an invalid id', { deliveryIds: ['0x1'] }, 'deliveryIds'],
    ['501 ids', { deliveryIds: Array<string>(501).fill('1') }, 'deliveryIds'],
    ['the limit 0', { limit: 0 }, 'limit'],
    ['the limit 10,001', { limit: 10_001 }, 'limit'],
    ['an empty error', { error: '' }, 'error'],
    ['a cursor of another list', { cursor: '1000000000000' }, 'cursor'],
    ['a cursor behind all times', { cursor: '99999999999999-1' }, 'cursor'],
    ['an error that cannot be stored', { error: 'a\0b' }, 'error'],
  ])('rejects a retry with %s', async (_, selection, field) => {
    const path = `/webhooks/${endpointId}/retry-dead`;
    const { body } = await api.post(path, sessionToken({ companyId }), selection).expect(400);
    expect(body.code).toBe('INVALID_REQUEST');
    expect(body.error).toMatch(new RegExp(`^${field}`));
  });
});

describe('the requests of API keys', () => {
  const today = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const keyId = () => companyId + 1_000;

  test('are counted by key and day, regardless of the response, with refused ones separately', async () => {
    const key = await addKey(api.db, companyId, { id: keyId(), scopes: ['read:calls'] });
    const unused = await addKey(api.db, companyId);
    const keyUsage = createKeyUsage(api.db, api.deps.logger);
    const app = createApp({ ...api.deps, metrics: createMetrics(), keyUsage });
    const send = (path: string, token: string, status: number) =>
      supertest(app).get(path).set('Authorization', `Bearer ${token}`).expect(status);
    await send('/api/v1/calls', key, 200);
    await send('/api/v1/calls?limit=x', key, 400);
    await send('/api/v1/decision-rooms', key, 403);
    await send('/api/v1/calls', `${unused.slice(0, -1)}!`, 401);
    await send('/console/api/session', sessionToken({ companyId }), 200);
    await keyUsage.close();
    const body = await read('/api-key-usage?days=3');
    expect(body).toEqual({
      days: [2, 1, 0].map((ago) => new Date(today().getTime() - ago * DAY_MS).toISOString().slice(0, 10)),
      data: [{ keyId: keyId(), requests: [0, 0, 3], refused: [0, 0, 1], totalRequests: 3, totalRefused: 1 }],
    });
  });

  test('of two processes add up, and are written without a shutdown', async () => {
    await addKey(api.db, companyId, { id: keyId() });
    const processes = [
      createKeyUsage(api.db, api.deps.logger, 20),
      createKeyUsage(api.db, api.deps.logger, 20),
    ];
    const requests = async () =>
      Number(
        (await api.db.apiKeyDay.aggregate({ where: { companyId }, _sum: { requests: true } }))._sum.requests,
      );
    for (const round of [1, 2]) {
      for (const usage of processes) {
        for (const statusCode of [200, 429]) usage.count({ companyId, keyId: keyId(), statusCode });
      }
      await until('the counts of both', async () => (await requests()) === 4 * round);
    }
    expect(await api.db.apiKeyDay.findMany({ where: { companyId } })).toEqual([
      { companyId, apiKeyId: keyId(), day: today(), requests: 8n, refused: 4n },
    ]);
    await Promise.all(processes.map((usage) => usage.close()));
  });

  test('wait in memory while they cannot be written; those of unknown keys are dropped', async () => {
    await addKey(api.db, companyId, { id: keyId() });
    const usage = createKeyUsage(api.db, api.deps.logger, 20);
    await api.db.$executeRaw`ALTER TABLE api_key_days RENAME TO api_key_days_away`;
    usage.count({ companyId, keyId: keyId(), statusCode: 200 });
    usage.count({ companyId, keyId: 99_999, statusCode: 200 });
    const isWarned = () =>
      api.log.some(({ message }) => message === 'could not record the requests of API keys');
    await until('a warning', async () => isWarned());
    await api.db.$executeRaw`ALTER TABLE api_key_days_away RENAME TO api_key_days`;
    await usage.close();
    expect((await read('/api-key-usage?days=1')).data).toMatchObject([{ keyId: keyId(), requests: [1] }]);
  });

  test('are written before the process ends, including those that are being written at the time', async () => {
    await addKey(api.db, companyId, { id: keyId() });
    const usage = createKeyUsage(api.db, api.deps.logger, 20);
    const state = { isClosed: false };
    const closed = await api.db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE api_key_days IN ACCESS EXCLUSIVE MODE`;
      usage.count({ companyId, keyId: keyId(), statusCode: 200 });
      await until('the counts to wait for the table', async () => {
        const [row] = await tx.$queryRaw<[{ waiting: number }]>`
          SELECT count(*)::int AS waiting FROM pg_locks
          WHERE NOT granted AND relation = 'api_key_days'::regclass`;
        return row.waiting === 1;
      });
      const closing = usage.close().then(() => (state.isClosed = true));
      await tx.$queryRaw`SELECT 1 AS one`;
      expect(state.isClosed).toBe(false);
      return { closing };
    });
    await closed.closing;
    expect((await read('/api-key-usage?days=1')).data).toMatchObject([{ keyId: keyId(), requests: [1] }]);
  });

  test('are those of the workspace, or of one of its keys', async () => {
    await addKey(api.db, companyId, { id: keyId() });
    await api.db.apiKeyDay.create({ data: { companyId, apiKeyId: keyId(), day: today(), requests: 5 } });
    const other = keyId();
    companyId += 1;
    await addCompany(api.db, companyId);
    await addKey(api.db, companyId, { id: keyId() });
    await api.db.apiKeyDay.create({ data: { companyId, apiKeyId: keyId(), day: today(), requests: 7 } });
    expect((await read('/api-key-usage')).data).toMatchObject([{ keyId: keyId(), totalRequests: 7 }]);
    expect((await read(`/api-key-usage?key_id=${keyId()}`)).data).toHaveLength(1);
    expect((await read(`/api-key-usage?key_id=${other}`)).data).toEqual([]);
  });

  test.each(['0', '91', '-1', 'x', ''])('rejects %j days', async (days) => {
    const { body } = await api
      .get(`/console/api/api-key-usage?days=${days}`, sessionToken({ companyId }))
      .expect(400);
    expect(body.error).toBe('days: must be a whole number from 1 to 90');
  });
});
