import { createHmac } from 'node:crypto';
import { Database } from '@deal-signals/db/database';
import { webhookDelivery } from '@deal-signals/serializers/webhooks/delivery';
import { holdResponses, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { createTestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { isWithinTest } from '@deal-signals/test-kit/test-clock';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi, testWebhookSettings } from '../../test-api.ts';

/** Long enough that only a silent receiver exceeds it. */
const TIMEOUT_MS = 5_000;
const settings = { webhooks: testWebhookSettings({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) }) };
const token = sessionToken();

let api: TestApi;
let receiver: Receiver;
let endpoint: { id: number; secret: string };

beforeAll(async () => {
  api = await openTestApi({ settings });
  await addCompany(api.db, 1);
});

beforeEach(async () => {
  receiver = await startReceiver();
  endpoint = await register(api, receiver.url);
});

afterEach(() => receiver.close());

afterAll(() => api.close());

async function register(at: TestApi, url: string, fields: object = {}) {
  const { body } = await at.post('/webhooks', token, { url, events: ['*'], ...fields }).expect(201);
  return { id: body.data.id as number, secret: body.secret as string };
}

const ping = (id = endpoint.id) => api.post(`/webhooks/${id}/ping`, token);
const endpointRow = (id = endpoint.id) => api.db.webhookEndpoint.findFirstOrThrow({ where: { id } });
const deliveryRow = (id: string) => readDelivery(api.db, BigInt(id));

