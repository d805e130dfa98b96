import { addDelivery, addEndpoint, DEAD } from '@deal-signals/test-kit/worlds/deliveries';
import { second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

let api: TestApi;
let key: string;
let endpointId: number;
const token = sessionToken();

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

const dismiss = (body?: unknown, by = token) => api.post(`/webhooks/${endpointId}/dismiss-dead`, by, body);
const deadDeliveries = async () =>
  (await api.get('/status', key).expect(200)).body.webhooks.deadDeliveries as number;

test('dismissed deliveries stay in the log and are no longer counted', async () => {
  const before = await deadDeliveries();
  const ids = [
    await addDelivery(api.db, endpointId, { ...DEAD, createdAt: second(10) }),
    await addDelivery(api.db, endpointId, { ...DEAD, createdAt: second(20) }),
  ].map(String);
  expect(await deadDeliveries()).toBe(before + 2);
  expect((await dismiss({ before: second(20).toISOString() }).expect(200)).body).toEqual({
    count: 1,
    nextCursor: null,
  });
  expect(await deadDeliveries()).toBe(before + 1);
  const { body } = await api
    .get(`/webhook-deliveries?status=dead&endpoint_id=${endpointId}`, key)
    .expect(200);
  expect(body.data).toMatchObject([
    { id: ids[0], status: 'dead', dismissedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    { id: ids[1], status: 'dead', dismissedAt: null },
  ]);
  expect((await api.post(`/webhooks/${endpointId}/retry-dead`, token).expect(200)).body).toEqual({
    count: 1,
    nextCursor: null,
  });
  expect((await dismiss().expect(200)).body).toEqual({ count: 0, nextCursor: null });
});

test('an endpoint that is unknown, foreign or removed', async () => {
  await addDelivery(api.db, endpointId, DEAD);
  expect((await dismiss({}, sessionToken({ companyId: 2 })).expect(404)).body.code).toBe('NOT_FOUND');
  await api.delete(`/webhooks/${endpointId}`, token).expect(204);
  expect((await dismiss().expect(409)).body.code).toBe('INVALID_STATE');
});

test.each<[string, unknown, string]>([
  ['no date', { before: 'yesterday' }, 'before'],
  ['null', { before: null }, 'before'],
  ['a list', [], 'body'],
])('rejects %s and dismisses nothing', async (_name, body, field) => {
  const before = await deadDeliveries();
  const response = await dismiss(body).expect(400);
  expect(response.body).toEqual({
    error: expect.stringMatching(`^${field}: must `),
    code: 'INVALID_REQUEST',
    ...(field !== 'body' && { field }),
  });
  expect(await deadDeliveries()).toBe(before);
});
