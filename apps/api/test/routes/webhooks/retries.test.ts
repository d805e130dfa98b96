import { firstIdAt } from '@deal-signals/db/feeds/position';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_RETRIED } from '@deal-signals/deliveries/admin-actions/retry';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { until } from '@deal-signals/test-kit/until';
import {
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sendBytes } from '../../http/server/raw-http.ts';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

let api: TestApi;
let endpointId: number;
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
});

beforeEach(async () => {
  endpointId = await addEndpoint(api.db);
});

afterAll(() => api.close());

const rowOf = (id: bigint) => readDelivery(api.db, id);
const retry = (id: bigint) => api.post(`/webhooks/${endpointId}/deliveries/${id}/retry`, token);
const retryDead = (body?: unknown) => api.post(`/webhooks/${endpointId}/retry-dead`, token, body);

describe('a retry of a delivery', () => {
  test('that is dead starts a new schedule immediately and keeps its history', async () => {
    const id = await addDelivery(api.db, endpointId, DEAD);
    const { data } = (await retry(id).expect(200)).body;
    expect(data).toMatchObject({
      id: String(id),
      status: 'pending',
      attempts: 0,
      lastError: 'receiver responded with 500',
    });
    expect(isWithinTest(data.nextAttemptAt)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ ready: true, claimToken: null });
  });

  test('that is pending makes it due immediately and continues its schedule', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const waiting = { status: 'pending', attempts: 3, nextAttemptAt: later, ready: false } as const;
    const id = await addDelivery(api.db, endpointId, waiting);
    const { data } = (await retry(id).expect(200)).body;
    expect(data).toMatchObject({ status: 'pending', attempts: 3 });
    expect(isWithinTest(data.nextAttemptAt)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ ready: true });
  });

  test('whose attempt is in progress keeps the claim and is recorded', async () => {
    const claimed = {
      attempts: 1,
      nextAttemptAt: second(1),
      ready: false,
      claimToken: uuid(5),
      leaseExpiresAt: new Date(Date.now() + 60_000),
    } as const;
    const id = await addDelivery(api.db, endpointId, claimed);
    await retry(id).expect(200);
    expect(await rowOf(id)).toMatchObject({
      claimToken: uuid(5),
      ready: false,
      retryRequestedAt: expect.any(Date),
    });
  });

  test('at a disabled endpoint puts it on hold until the endpoint is enabled', async () => {
    const id = await addDelivery(api.db, endpointId, DEAD);
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: false }).expect(200);
    const { data } = (await retry(id).expect(200)).body;
    expect(data).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: null });
    expect(await rowOf(id)).toMatchObject({ ready: false });
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: true }).expect(200);
    expect(await rowOf(id)).toMatchObject({ ready: true });
  });

  test('that is delivered is rejected', async () => {
    const id = await addDelivery(api.db, endpointId, DELIVERED);
    const before = await rowOf(id);
    const { body } = await retry(id).expect(409);
    expect(body).toEqual({ error: 'a delivered delivery cannot be retried', code: 'INVALID_STATE' });
    expect(await rowOf(id)).toEqual(before);
  });
});

test('the log line of a retry has the delivery and its event', async () => {
  const id = await addDelivery(api.db, endpointId, DEAD);
  const { data } = (await retry(id).set('X-Request-Id', 'the-retry').expect(200)).body;
  const line = await until('the request to be logged', () =>
    api.log.find(({ requestId }) => requestId === 'the-retry'),
  );
  expect(line).toMatchObject({ deliveryId: String(id), endpointId, eventId: data.eventId });
});

