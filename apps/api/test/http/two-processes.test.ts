import { holdResponses, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import {
  addDeliveries,
  addDelivery,
  addEndpoint,
  DEAD,
  readDelivery,
} from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sessionToken } from '../test-api.ts';

let database: TestDatabase;
let apis: [RunningApp, RunningApp];
const token = sessionToken({}, TEST_SECRETS.SESSION_JWT_SECRET);

beforeAll(async () => {
  database = await createTestDatabase();
  await addCompany(database.db, 1);
  const environment = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() };
  apis = await Promise.all([startApp('api', environment), startApp('api', environment)]);
});

afterAll(() => database.drop());

async function sendTo(api: RunningApp, method: string, path: string, credential = token) {
  const headers = { authorization: `Bearer ${credential}` };
  const response = await fetch(`${api.baseUrl}${path}`, { method, headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Sends the same request to both processes at the same time. */
const sendToBoth = (method: string, path: string) =>
  Promise.all(apis.map((api) => sendTo(api, method, path)));

const numerically = (a: number, b: number) => a - b;
const statusesOf = (responses: { status: number }[]) =>
  responses.map(({ status }) => status).toSorted(numerically);

test.each([
  ['first', 'second', 0, 1],
  ['second', 'first', 1, 0],
] as const)(
  'a key that the %s process has revoked is rejected by the %s immediately',
  async (_1, _2, here, there) => {
    const [revoker, other] = [apis[here], apis[there]];
    const key = await addKey(database.db, 1);
    expect((await sendTo(other, 'GET', '/status', key)).status).toBe(200);
    const { id } = await database.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect((await sendTo(revoker, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
    const refused = { status: 401, body: { code: 'API_KEY_INVALID' } };
    expect(await sendTo(other, 'GET', '/status', key)).toMatchObject(refused);
    expect(await sendTo(revoker, 'GET', '/status', key)).toMatchObject(refused);
  },
);

test('a request that was accepted before its key was revoked is completed, the next one is rejected', async () => {
  const [here, there] = apis;
  const key = await addKey(database.db, 1, { lastUsedAt: new Date() });
  const { id } = await database.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
  let running: ReturnType<typeof sendTo> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE`;
    running = sendTo(here, 'GET', '/decision-rooms', key);
    await until('the request to wait for the lock', async () => {
      const [row] = await database.db.$queryRaw<[{ waiting: number }]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.waiting;
    });
    expect((await sendTo(there, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
  });
  expect((await running)?.status).toBe(200);
  expect((await sendTo(here, 'GET', '/decision-rooms', key)).status).toBe(401);
});

test('concurrent retries of a delivery make it due once', async () => {
  const endpointId = await addEndpoint(database.db);
  for (let round = 0; round < 5; round += 1) {
    const deliveryId = await addDelivery(database.db, endpointId, DEAD);
    const responses = await sendToBoth('POST', `/webhooks/${endpointId}/deliveries/${deliveryId}/retry`);
    expect(responses).toMatchObject([
      { status: 200, body: { data: { status: 'pending', attempts: 0 } } },
      { status: 200, body: { data: { status: 'pending', attempts: 0 } } },
    ]);
    expect(await readDelivery(database.db, deliveryId)).toMatchObject({
      status: 'pending',
      ready: true,
      retryRequestedAt: null,
    });
  }
});

test('concurrent retries of all dead deliveries count each of them once', async () => {
  const endpointId = await addEndpoint(database.db);
  await addDeliveries(database.db, endpointId, 20, DEAD);
  const responses = await sendToBoth('POST', `/webhooks/${endpointId}/retry-dead`);
  expect(responses.map(({ body }) => body.count).toSorted(numerically)).toEqual([0, 20]);
});

test('sends one of two concurrent tests of an endpoint', async () => {
  const receiver = await startReceiver();
  const letRespond = holdResponses(receiver);
  const created = await fetch(`${apis[0].baseUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ url: receiver.url, events: ['*'] }),
  });
  const { data } = (await created.json()) as { data: { id: number } };
  const responses = apis.map((api) => sendTo(api, 'POST', `/webhooks/${data.id}/ping`));
  // The rejection, while the other one is still in progress.
  await Promise.race(responses);
  letRespond();
  expect(statusesOf(await Promise.all(responses))).toEqual([200, 409]);
  expect(receiver.requests).toHaveLength(1);
  await receiver.close();
});

test('one of two concurrent removals of an endpoint gets 404', async () => {
  const endpointId = await addEndpoint(database.db);
  await addDelivery(database.db, endpointId);
  expect(statusesOf(await sendToBoth('DELETE', `/webhooks/${endpointId}`))).toEqual([204, 404]);
  const objectId = String(endpointId);
  expect(await database.db.auditRecord.count({ where: { action: 'webhook.removed', objectId } })).toBe(1);
});

test('concurrent revocations of a key leave one audit record', async () => {
  await addKey(database.db, 1);
  const { id } = await database.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(statusesOf(await sendToBoth('DELETE', `/api-keys/${id}`))).toEqual([204, 204]);
  const objectId = String(id);
  expect(await database.db.auditRecord.count({ where: { action: 'api_key.revoked', objectId } })).toBe(1);
});
