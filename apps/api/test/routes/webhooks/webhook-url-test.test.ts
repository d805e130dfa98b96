import { type ConnectProxy, startConnectProxy } from '@deal-signals/test-kit/servers/connect-proxy';
import {
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { addEndpoint, readEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { openTestApi, sessionToken, type TestApi, testWebhookSettings } from '../../test-api.ts';

let api: TestApi;
let receiver: Receiver;
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db);
  await addCompany(api.db, 2);
});
afterAll(() => api.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const testUrl = (body: object, as = token) => api.post('/webhooks/test', as, body);

/** Returns the envelope of a request if both libraries verify it with this secret. */
function verified({ rawBody, headers }: ReceivedRequest, secret: string): any {
  const envelope = new Webhook(secret).verify(rawBody.toString(), headers as Record<string, string>);
  const signature = String(headers['x-service-signature']);
  expect(new Stripe('unused').webhooks.constructEvent(rawBody, signature, secret)).toEqual(envelope);
  return envelope;
}

describe('the test of a URL', () => {
  test('sends one test event that is signed with a new secret, and leaves nothing behind', async () => {
    receiver.respond({ status: 202, body: 'welcome' });
    const before = await api.db.webhookEvent.count();
    const { body, headers } = await testUrl({ url: `${receiver.url}new` }).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      data: {
        eventId: expect.any(String),
        delivered: true,
        statusCode: 202,
        error: null,
        durationMs: expect.any(Number),
        responseExcerpt: 'welcome',
        traceparent: expect.any(String),
      },
    });
    const [request, ...more] = receiver.requests as [ReceivedRequest];
    expect(more).toEqual([]);
    expect(verified(request, body.secret)).toEqual({
      id: body.data.eventId,
      type: 'integration.ping',
      apiVersion: '2026-09-01',
      createdAt: expect.any(String),
      companyId: 1,
      data: { endpointId: 0, message: expect.any(String) },
    });
    expect(request.path).toBe('/new');
    expect(request.headers).toMatchObject({
      'x-service-event': 'integration.ping',
      'x-service-event-id': body.data.eventId,
      'x-service-delivery': '0',
      traceparent: body.data.traceparent,
    });
    expect((await testUrl({ url: receiver.url })).body.secret).not.toBe(body.secret);
    expect(await api.db.webhookEvent.count()).toBe(before);
    expect(await api.db.delivery.count()).toBe(0);
    expect(JSON.stringify(api.log)).not.toContain(body.secret);
  });

  test('for an endpoint is signed like its deliveries, with both secrets during a rotation', async () => {
    const created = await api.post('/webhooks', token, { url: 'https://hooks.example.com/', events: ['*'] });
    const { id } = created.body.data;
    const before = await readEndpoint(api.db, id);
    const { body } = await testUrl({ url: receiver.url, endpointId: id }).expect(200);
    expect(body.secret).toBeNull();
    expect(verified(receiver.requests[0]!, created.body.secret).data.endpointId).toBe(id);
    expect(await readEndpoint(api.db, id)).toEqual(before);

    const overlap = { overlapSeconds: 60 };
    const rotated = await api.post(`/webhooks/${id}/rotate-secret`, token, overlap).expect(200);
    await testUrl({ url: receiver.url, endpointId: id }).expect(200);
    for (const secret of [created.body.secret, rotated.body.secret]) verified(receiver.requests[1]!, secret);
  });

  test('never disables or verifies the endpoint, regardless of the response', async () => {
    const id = await addEndpoint(api.db, { url: receiver.url, awaitingVerification: true });
    const before = await readEndpoint(api.db, id);
    for (const status of [200, 500, 410]) {
      receiver.respond(status);
      const { body } = await testUrl({ url: receiver.url, endpointId: id }).expect(200);
      expect(body.data).toMatchObject({ delivered: status === 200, statusCode: status });
      expect(body.data.error).toBe(status === 200 ? null : `receiver responded with ${status}`);
    }
    expect(await readEndpoint(api.db, id)).toEqual(before);
  });

  test('sends the given headers, and those of the endpoint only to its own URL', async () => {
    const elsewhere = await startReceiver();
    const headers = { Authorization: 'Bearer of-the-gateway', 'X-Tenant': '7' };
    const { body } = await api.post('/webhooks', token, { url: receiver.url, events: ['*'], headers });
    const endpointId = body.data.id;
    const sent = async (to: Receiver, fields: object) => {
      const tested = await testUrl({ url: to.url, ...fields }).expect(200);
      const received = to.requests.at(-1)!.headers;
      const values = [received['authorization'], received['x-tenant']];
      // A response may repeat the values.
      const hasNone = values.every((value) => value === undefined);
      expect(tested.body.data.responseExcerpt !== null).toBe(hasNone);
      return values;
    };
    expect(await sent(receiver, {})).toEqual([undefined, undefined]);
    expect(await sent(receiver, { headers })).toEqual([headers.Authorization, '7']);
    expect(await sent(receiver, { endpointId })).toEqual([headers.Authorization, '7']);
    expect(await sent(receiver, { endpointId, headers: { 'x-tenant': '8' } })).toEqual([
      headers.Authorization,
      '8',
    ]);
    expect(await sent(receiver, { endpointId, url: `${receiver.url}new` })).toEqual([undefined, undefined]);
    expect(await sent(elsewhere, { endpointId })).toEqual([undefined, undefined]);
    expect(await sent(elsewhere, { endpointId, headers: { 'X-Tenant': '9' } })).toEqual([undefined, '9']);
    expect(JSON.stringify(api.log)).not.toContain('gateway');
    await elsewhere.close();
  });

  test('is audited with the host only', async () => {
    const id = await addEndpoint(api.db, { url: receiver.url });
    await testUrl({ url: `${receiver.url}secret?in=query` }).expect(200);
    await testUrl({ url: receiver.url, endpointId: id }).expect(200);
    const { body } = await api.get('/audit-log?action=webhook.url_tested&limit=500', token).expect(200);
    const details = { host: new URL(receiver.url).host };
    expect(body.data.slice(-2)).toMatchObject([
      { objectType: 'webhook', objectId: '0', userId: 7, details },
      { objectType: 'webhook', objectId: String(id), details },
    ]);
    expect(JSON.stringify([body, api.log])).not.toContain('in=query');
  });

  test('reports how a connection failed, and when, only for a host that has responded to the workspace before', async () => {
    // Nothing listens there. The port of a closed receiver may be assigned to another server.
    const url = 'https://127.0.0.1:1/';
    const hidden = await testUrl({ url }).expect(200);
    expect(hidden.body.data).toMatchObject({
      delivered: false,
      statusCode: null,
      error: 'no response over TLS',
      durationMs: null,
      responseExcerpt: null,
    });
    expect(api.log.findLast(({ message }) => message === 'url test')).toMatchObject({
      outcome: 'failed',
      errorDetail: 'connection refused',
      durationMs: expect.any(Number),
    });
    await addEndpoint(api.db, { url, respondedOrigin: new URL(url).host });
    const shown = await testUrl({ url }).expect(200);
    expect(shown.body.data).toMatchObject({ error: 'connection refused', durationMs: expect.any(Number) });
    const theirs = await testUrl({ url }, sessionToken({ companyId: 2 })).expect(200);
    expect(theirs.body.data).toMatchObject({ error: 'no response over TLS', durationMs: null });
  });

  test('counts with the tests of endpoints of the same workspace', async () => {
    const limited = await openTestApi({ settings: { pingsPerMinute: 2 } });
    await addCompany(limited.db);
    await addCompany(limited.db, 2);
    const id = await addEndpoint(limited.db, { url: receiver.url });
    await limited.post(`/webhooks/${id}/ping`, token).expect(200);
    const send = (as = token) => limited.post('/webhooks/test', as, { url: receiver.url });
    await send().expect(200);
    const { body, headers } = await send().expect(429);
    expect([body.code, Number(headers['retry-after']) > 0]).toEqual(['RATE_LIMITED', true]);
    await send(sessionToken({ companyId: 2 })).expect(200);
    expect(receiver.requests).toHaveLength(3);
    await limited.close();
  });

  test('uses the proxy of the deliveries', async () => {
    const proxy: ConnectProxy = await startConnectProxy();
    const webhooks = testWebhookSettings({ WEBHOOK_PROXY_URL: proxy.url.href });
    const proxied = await openTestApi({ settings: { webhooks } });
    await addCompany(proxied.db);
    await proxied.post('/webhooks/test', token, { url: receiver.url }).expect(200);
    expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
    await proxied.close();
    await proxy.close();
  });

  test('that the end of the process interrupts gets a 503', async () => {
    const ending = await openTestApi();
    await addCompany(ending.db);
    receiver.respond('hang');
    const response = ending.post('/webhooks/test', token, { url: receiver.url }).then((one) => one);
    await receiver.waitFor(1);
    ending.deps.sender.close();
    const { status, body } = await response;
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await ending.close();
  });
});

