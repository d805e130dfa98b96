import { decryptHeaders, encryptHeaders } from '@deal-signals/sending/headers/custom-headers';
import { secretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { readEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

const SECRET = 'Bearer a-secret-of-the-gateway';

let api: TestApi;
let receiver: Receiver;
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db);
});
afterAll(() => api.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const create = (headers: unknown, url = receiver.url) =>
  api.post('/webhooks', token, { url, events: ['*'], headers });

async function created(headers: object): Promise<{ id: number; headerNames: string[] }> {
  return (await create(headers).expect(201)).body.data;
}

const patch = (id: number, change: object) => api.patch(`/webhooks/${id}`, token, change);

async function storedHeaders(id: number): Promise<Record<string, string>> {
  const { headersCiphertext, headerNames } = await readEndpoint(api.db, id);
  const headers =
    headersCiphertext === null ? [] : decryptHeaders(api.settings.webhooks.secretKeys, 1, headersCiphertext);
  expect(headers.map(([name]) => name)).toEqual(headerNames);
  return Object.fromEntries(headers);
}

describe('the custom headers of an endpoint', () => {
  test('are stored encrypted, and only their names are returned', async () => {
    const response = await create({ Authorization: SECRET, 'X-Tenant': '7' }).expect(201);
    const { id } = response.body.data;
    expect(response.body.data.headerNames).toEqual(['Authorization', 'X-Tenant']);
    expect(await storedHeaders(id)).toEqual({ Authorization: SECRET, 'X-Tenant': '7' });
    const row = await readEndpoint(api.db, id);
    expect(Buffer.from(row.headersCiphertext!).toString('latin1')).not.toContain('gateway');
    const shown = [
      response,
      await api.get(`/webhooks/${id}`, token),
      await api.get('/webhooks', token),
      await patch(id, { headers: { 'X-Tenant': '8' } }),
      await api.post(`/webhooks/${id}/rotate-secret`, token),
    ];
    for (const { text } of shown) expect(text).not.toContain('gateway');
  });

  test('that another process has encrypted with an unknown key cause a 503 and no fault', async () => {
    const { id } = await created({ 'X-Tenant': '7' });
    const keys = secretKeys.parse(`elsewhere:${Buffer.alloc(32, 1).toString('hex')}`);
    await api.db.webhookEndpoint.update({
      where: { companyId_id: { companyId: 1, id } },
      data: { headersCiphertext: encryptHeaders(keys, 1, [['X-Tenant', '7']]) },
    });
    for (const response of [
      await patch(id, { headers: { 'X-Other': '8' } }),
      await api.post('/webhooks/test', token, { url: receiver.url, endpointId: id }),
    ]) {
      expect(response.body.code).toBe('SERVICE_UNAVAILABLE');
    }
  });

  test('are sent with a test event, next to our own', async () => {
    const { id } = await created({ Authorization: SECRET, constructor: 'x', set: 'y', 'X-Tenant': '7' });
    await api.post(`/webhooks/${id}/ping`, token).expect(200);
    const [received] = await receiver.waitFor(1);
    expect(received?.headers).toMatchObject({
      authorization: SECRET,
      constructor: 'x',
      set: 'y',
      'x-tenant': '7',
      'content-type': 'application/json',
      'x-service-event': 'integration.ping',
      'x-service-signature': expect.any(String),
    });
  });

  test('are neither logged nor audited with their values, nor kept in stored responses of the receiver', async () => {
    receiver.respond({ status: 500, body: `you sent ${SECRET}` });
    const { id } = await created({ Authorization: SECRET });
    const ping = await api.post(`/webhooks/${id}/ping`, token).expect(200);
    const path = `/webhooks/${id}/deliveries/${ping.body.data.id}`;
    const { attemptLog } = (await api.get(path, token)).body.data;
    expect(attemptLog[0]).toMatchObject({ statusCode: 500, responseExcerpt: null });
    await patch(id, { headers: { authorization: 'Bearer another-secret-of-the-gateway', 'X-New': '1' } });
    await patch(id, { headers: { 'x-new': null } });
    await patch(id, { headers: { 'X-Wrong': 'Bearer-of-the-gateway\n' } }).expect(400);
    const { body } = await api.get('/audit-log?limit=500', token);
    const audited = body.data.filter(({ objectId }: { objectId: string }) => objectId === String(id));
    expect(audited.map(({ details }: { details: object }) => details)).toMatchObject([
      { headersSet: ['Authorization'] },
      {},
      { changed: ['headers'], headersSet: ['authorization', 'X-New'] },
      { changed: ['headers'], headersRemoved: ['X-New'] },
    ]);
    for (const written of [api.log, body, await api.db.webhookAttempt.findMany({ where: { number: 1 } })]) {
      const text = JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      expect(text).not.toContain('gateway');
    }
  });

  test.each<[string, object | null, object, Record<string, string>]>([
    ['sets one', { A: '1' }, { A: '2' }, { A: '2' }],
    ['adds one', { A: '1' }, { B: '2' }, { A: '1', B: '2' }],
    ['removes one, in any letter case', { A: '1', B: '2' }, { a: null }, { B: '2' }],
    ['writes a name as it was given last', { 'x-a': '1' }, { 'X-A': '2' }, { 'X-A': '2' }],
    ['removes one that is not there', { A: '1' }, { B: null }, { A: '1' }],
    ['changes nothing', { A: '1' }, {}, { A: '1' }],
    ['sets the first', null, { A: '1' }, { A: '1' }],
  ])('a change %s', async (_, before, change, after) => {
    const { id } = await created(before ?? {});
    const { body } = await patch(id, { headers: change }).expect(200);
    expect(body.data.headerNames).toEqual(Object.keys(after));
    expect(await storedHeaders(id)).toEqual(after);
  });

  test('are all removed by null, even if they can no longer be decrypted', async () => {
    const { id } = await created({ A: '1', B: '2' });
    const { body } = await patch(id, { headers: null }).expect(200);
    expect(body.data.headerNames).toEqual([]);
    expect(await readEndpoint(api.db, id)).toMatchObject({ headerNames: [], headersCiphertext: null });
  });

  test('prevent a stored excerpt of a response, even after they were removed', async () => {
    receiver.respond({ status: 500, body: 'out of order' });
    const { id } = await created({});
    const excerpt = async () => {
      const ping = await api.post(`/webhooks/${id}/ping`, token).expect(200);
      const { body } = await api
        .get(`/webhooks/${id}/deliveries/${String(ping.body.data.id)}`, token)
        .expect(200);
      return body.data.attemptLog[0].responseExcerpt as unknown;
    };
    expect(await excerpt()).toBe('out of order');
    await patch(id, { headers: { 'X-Key': 'v' } }).expect(200);
    expect(await excerpt()).toBeNull();
    await patch(id, { headers: null }).expect(200);
    expect(await excerpt()).toBeNull();
    const stored = await api.db.webhookAttempt.findMany({ where: { responseExcerpt: { not: null } } });
    expect(stored.map(({ responseExcerpt }) => responseExcerpt)).toContain('out of order');
  });

  test('stay unchanged when other fields are changed', async () => {
    const { id } = await created({ A: '1' });
    await patch(id, { description: 'new', url: receiver.url }).expect(200);
    expect(await storedHeaders(id)).toEqual({ A: '1' });
  });

  test.each([
    ['another host', () => 'https://elsewhere.example.com/'],
    ['another path of the same host', () => `${receiver.url}other/party`],
    ['another query', () => `${receiver.url}?to=other`],
  ])('do not follow the endpoint to %s unless all of them are given again', async (_, urlOf) => {
    const url = urlOf();
    const { id } = await created({ A: '1', B: '2' });
    for (const change of [{ url }, { url, headers: {} }, { url, headers: { A: '3' } }]) {
      const { body } = await patch(id, change).expect(400);
      expect(body).toMatchObject({
        code: 'INVALID_REQUEST',
        error: expect.stringMatching(/^url: must not change .* give all of them again/),
      });
    }
    expect(await storedHeaders(id)).toEqual({ A: '1', B: '2' });
    await patch(id, { url, headers: { A: '3', b: null } }).expect(200);
    expect(await storedHeaders(id)).toEqual({ A: '3' });
    await patch(id, { url: receiver.url, headers: null }).expect(200);
  });
});

const many = (count: number, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, 'v'.repeat(length)]));