describe('a test event that arrives', () => {
  test('is signed with the secret of the endpoint, and is in the delivery log as sent', async () => {
    const { body } = await ping().expect(200);
    expect(webhookDelivery.strict().parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({
      endpointId: endpoint.id,
      eventType: 'integration.ping',
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      lastStatusCode: 200,
      lastError: null,
    });
    expect(receiver.requests).toHaveLength(1);
    const [{ rawBody, headers }] = receiver.requests as [Receiver['requests'][0]];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'integration.ping',
      'x-service-event-id': body.data.eventId,
      'x-service-delivery': body.data.id,
      'user-agent': 'Service-Webhooks/1.0',
    });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
    expect(createHmac('sha256', endpoint.secret).update(`${t}.`).update(rawBody).digest('hex')).toBe(v1);

    const { event } = await deliveryRow(body.data.id);
    expect(rawBody.toString()).toBe(event.body);
    const envelope = JSON.parse(rawBody.toString());
    expect(envelope).toEqual({
      id: body.data.eventId,
      type: 'integration.ping',
      apiVersion: '2026-09-01',
      createdAt: body.data.createdAt,
      companyId: 1,
      data: { endpointId: endpoint.id, message: expect.stringMatching(/test/) },
    });
    const path = `/webhooks/${endpoint.id}/deliveries/${body.data.id}`;
    const detail = (await api.get(path, token).expect(200)).body.data;
    expect(detail.payload).toEqual(envelope);
    expect(detail.attemptLog).toMatchObject([{ number: 1, statusCode: 200, error: null }]);
    const { lastSuccessAt } = await endpointRow();
    expect(isWithinTest(lastSuccessAt)).toBe(true);
    const { body: status } = await api.get('/status', await addKey(api.db, 1)).expect(200);
    expect(status.webhooks.lastDeliveredAt).toBe(lastSuccessAt!.toISOString());
  });

  test('has a timestamp of the feed clock, like every event', async () => {
    const { body } = await ping().expect(200);
    const clock = await api.db.feedClock.findUniqueOrThrow({ where: { companyId: 1 } });
    expect(body.data.createdAt).toBe(clock.at.toISOString());
    expect((await ping().expect(200)).body.data.createdAt > body.data.createdAt).toBe(true);
  });

  test('writes log lines with the request and the event', async () => {
    api.log.length = 0;
    const { body } = await ping().set('X-Request-Id', 'the-ping').expect(200);
    const named = () => api.log.filter(({ requestId }) => requestId === 'the-ping');
    await until('both lines', () => named().length === 2);
    const subject = {
      eventId: body.data.eventId,
      deliveryId: body.data.id,
      endpointId: endpoint.id,
      companyId: 1,
    };
    expect(named().find(({ message }) => message === 'request')).toMatchObject(subject);
    expect(named().find(({ message }) => message === 'attempt')).toMatchObject({
      ...subject,
      outcome: 'delivered',
      deliveryStatus: 'delivered',
      statusCode: 200,
    });
    expect(JSON.stringify(api.log)).not.toContain(receiver.url);
    const metrics = await api.deps.metrics.registry.metrics();
    expect(metrics).toMatch(/^deal_signals_attempts_total\{outcome="delivered"\} [1-9]/m);
  });

  test('is sent regardless of the subscription, and to a disabled endpoint, which stays disabled', async () => {
    const { id } = await register(api, receiver.url, { events: ['call.summary.created'] });
    expect((await ping(id).expect(200)).body.data.status).toBe('delivered');
    await api.patch(`/webhooks/${id}`, token, { enabled: false }).expect(200);
    expect((await ping(id).expect(200)).body.data.status).toBe('delivered');
    expect(await endpointRow(id)).toMatchObject({ enabled: false, disabledReason: 'disabled by an admin' });
  });

  test('is signed with the new secret immediately after a rotation', async () => {
    const { secret } = (await api.post(`/webhooks/${endpoint.id}/rotate-secret`, token).expect(200)).body;
    await ping().expect(200);
    const [{ rawBody, headers }] = receiver.requests as [Receiver['requests'][0]];
    const [, t, v1] = /^t=(\d+),v1=(.*)$/.exec(String(headers['x-service-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex')).toBe(v1);
  });

  test('is signed with both secrets while a rotation overlaps, and only with the new one afterwards', async () => {
    const rotate = async (body: object) =>
      (await api.post(`/webhooks/${endpoint.id}/rotate-secret`, token, body).expect(200)).body
        .secret as string;
    const second = await rotate({ overlapSeconds: 600 });
    await ping().expect(200);
    const third = await rotate({ overlapSeconds: 604_800 });
    await ping().expect(200);
    await api.db.$executeRaw`
      UPDATE webhook_endpoints SET previous_secret_until = clock_timestamp() WHERE id = ${endpoint.id}`;
    await ping().expect(200);
    await rotate({ overlapSeconds: 600 });
    const last = await rotate({});
    await ping().expect(200);
    const secrets = [endpoint.secret, second, third, last];
    /** Which of the secrets signed a request, in the order of the header. */
    const signers = receiver.requests.map(({ rawBody, headers }) => {
      const [time = '', ...values] = String(headers['x-service-signature']).split(',');
      const sign = (secret: string) =>
        createHmac('sha256', secret)
          .update(`${time.slice(2)}.`)
          .update(rawBody)
          .digest('hex');
      return values.map((value) => secrets.findIndex((secret) => value === `v1=${sign(secret)}`));
    });
    expect(signers).toEqual([[1, 0], [2, 1], [2], [3]]);
  });

  test.each([-1, 604_801, 1.5, '60', null])('a rotation rejects an overlap of %p', async (overlapSeconds) => {
    const path = `/webhooks/${endpoint.id}/rotate-secret`;
    const response = await api.post(path, token, { overlapSeconds }).expect(400);
    expect(response.body.error).toMatch(/^overlapSeconds: must be/);
  });

  test('goes only to its endpoint', async () => {
    const other = await startReceiver();
    await register(api, other.url);
    await ping().expect(200);
    expect(other.requests).toHaveLength(0);
    await other.close();
  });
});

