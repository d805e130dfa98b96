import { createHmac } from 'node:crypto';
import {
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { adminToken, request } from '../published-api.ts';

const ROOM = uuid(1);

let database: TestDatabase;
let api: RunningApp;
let receiver: Receiver;
let endpoint: { id: number; secret: string };
let dealValueCents = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'room', id: ROOM, name: 'Globex' },
  );
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    WEBHOOK_MAX_ATTEMPTS: '1',
  };
  [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
});

beforeEach(async () => {
  receiver = await startReceiver({ respond: { status: 500, body: 'out of order' } });
  const { body } = await admin('POST', '/webhooks', { url: receiver.url, events: ['decision_room.updated'] });
  endpoint = { id: body.data.id, secret: body.secret };
});

afterAll(() => database.drop());

const admin = (method: string, path: string, body?: unknown) =>
  request(`${api.baseUrl}${path}`, adminToken(), { method, body });

/** Changes the room and waits until the resulting delivery is dead. Returns its id. */
async function letOneDie(): Promise<string> {
  dealValueCents += 100;
  await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', dealValueCents });
  const [dead] = await until('the delivery to be dead', async () => {
    const { body } = await admin('GET', `/webhooks/${endpoint.id}/deliveries?status=dead`);
    return body.data.length > 0 && body.data;
  });
  return dead.id;
}

/** Waits until a delivery has been delivered and returns its details. */
const delivered = (deliveryId: string) =>
  until('the delivery to be delivered', async () => {
    const { body } = await admin('GET', `/webhooks/${endpoint.id}/deliveries/${deliveryId}`);
    return body.data.status === 'delivered' && body.data;
  });

const isSignedWith = ({ headers, rawBody }: ReceivedRequest, secret: string): boolean => {
  const [, t, v1] = /^t=(\d+),v1=(.*)$/.exec(String(headers['x-service-signature'])) ?? [];
  return createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex') === v1;
};

test('a retried dead delivery arrives with the same bytes, and its log has every attempt', async () => {
  const deliveryId = await letOneDie();
  receiver.respond(200);
  await admin('POST', `/webhooks/${endpoint.id}/deliveries/${deliveryId}/retry`);
  const detail = await delivered(deliveryId);
  expect(detail).toMatchObject({ attempts: 1, lastStatusCode: 200, lastError: null, nextAttemptAt: null });
  expect(detail.attemptLog).toMatchObject([
    { number: 1, statusCode: 500, error: 'receiver responded with 500', responseExcerpt: 'out of order' },
    { number: 2, statusCode: 200, error: null },
  ]);
  const [first, second] = receiver.requests as [ReceivedRequest, ReceivedRequest];
  expect(second.rawBody).toEqual(first.rawBody);
  expect(JSON.parse(second.rawBody.toString())).toEqual(detail.payload);
  await receiver.close();
});

test('retried dead deliveries are signed with the new secret after a rotation', async () => {
  const deliveryId = await letOneDie();
  const { secret } = (await admin('POST', `/webhooks/${endpoint.id}/rotate-secret`)).body;
  receiver.respond(200);
  const retried = await admin('POST', `/webhooks/${endpoint.id}/retry-dead`, { since: '2026-01-01' });
  expect(retried.body).toEqual({ count: 1, nextCursor: null });
  await delivered(deliveryId);
  const [first, second] = receiver.requests as [ReceivedRequest, ReceivedRequest];
  expect([isSignedWith(first, endpoint.secret), isSignedWith(first, secret)]).toEqual([true, false]);
  expect([isSignedWith(second, endpoint.secret), isSignedWith(second, secret)]).toEqual([false, true]);
  await receiver.close();
});