test.each<[string, unknown, string]>([
  ['eleven of them', many(11), 'headers'],
  ['more than 8,192 characters', many(3, 4_000), 'headers'],
  ['a name of ours', { 'X-Service-Event': 'x' }, 'headers.X-Service-Event'],
  ['a name of a connection', { 'X-A': '1', Connection: 'close' }, 'headers.Connection'],
  ['a name twice', { 'X-A': '1', 'x-a': '2' }, 'headers'],
  ['a value with a line break', { 'X-A': 'a\r\nb' }, 'headers.X-A'],
  ['an empty value', { 'X-A': '' }, 'headers.X-A'],
  ['a number as value', { 'X-A': 1 }, 'headers.X-A'],
  ['the name __proto__', JSON.parse('{"__proto__":"x"}'), 'headers.__proto__'],
  ['__proto__ next to others', JSON.parse('{"X-A":"1","__proto__":{"X-B":"2"}}'), 'headers.__proto__'],
  ['an object as the value of constructor', { constructor: { name: 'x' } }, 'headers.constructor'],
  ['a value with half a surrogate pair', { 'X-A': '\ud800' }, 'headers.X-A'],
  ['a name with a NUL', { 'X-\0': '1' }, 'headers.X-\0'],
  ['a list', ['X-A'], 'headers'],
  ['a text', 'X-A: 1', 'headers'],
])('rejects %s at creation and at a change', async (_, headers, field) => {
  const { id } = await created({});
  for (const response of [await create(headers), await patch(id, { headers })]) {
    expect([response.status, response.body.code, response.body.field]).toEqual([
      400,
      'INVALID_REQUEST',
      field,
    ]);
    expect(response.body.error).toMatch(/^headers[^:]*: must /);
  }
  expect(await storedHeaders(id)).toEqual({});
});