describe('a test event that fails', () => {
  test.each<[string, Parameters<Receiver['respond']>[0], number | null, RegExp]>([
    ['an error status', { status: 500, body: 'oops' }, 500, /^receiver responded with 500$/],
    [
      'a redirect',
      { status: 302, headers: { location: '/elsewhere' } },
      302,
      /^receiver responded with 302$/,
    ],
    ['a timeout', 'hang', null, /^no response over TLS$/],
    ['a broken connection', 'close', null, /^no response over TLS$/],
  ])('because of %s is dead immediately and not counted', async (_name, behaviour, status, error) => {
    receiver.respond(behaviour);
    const { data } = (await ping().expect(200)).body;
    expect(data).toMatchObject({
      status: 'dead',
      attempts: 1,
      nextAttemptAt: null,
      deliveredAt: null,
      lastStatusCode: status,
      lastError: expect.stringMatching(error),
    });
    expect(receiver.requests.length).toBe(1);
    expect(await endpointRow()).toMatchObject({ enabled: true, consecutiveFailures: 0 });
    expect(await deliveryRow(data.id)).toMatchObject({ ready: false, claimToken: null });
    const detail = await api.get(`/webhooks/${endpoint.id}/deliveries/${data.id}`, token).expect(200);
    expect(detail.body.data.attemptLog).toMatchObject([{ number: 1, statusCode: status }]);
  });

  test('to a host that responded before reports how the connection failed; the log always does', async () => {
    const { host } = new URL(receiver.url);
    receiver.respond(['close', 404, 'close']);
    const errors = [await ping(), await ping(), await ping()].map(({ body }) => body.data.lastError);
    const closed = 'connection closed before a response';
    expect(errors).toEqual(['no response over TLS', 'receiver responded with 404', closed]);
    expect((await endpointRow()).respondedOrigin).toBe(host);
    const details = api.log
      .filter(({ message, endpointId }) => message === 'attempt' && endpointId === endpoint.id)
      .map(({ errorDetail }) => errorDetail);
    expect(details).toEqual([closed, undefined, closed]);
  });

  test('because of 410 disables the endpoint', async () => {
    receiver.respond(410);
    expect((await ping().expect(200)).body.data).toMatchObject({ status: 'dead', lastStatusCode: 410 });
    expect(await endpointRow()).toMatchObject({
      enabled: false,
      disabledReason: 'the receiver responded with 410 Gone',
    });
  });

  test.each(['https://10.0.0.1/', 'http://127.0.0.1/', 'https://localhost/'])(
    'because %s is no longer allowed is dead without a request',
    async (url) => {
      await api.db.webhookEndpoint.updateMany({ where: { id: endpoint.id }, data: { url } });
      const { data } = (await ping().expect(200)).body;
      expect(data).toMatchObject({ status: 'dead', lastStatusCode: null });
      expect(data.lastError).toMatch(/^the URL must /);
    },
  );

  test('can be sent again immediately', async () => {
    receiver.respond([500, 200]);
    expect((await ping().expect(200)).body.data.status).toBe('dead');
    expect((await ping().expect(200)).body.data.status).toBe('delivered');
  });
});

