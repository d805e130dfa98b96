import { webhookDelivery } from '@deal-signals/serializers/webhooks/delivery';
import { webhookDeliveryDetail } from '@deal-signals/serializers/webhooks/delivery-detail';
import {
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

let api: TestApi;
let endpointId: number;
let deliveries: string[];
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  endpointId = await addEndpoint(api.db);
  await addDelivery(api.db, await addEndpoint(api.db));
  deliveries = [];
  for (const fields of [DEAD, {}, DELIVERED, DEAD]) {
    deliveries.push(String(await addDelivery(api.db, endpointId, fields)));
  }
});

afterAll(() => api.close());

describe('the list', () => {
  const list = async (query = '') =>
    (await api.get(`/webhooks/${endpointId}/deliveries${query}`, token).expect(200)).body;
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  test('has only the deliveries of the endpoint, in the order of their ids', async () => {
    const body = await list();
    expect(idsOf(body)).toEqual(deliveries);
    expect([body.nextCursor, body.hasMore]).toEqual([deliveries[3], false]);
    expect(body.data).toEqual(body.data.map((row: unknown) => webhookDelivery.strict().parse(row)));
  });

  test('is paged and filtered by status', async () => {
    const dead = await list('?status=dead&limit=1');
    expect([idsOf(dead), dead.hasMore]).toEqual([[deliveries[0]], true]);
    const rest = await list(`?status=dead&limit=1&cursor=${dead.nextCursor}`);
    expect([idsOf(rest), rest.hasMore]).toEqual([[deliveries[3]], false]);
    expect(idsOf(await list('?status=pending'))).toEqual([deliveries[1]]);
    expect(idsOf(await list('?status=delivered'))).toEqual([deliveries[2]]);
    expect(await list(`?cursor=${deliveries[3]}`)).toEqual({
      data: [],
      nextCursor: deliveries[3],
      hasMore: false,
    });
  });

  test.each([
    ['status=lost', 'INVALID_REQUEST'],
    ['status=dead&status=pending', 'INVALID_REQUEST'],
    ['limit=501', 'INVALID_REQUEST'],
    ['cursor=-1', 'INVALID_CURSOR'],
  ])('rejects %s', async (query, code) => {
    const response = await api.get(`/webhooks/${endpointId}/deliveries?${query}`, token).expect(400);
    expect(response.body.code).toBe(code);
  });

  test('ignores a parameter that names another endpoint', async () => {
    expect(idsOf(await list('?endpoint_id=1'))).toEqual(deliveries);
  });
});

describe('one delivery', () => {
  const detail = async (deliveryId: string) =>
    (await api.get(`/webhooks/${endpointId}/deliveries/${deliveryId}`, token).expect(200)).body.data;

  test('without attempts has its payload and an empty log', async () => {
    const id = deliveries[1] as string;
    const { body } = await api.get(`/webhooks/${endpointId}/deliveries?status=pending`, token);
    const { payload, attemptLog, ...rest } = await detail(id);
    expect(rest).toEqual(body.data[0]);
    expect(attemptLog).toEqual([]);
    const { event } = await readDelivery(api.db, BigInt(id));
    expect(JSON.stringify(payload)).toBe(event.body);
  });

  test('has all its attempts in order', async () => {
    const id = deliveries[0] as string;
    const deliveryId = BigInt(id);
    await api.db.webhookAttempt.createMany({
      data: [
        {
          companyId: 1,
          deliveryId,
          number: 2,
          startedAt: second(20),
          durationMs: 120,
          statusCode: 500,
          error: 'receiver responded with 500',
          responseExcerpt: 'oops',
          retryAfterSeconds: 30,
          traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
        },
        {
          companyId: 1,
          deliveryId,
          number: 1,
          startedAt: second(10),
          durationMs: 10_000,
          error: 'timeout after 10000 ms',
        },
      ],
    });
    const data = await detail(id);
    expect(webhookDeliveryDetail.strict().parse(data)).toEqual(data);
    expect(data.attemptLog).toEqual([
      {
        number: 1,
        startedAt: '2026-01-01T00:00:10.000Z',
        durationMs: 10_000,
        statusCode: null,
        error: 'timeout after 10000 ms',
        responseExcerpt: null,
        retryAfterSeconds: null,
        traceparent: null,
      },
      {
        number: 2,
        startedAt: '2026-01-01T00:00:20.000Z',
        durationMs: 120,
        statusCode: 500,
        error: 'receiver responded with 500',
        responseExcerpt: 'oops',
        retryAfterSeconds: 30,
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      },
    ]);
  });

  test('has at most its newest 1,000 attempts', async () => {
    const id = deliveries[3] as string;
    const deliveryId = BigInt(id);
    await api.db.webhookAttempt.createMany({
      data: Array.from({ length: 1_005 }, (_, n) => ({
        companyId: 1,
        deliveryId,
        number: n + 1,
        startedAt: second(n),
        durationMs: 1,
      })),
    });
    const { attemptLog } = await detail(id);
    expect([attemptLog.length, attemptLog[0].number, attemptLog.at(-1).number]).toEqual([1_000, 6, 1_005]);
  });
});