test('a change cannot remove a header that is named __proto__, and a test of a URL cannot send one', async () => {
  const { id } = await created({});
  const nothing = JSON.parse('{"__proto__":null}') as object;
  for (const response of [
    await patch(id, { headers: nothing }),
    await api.post('/webhooks/test', token, { url: receiver.url, headers: nothing }),
  ]) {
    expect([response.status, response.body]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        field: 'headers.__proto__',
        error: expect.stringMatching(/^headers\.__proto__: must have a name of at most 64 letters/),
      },
    ]);
  }
});

test('names that every object has are ordinary headers', async () => {
  const headers = { constructor: '1', toString: '2', hasOwnProperty: '3', valueOf: '4', prototype: '5' };
  const { id, headerNames } = await created(headers);
  expect(headerNames).toEqual(Object.keys(headers));
  expect(await storedHeaders(id)).toEqual(headers);
  await api.post(`/webhooks/${id}/ping`, token).expect(200);
  const [received] = await receiver.waitFor(1);
  expect(received?.headers).toMatchObject(
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );
  await patch(id, { headers: { toString: null, hasOwnProperty: null } }).expect(200);
  expect(await storedHeaders(id)).toEqual({ constructor: '1', valueOf: '4', prototype: '5' });
});

test('a change cannot result in eleven headers', async () => {
  const { id } = await created(many(9));
  await patch(id, { headers: { A: '1', B: '2' } }).expect(400);
  await patch(id, { headers: { A: '1', B: '2', 'X-0': null } }).expect(200);
  expect((await readEndpoint(api.db, id)).headerNames).toHaveLength(10);
});