describe('while a test event is in progress', () => {
  test('another one for the endpoint is rejected, and one for another endpoint is sent', async () => {
    const letRespond = holdResponses(receiver);
    const first = ping().then((response) => response);
    await receiver.waitFor(1);
    const { body } = await ping().expect(409);
    expect(body.code).toBe('INVALID_STATE');
    expect(await api.db.delivery.count({ where: { endpointId: endpoint.id } })).toBe(1);
    const other = await startReceiver();
    expect((await ping((await register(api, other.url)).id).expect(200)).body.data.status).toBe('delivered');
    letRespond();
    expect((await first).body.data.status).toBe('delivered');
    receiver.respond(200);
    await ping().expect(200);
    await other.close();
  });

  test('it holds no database connection', async () => {
    const database = await createTestDatabase();
    const db: Database = new Database({
      url: database.url,
      poolSize: 1,
      applicationName: 'one connection',
      statementTimeoutMs: 30_000,
    });
    const narrow = await openTestApi({ settings, db });
    const letRespond = holdResponses(receiver);
    try {
      await addCompany(database.db, 1);
      const { id } = await register(narrow, receiver.url);
      const first = narrow.post(`/webhooks/${id}/ping`, token).then((response) => response);
      await receiver.waitFor(1);
      await narrow.get(`/webhooks/${id}`, token).expect(200);
      await narrow.patch(`/webhooks/${id}`, token, { description: 'changed meanwhile' }).expect(200);
      letRespond();
      expect((await first).body.data.status).toBe('delivered');
    } finally {
      letRespond();
      await narrow.close();
      await database.drop();
    }
  });

  test('an expired lease does not block the next one', async () => {
    await ping().expect(200);
    const { id } = await api.db.webhookDelivery.findFirstOrThrow({ where: { endpointId: endpoint.id } });
    await api.db.$executeRaw`
      WITH ended AS (DELETE FROM webhook_deliveries WHERE id = ${id} RETURNING *)
      INSERT INTO pending_deliveries
        (company_id, id, endpoint_id, event_id, event_type, created_at, next_attempt_at, ready, claim_token, lease_expires_at)
      SELECT company_id, id, endpoint_id, event_id, event_type, created_at, now(), false, gen_random_uuid(),
        now() - interval '1 second'
      FROM ended`;
    await ping().expect(200);
  });

  test('the endpoint can be removed, and the outcome is still recorded', async () => {
    const letRespond = holdResponses(receiver);
    const first = ping().then((response) => response);
    await receiver.waitFor(1);
    await api.delete(`/webhooks/${endpoint.id}`, token).expect(204);
    await ping().expect(404);
    letRespond();
    expect((await first).body.data).toMatchObject({ status: 'delivered', lastStatusCode: 200 });
    await ping().expect(404);
  });

  test('the loss of its claim makes the response 503', async () => {
    const letRespond = holdResponses(receiver);
    const first = ping().then((response) => response);
    await receiver.waitFor(1);
    const { count } = await api.db.pendingDelivery.updateMany({
      where: { endpointId: endpoint.id },
      data: { claimToken: null, leaseExpiresAt: null },
    });
    expect(count).toBe(1);
    letRespond();
    const { status, body, headers } = await first;
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
    expect(body.error).toMatch(/^the test was cut short before its outcome was known; see delivery 1\d{15}$/);
  });

  test('a stopping process responds with 503 and leaves the claim until its lease expires', async () => {
    const ending = await openTestApi({ settings });
    try {
      await addCompany(ending.db, 1);
      const { id } = await register(ending, receiver.url);
      receiver.respond('hang');
      const first = ending.post(`/webhooks/${id}/ping`, token).then((response) => response);
      await receiver.waitFor(1);
      ending.deps.sender.close();
      const { status, body } = await first;
      expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(await ending.db.pendingDelivery.findFirst({ where: { endpointId: id } })).toMatchObject({
        attempts: 0,
        claimToken: expect.any(String),
      });
    } finally {
      await ending.close();
    }
  });
});

test('an endpoint whose secret does not decrypt returns 503 and affects no other endpoint', async () => {
  const id = await addEndpoint(api.db, { url: receiver.url, secretCiphertext: Buffer.of(0) });
  expect((await ping(id).expect(503)).body.code).toBe('SERVICE_UNAVAILABLE');
  expect(receiver.requests).toHaveLength(0);
  await ping().expect(200);
});

test('limits the tests of a workspace per minute, over all its endpoints, without affecting others', async () => {
  const slow = await openTestApi({ settings: { ...settings, pingsPerMinute: 2 } });
  try {
    await addCompany(slow.db, 1);
    await addCompany(slow.db, 2);
    const one = await register(slow, receiver.url);
    const other = await register(slow, receiver.url);
    await slow.post(`/webhooks/${one.id}/ping`, token).expect(200);
    await slow.post(`/webhooks/${other.id}/ping`, token).expect(200);
    const refused = await slow.post(`/webhooks/${one.id}/ping`, token).expect(429);
    expect(refused.body.code).toBe('RATE_LIMITED');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    expect(receiver.requests).toHaveLength(2);
    await slow.post(`/webhooks/${one.id}/ping`, sessionToken({ companyId: 2 })).expect(404);
  } finally {
    await slow.close();
  }
});
