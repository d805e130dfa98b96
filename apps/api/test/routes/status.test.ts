import { firstIdAt } from '@deal-signals/db/feeds/position';
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
import { Client } from 'pg';
import { openTestApi, type TestApi } from '../test-api.ts';
import { explain, recordQueries } from './query-plans/query-plan.ts';

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
      pendingDeliveriesExact: true,
      deadDeliveries: 0,
      deadDeliveriesExact: true,
      lastDeliveredAt: null,
    },
    rateLimit: { perMinute: 1234 },
  });
});

test('the status counts only the endpoints and deliveries of the workspace', async () => {
  const endpointId = await addEndpoint(api.db, { lastSuccessAt: second(7) });
  await addEndpoint(api.db, { enabled: false });
  await addEndpoint(api.db, { enabled: false, removedAt: second(1), lastSuccessAt: second(9) });
  await addEndpoint(api.db, { companyId: 2 });
  await addEndpoint(api.db, { companyId: 2, enabled: false });
  await addDeliveries(api.db, endpointId, 3);
  await addDeliveries(api.db, endpointId, 2, DEAD);
  // None of these needs attention.
  const removed = await addEndpoint(api.db, { enabled: false, removedAt: second(1) });
  await addDelivery(api.db, removed, DEAD);
  await addDelivery(api.db, endpointId, { ...DEAD, dismissedAt: second(2) });
  await addDelivery(api.db, endpointId, { ...DEAD, eventType: 'integration.ping' });
  await addDelivery(api.db, endpointId, { ...DELIVERED, deliveredAt: second(7) });
  const webhooksOf = async (companyId: number) =>
    (await api.get('/status', await addKey(api.db, companyId)).expect(200)).body.webhooks;
  expect(await webhooksOf(1)).toEqual({
    endpoints: 2,
    enabledEndpoints: 1,
    pendingDeliveries: 3,
    pendingDeliveriesExact: true,
    deadDeliveries: 2,
    deadDeliveriesExact: true,
    lastDeliveredAt: '2026-01-01T00:00:09.000Z',
  });
  expect(await webhooksOf(2)).toMatchObject({ endpoints: 2, pendingDeliveries: 0, lastDeliveredAt: null });
});

test.each([
  ['as many deliveries as are counted', 5_000, true],
  ['one more', 1, false],
  ['very many', 100_000, false],
])(
  'with %s, the status returns the minimum number, and reads no more than that',
  async (_name, added, isExact) => {
    const client = new Client({ connectionString: api.database.url });
    await client.connect();
    try {
      // Deliveries on hold and dead ones, so the dispatcher's indexes and triggers have nothing to do with them.
      await client.query('SET session_replication_role = replica');
      await client.query("INSERT INTO companies (id, name) VALUES (3, 'Busy') ON CONFLICT DO NOTHING");
      await client.query(
        `INSERT INTO webhook_endpoints (company_id, id, url, events, secret_ciphertext)
         VALUES (3, 31, 'https://example.com', '{*}', '-'), (3, 32, 'https://example.com', '{*}', '-')
         ON CONFLICT DO NOTHING`,
      );
      const fill = (table: string, columns: string, values: string, firstId: bigint) =>
        client.query(
          `INSERT INTO ${table} (company_id, id, endpoint_id, event_id, event_type, created_at, ${columns})
           SELECT 3, ${firstId} + n, 31 + n % 2, gen_random_uuid(), 'engagement.recorded', now(), ${values}
           FROM generate_series(1, $1::int) n`,
          [added],
        );
      const firstId = firstIdAt(new Date());
      await fill('pending_deliveries', 'ready', 'false', firstId);
      await fill('webhook_deliveries', 'status, attempts', "'dead', 8", firstId + BigInt(added));
      await client.query('VACUUM (ANALYZE) pending_deliveries, webhook_deliveries');
      const key = await addKey(api.db, 3);
      const statements = await recordQueries(async () => {
        const { body } = await api.get('/status', key).expect(200);
        expect(body.webhooks).toMatchObject({
          pendingDeliveries: 5_000,
          pendingDeliveriesExact: isExact,
          deadDeliveries: 5_000,
          deadDeliveriesExact: isExact,
        });
      });
      const { rowsRead, buffers, text } = await explain(client, statements.at(-1)!);
      const isBounded = rowsRead <= 2 * 5_001 + 20 && buffers <= 150;
      expect(isBounded ? null : { rowsRead, buffers, text }).toBeNull();
    } finally {
      await client.end();
    }
  },
  300_000,
);
