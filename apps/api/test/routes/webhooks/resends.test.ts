import { addDelivery, addEndpoint, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

let api: TestApi;
let key: string;
let endpointId: number;
const token = sessionToken();
const otherToken = sessionToken({ companyId: 2 });

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
  key = await addKey(api.db, 1);
});
beforeEach(async () => {
  endpointId = await addEndpoint(api.db);
});
afterAll(() => api.close());

const resend = (body?: unknown, by = token) => api.post(`/webhooks/${endpointId}/resend`, by, body);
const resendOne = (id: bigint, by = token) => api.post(`/webhooks/${endpointId}/deliveries/${id}/resend`, by);
const lastAudit = () => api.db.auditRecord.findFirstOrThrow({ orderBy: { id: 'desc' } });

test('creates a new delivery of the same event, which is in the feed of deliveries', async () => {
  const id = await addDelivery(api.db, endpointId, DELIVERED);
  const path = `/webhook-deliveries?endpoint_id=${endpointId}`;
  const { nextCursor } = (await api.get(path, key).expect(200)).body;
  const { data } = (await resendOne(id).expect(201)).body;
  expect(data).toMatchObject({ endpointId, status: 'pending', attempts: 0, deliveredAt: null });
  expect((await api.get(`${path}&cursor=${nextCursor}`, key).expect(200)).body.data).toEqual([data]);
  const detail = async (of: bigint | string) =>
    (await api.get(`/webhooks/${endpointId}/deliveries/${of}`, token).expect(200)).body.data;
  const [old, fresh] = [await detail(id), await detail(data.id)];
  expect(fresh.payload).toEqual(old.payload);
  expect(old).toMatchObject({ status: 'delivered' });
  expect(await lastAudit()).toMatchObject({
    userId: 7,
    action: 'delivery.resent',
    objectType: 'delivery',
    objectId: data.id,
    details: { webhookId: endpointId, resendOf: String(id) },
  });
});

test('resends many deliveries, with an audit record', async () => {
  for (let n = 10; n < 20; n += 1)
    await addDelivery(api.db, endpointId, { ...DELIVERED, createdAt: second(n) });
  const filter = { since: second(12), until: second(15), eventTypes: ['engagement.recorded'] };
  expect((await resend(filter).expect(200)).body).toEqual({ count: 3, nextCursor: null });
  expect(await lastAudit()).toMatchObject({
    action: 'deliveries.resent',
    objectType: 'webhook',
    objectId: String(endpointId),
    details: {
      count: 3,
      since: second(12).toISOString(),
      until: second(15).toISOString(),
      eventTypes: ['engagement.recorded'],
    },
  });
  const { id } = await lastAudit();
  expect((await resend({ ...filter, eventTypes: ['call.summary.created'] }).expect(200)).body.count).toBe(0);
  expect((await lastAudit()).id).toBe(id);
  expect((await resend().expect(200)).body).toEqual({ count: 7, nextCursor: null });
});

test('one call examines 10,000 deliveries, and the next one continues', async () => {
  const first = await addDelivery(api.db, endpointId, { ...DELIVERED, id: feedId() - 1_000_000n });
  // Many deliveries of one event count like any others.
  await api.db.$executeRaw`
    INSERT INTO webhook_deliveries
      (company_id, id, endpoint_id, event_id, event_type, created_at, status, attempts, delivered_at)
    SELECT company_id, id + n, endpoint_id, event_id, event_type, created_at, status, attempts, delivered_at
    FROM webhook_deliveries, generate_series(1, 10000) AS n WHERE id = ${first}`;
  await api.db.$executeRaw`
    UPDATE webhook_delivery_subjects SET deliveries = 10001 WHERE first_delivery_id = ${first}`;
  await addDelivery(api.db, endpointId, DELIVERED);
  const { body } = await resend({}).expect(200);
  expect(body).toEqual({ count: 1, nextCursor: expect.stringMatching(/^\d{16}$/) });
  expect((await resend({ cursor: body.nextCursor }).expect(200)).body).toEqual({
    count: 1,
    nextCursor: null,
  });
});

test('an endpoint or a delivery that is unknown, foreign or removed', async () => {
  const id = await addDelivery(api.db, endpointId, DELIVERED);
  for (const request of [resend({}, otherToken), resendOne(id, otherToken), resendOne(id + 1_000n)]) {
    expect((await request.expect(404)).body.code).toBe('NOT_FOUND');
  }
  await api.delete(`/webhooks/${endpointId}`, token).expect(204);
  for (const request of [resend(), resendOne(id)]) {
    expect((await request.expect(409)).body.code).toBe('INVALID_STATE');
  }
});

test.each<[string, unknown, string]>([
  ['no date', { since: 'yesterday' }, 'since'],
  ['null', { until: null }, 'until'],
  ['an unknown type', { eventTypes: ['x'] }, 'eventTypes.0'],
  ['no types', { eventTypes: [] }, 'eventTypes'],
  ['a cursor that is not a number', { cursor: 'x' }, 'cursor'],
  ['a list', [], 'body'],
])('rejects %s and resends nothing', async (_name, body, field) => {
  await addDelivery(api.db, endpointId, DELIVERED);
  const response = await resend(body).expect(400);
  expect(response.body).toEqual({
    error: expect.stringMatching(`^${field}: must `),
    code: 'INVALID_REQUEST',
    ...(field !== 'body' && { field }),
  });
  expect(await api.db.delivery.count({ where: { endpointId } })).toBe(1);
});
