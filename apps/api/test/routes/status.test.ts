import { status } from '@deal-signals/serializers/status';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
  DELIVERED,
} from '@deal-signals/test-kit/worlds/deliveries';
import { second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimitPerMinute: 1234 } });
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

test('the status shows the workspace, the key and the limit', async () => {
  const key = await addKey(api.db, 1, { name: 'warehouse', createdAt: second(5) });
  const { body } = await api.get('/status', key).expect(200);
  expect(status.strict().parse(body)).toEqual(body);
  expect(body).toEqual({
    ok: true,
    apiVersion: '2026-09-01',
    company: { id: 1, name: 'Company 1' },
    key: {
      prefix: key.slice(0, 13),
      name: 'warehouse',
      scopes: ['read'],
      createdAt: '2026-01-01T00:00:05.000Z',
      lastUsedAt: null,
    },
    webhooks: {
      endpoints: 0,
      enabledEndpoints: 0,
      pendingDeliveries: 0,
      deadDeliveries: 0,
      lastDeliveredAt: null,
    },
    rateLimit: { perMinute: 1234 },
  });
});

test('the status counts only the endpoints and deliveries of the workspace', async () => {
  const endpointId = await addEndpoint(api.db);
  await addEndpoint(api.db, { enabled: false });
  await addEndpoint(api.db, { enabled: false, removedAt: second(1) });
  await addEndpoint(api.db, { companyId: 2 });
  await addEndpoint(api.db, { companyId: 2, enabled: false });
  await addDeliveries(api.db, endpointId, 3);
  await addDeliveries(api.db, endpointId, 2, DEAD);
  // None of these needs anybody's attention.
  const removed = await addEndpoint(api.db, { enabled: false, removedAt: second(1) });
  await addDelivery(api.db, removed, DEAD);
  await addDelivery(api.db, endpointId, { ...DEAD, dismissedAt: second(2) });
  await addDelivery(api.db, endpointId, { ...DEAD, eventType: 'integration.ping' });
  for (const n of [9, 7]) await addDelivery(api.db, endpointId, { ...DELIVERED, deliveredAt: second(n) });
  const webhooksOf = async (companyId: number) =>
    (await api.get('/status', await addKey(api.db, companyId)).expect(200)).body.webhooks;
  expect(await webhooksOf(1)).toEqual({
    endpoints: 2,
    enabledEndpoints: 1,
    pendingDeliveries: 3,
    deadDeliveries: 2,
    lastDeliveredAt: '2026-01-01T00:00:09.000Z',
  });
  expect(await webhooksOf(2)).toMatchObject({ endpoints: 2, pendingDeliveries: 0, lastDeliveredAt: null });
});