describe('a retry of all dead deliveries', () => {
  const statuses = async (ids: bigint[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).status));

  test('moves those of the endpoint, and nothing else', async () => {
    const dead = [await addDelivery(api.db, endpointId, DEAD), await addDelivery(api.db, endpointId, DEAD)];
    const waiting = { status: 'pending', attempts: 3, nextAttemptAt: second(9), ready: false } as const;
    const others = [
      await addDelivery(api.db, endpointId, waiting),
      await addDelivery(api.db, endpointId, DELIVERED),
      await addDelivery(api.db, await addEndpoint(api.db), DEAD),
    ];
    const before = await Promise.all(others.map(rowOf));
    expect((await retryDead().expect(200)).body).toEqual({ count: 2, nextCursor: null });
    for (const id of dead) {
      const row = await rowOf(id);
      expect(row).toMatchObject({ status: 'pending', attempts: 0, ready: true });
      expect(isWithinTest(row.nextAttemptAt)).toBe(true);
    }
    expect(await Promise.all(others.map(rowOf))).toEqual(before);
    expect((await retryDead().expect(200)).body).toEqual({ count: 0, nextCursor: null });
  });

  test.each([
    ['2026-01-01T00:00:20.000Z', ['dead', 'pending', 'pending']],
    ['2026-01-01T02:00:20+02:00', ['dead', 'pending', 'pending']],
    ['2026-01-01', ['pending', 'pending', 'pending']],
    ['2026-01-02', ['dead', 'dead', 'dead']],
  ])('since %s moves those from that time on', async (since, expected) => {
    const ids: bigint[] = [];
    for (const n of [10, 20, 30])
      ids.push(await addDelivery(api.db, endpointId, { ...DEAD, createdAt: second(n) }));
    const { count } = (await retryDead({ since, unknown: 1 }).expect(200)).body;
    expect(count).toBe(expected.filter((status) => status === 'pending').length);
    expect(await statuses(ids)).toEqual(expected);
  });

  test('at a disabled endpoint puts them on hold', async () => {
    const id = await addDelivery(api.db, endpointId, DEAD);
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: false }).expect(200);
    expect((await retryDead().expect(200)).body).toEqual({ count: 1, nextCursor: null });
    expect(await rowOf(id)).toMatchObject({ status: 'pending', nextAttemptAt: null, ready: false });
  });

  test(`moves at most ${MAX_RETRIED} at a time, oldest first`, async () => {
    const event = { id: uuid(endpointId), type: 'engagement.recorded', createdAt: second(1), body: '{}' };
    await api.db.webhookEvent.create({ data: { companyId: 1, ...event } });
    await api.db.$executeRaw`
      INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at)
      SELECT 1, ${firstIdAt(second(0))} - n * 1_000_000::bigint, ${endpointId}, ${event.id}::uuid, ${event.type}, 'dead', 8, ${second(0)}::timestamptz - n * interval '1 second'
      FROM generate_series(1, ${MAX_RETRIED} + 5) n`;
    expect((await retryDead().expect(200)).body).toEqual({
      count: MAX_RETRIED,
      nextCursor: expect.any(String),
    });
    const where = { endpointId, status: 'dead' } as const;
    const left = await api.db.webhookDelivery.findMany({ where, orderBy: { createdAt: 'desc' } });
    expect(left.map(({ createdAt }) => (Number(second(0)) - Number(createdAt)) / 1_000)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect((await retryDead().expect(200)).body).toEqual({ count: 5, nextCursor: null });
    expect((await retryDead().expect(200)).body).toEqual({ count: 0, nextCursor: null });
  });

  test.each<[string, unknown]>([
    ['an empty body object', {}],
    ['no body', undefined],
  ])('accepts %s', async (_name, body) => {
    await addDelivery(api.db, endpointId, DEAD);
    expect((await retryDead(body).expect(200)).body).toEqual({ count: 1, nextCursor: null });
  });

  test('accepts a request without a content length, as curl -X POST sends it', async () => {
    await addDelivery(api.db, endpointId, DEAD);
    const server = createServer(api.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const head = `POST /api/v1/webhooks/${endpointId}/retry-dead HTTP/1.1\r\nHost: x\r\nConnection: close`;
    const bytes = Buffer.from(`${head}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const responses = await sendBytes(port, bytes).finally(() => server.close());
    expect(responses).toMatchObject([{ status: 200, body: '{"count":1,"nextCursor":null}' }]);
  });

  test('accepts an empty body with a content type', async () => {
    await addDelivery(api.db, endpointId, DEAD);
    const request = retryDead().set('Content-Type', 'application/json').set('Content-Length', '0');
    expect((await request.expect(200)).body).toEqual({ count: 1, nextCursor: null });
  });

  test.each<[string, unknown, string]>([
    ['text that is not a date', { since: 'yesterday' }, 'since'],
    ['null', { since: null }, 'since'],
    ['a number', { since: 1_767_225_600 }, 'since'],
    ['an invalid date', { since: '2026-02-30' }, 'since'],
    ['a date without an offset', { since: '2026-01-01T00:00:00' }, 'since'],
    ['a date after the year 9999', { since: '9999-12-31T23:59:59-01:00' }, 'since'],
    ['a list', [], 'body'],
  ])('rejects %s and moves nothing', async (_name, body, field) => {
    const id = await addDelivery(api.db, endpointId, DEAD);
    const response = await retryDead(body).expect(400);
    expect(response.body).toEqual({
      error: expect.stringMatching(`^${field}: must `),
      code: 'INVALID_REQUEST',
      ...(field !== 'body' && { field }),
    });
    expect(await statuses([id])).toEqual(['dead']);
  });

  test('rejects broken JSON', async () => {
    const response = await retryDead().set('Content-Type', 'application/json').send('{"since":').expect(400);
    expect(response.body.code).toBe('INVALID_REQUEST');
  });
});