test.each<[string, (url: string) => object, string]>([
  ['no URL', () => ({}), 'url'],
  ['plain http', () => ({ url: 'http://hooks.example.com/' }), 'url'],
  ['a private address', () => ({ url: 'https://10.0.0.1/' }), 'url'],
  ['a port of another service', () => ({ url: 'https://example.com:25/' }), 'url'],
  ['credentials', () => ({ url: 'https://user:pass@hooks.example.com/' }), 'url'],
  ['an endpoint that is not an id', (url) => ({ url, endpointId: '1' }), 'endpointId'],
  ['the endpoint 0', (url) => ({ url, endpointId: 0 }), 'endpointId'],
  ['an endpoint out of range', (url) => ({ url, endpointId: 2 ** 31 }), 'endpointId'],
  ['a header of ours', (url) => ({ url, headers: { Host: 'elsewhere.example' } }), 'headers.Host'],
])('rejects %s and sends nothing', async (_, fields, field) => {
  const audited = await api.db.auditRecord.count();
  const { status, body } = await testUrl(fields(receiver.url));
  expect([status, body.code, body.field]).toEqual([400, 'INVALID_REQUEST', field]);
  expect(body.error).toMatch(new RegExp(`^${field}: must `));
  expect(receiver.requests).toEqual([]);
  expect(await api.db.auditRecord.count()).toBe(audited);
});

test('returns 404 for an endpoint that is unknown, removed or of another workspace, and sends nothing', async () => {
  const foreign = await addEndpoint(api.db, { companyId: 2, url: receiver.url });
  const removed = await addEndpoint(api.db, { url: receiver.url });
  await api.delete(`/webhooks/${removed}`, token).expect(204);
  for (const endpointId of [foreign, removed, 999_999]) {
    const { status, body } = await testUrl({ url: receiver.url, endpointId });
    expect([status, body]).toEqual([404, { error: 'not found', code: 'NOT_FOUND' }]);
  }
  expect(receiver.requests).toEqual([]);
});
