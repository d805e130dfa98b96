import { randomUUID } from 'node:crypto';
import { status } from '@deal-signals/serializers/status';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addCompany, addKey, second } from '../rows.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimitPerMinute: 1234 } });
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
});

afterAll(() => api.close());

test('a workspace without webhooks', async () => {
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

test('counts the endpoints and deliveries of the workspace alone', async () => {
  for (const companyId of [1, 2]) {
    for (const enabled of [true, false]) {
      await api.db.webhookEndpoint.create({
        data: {
          companyId,
          url: 'https://example.com',
          events: ['*'],
          enabled,
          secretCiphertext: Buffer.from('-'),
        },
      });
    }
  }
  await api.db.webhookEndpoint.create({
    data: {
      companyId: 1,
      url: 'https://example.com',
      events: ['*'],
      enabled: false,
      removedAt: second(1),
      secretCiphertext: Buffer.from('-'),
    },
  });
  const { id: endpointId } = await api.db.webhookEndpoint.findFirstOrThrow({ where: { companyId: 1 } });
  const event = {
    companyId: 1,
    id: randomUUID(),
    type: 'integration.ping',
    createdAt: second(1),
    body: '{}',
  };
  await api.db.webhookEvent.create({ data: event });
  const delivery = {
    companyId: 1,
    endpointId,
    eventId: event.id,
    eventType: event.type,
    createdAt: second(1),
  };
  await api.db.webhookDelivery.createMany({
    data: [
      ...[1, 2, 3].map(() => ({ ...delivery, nextAttemptAt: second(2) })),
      ...[1, 2].map(() => ({ ...delivery, status: 'dead' as const, ready: false })),
      ...[9, 7].map((n) => ({
        ...delivery,
        status: 'delivered' as const,
        ready: false,
        deliveredAt: second(n),
      })),
    ],
  });
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
