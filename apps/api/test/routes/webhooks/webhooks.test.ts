import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { decryptSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { webhookEndpoint } from '@deal-signals/serializers/webhooks/endpoint';
import { until } from '@deal-signals/test-kit/until';
import { addDelivery, addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

const URL = 'https://hooks.example.com/in';

let api: TestApi;
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  for (const company of [1, 2, 3]) await addCompany(api.db, company);
});

afterAll(() => api.close());

async function createEndpoint(fields: object = {}): Promise<{ id: number } & Record<string, unknown>> {
  const { body } = await api.post('/webhooks', token, { url: URL, events: ['*'], ...fields }).expect(201);
  return body.data;
}

describe('creating an endpoint', () => {
  test('returns the secret once and stores it encrypted', async () => {
    const { body, headers } = await api
      .post('/webhooks', token, { url: URL, events: ['engagement.recorded'], description: 'CRM' })
      .expect(201);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'secret']);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhookEndpoint.strict().parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({
      url: URL,
      description: 'CRM',
      events: ['engagement.recorded'],
      enabled: true,
      disabledReason: null,
      lastSuccessAt: null,
      lastErrorAt: null,
      lastError: null,
      consecutiveFailures: 0,
    });
    expect(headers['cache-control']).toBe('no-store');
    const row = await api.db.webhookEndpoint.findFirstOrThrow({ where: { id: body.data.id } });
    expect(Buffer.from(row.secretCiphertext).toString('latin1')).not.toContain(body.secret.slice(6));
    expect(decryptSigningSecret(api.settings.webhooks.secretKeys, 1, row.secretCiphertext)).toBe(body.secret);
    expect((await api.get('/webhooks', token)).text).not.toContain(body.secret);
  });

  test('does not require a description', async () => {
    expect(await createEndpoint()).toMatchObject({ description: null });
    expect(await createEndpoint({ description: null })).toMatchObject({ description: null });
  });

  test.each([
    [['engagement.recorded', 'engagement.recorded'], ['engagement.recorded']],
    [
      ['decision_room.updated', 'call.summary.created'],
      ['decision_room.updated', 'call.summary.created'],
    ],
    [['*', 'decision_room.updated'], ['*']],
    [['integration.ping'], ['integration.ping']],
  ])('stores the events %j as %j', async (events, kept) => {
    expect(await createEndpoint({ events })).toMatchObject({ events: kept });
  });

  test.each<[string, object, string]>([
    ['no URL', { url: undefined }, 'url'],
    ['an invalid URL', { url: 'hooks' }, 'url'],
    ['a URL that is not text', { url: 7 }, 'url'],
    ['plain http', { url: 'http://hooks.example.com' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['a private address in another spelling', { url: 'https://0x7f000002/' }, 'url'],
    ['a port of another service', { url: 'https://example.com:25/' }, 'url'],
    ['a local name', { url: 'https://localhost/' }, 'url'],
    ['link-local metadata', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['credentials', { url: 'https://user:pass@hooks.example.com/' }, 'url'],
    ['a URL with NUL', { url: `${URL}\0` }, 'url'],
    ['a URL with half a surrogate pair', { url: `${URL}/\ud800` }, 'url'],
    ['a URL that is too long', { url: `${URL}/${'x'.repeat(3000)}` }, 'url'],
    ['no events', { events: undefined }, 'events'],
    ['an empty list of events', { events: [] }, 'events'],
    ['events as text', { events: '*' }, 'events'],
    ['an unknown event', { events: ['engagement.recorded', 'deal.won'] }, 'events.1'],
    ['an event that is not text', { events: [null] }, 'events.0'],
    ['a description that is not text', { description: 7 }, 'description'],
    ['a description over 500 characters', { description: 'x'.repeat(501) }, 'description'],
    ['a description with NUL', { description: '\0' }, 'description'],
  ])('rejects %s', async (_name, fields, field) => {
    const response = await api.post('/webhooks', token, { url: URL, events: ['*'], ...fields });
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(response.body.error).toMatch(new RegExp(`^${field}: must `));
  });

  test('accepts a private host that the operator allows', async () => {
    expect(await createEndpoint({ url: 'https://127.0.0.1:8443/in' })).toMatchObject({
      url: 'https://127.0.0.1:8443/in',
    });
  });

  test('stops at 100 endpoints of a workspace, even if several are created at once', async () => {
    for (let n = 0; n < 98; n += 1) await addEndpoint(api.db, { companyId: 3 });
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () =>
        api
          .post('/webhooks', sessionToken({ companyId: 3 }), { url: URL, events: ['*'] })
          .then(({ status }) => status),
      ),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409, 409]);
  });
});

test('rejects a write that waited while the API was switched off', async () => {
  const { db } = api;
  await addCompany(db, 4);
  const theirs = sessionToken({ companyId: 4 });
  const write = await inFeedTransaction(db, 4, async ({ tx }) => {
    await tx.company.update({ where: { id: 4 }, data: { apiEnabled: false } });
    const waiting = api.post('/webhooks', theirs, { url: URL, events: ['*'] }).then((response) => response);
    await until('the write to wait', async () => {
      const rows = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return rows.length > 0;
    });
    return { waiting };
  });
  const { status, body } = await write.waiting;
  expect([status, body.code]).toEqual([403, 'FEATURE_NOT_ENABLED']);
  expect(await db.webhookEndpoint.count({ where: { companyId: 4 } })).toBe(0);
});

test('the list has the endpoints of the workspace, oldest first, and the event types', async () => {
  const before: { id: number }[] = (await api.get('/webhooks', token).expect(200)).body.data;
  const [first, next] = [await createEndpoint(), await createEndpoint()];
  const { body } = await api.get('/webhooks', token).expect(200);
  expect(Object.keys(body).toSorted()).toEqual(['data', 'eventTypes']);
  expect(body.data).toEqual([...before, first, next]);
  expect(body.eventTypes).toEqual(EVENT_TYPES);
  const other = await api.get('/webhooks', sessionToken({ companyId: 2 })).expect(200);
  expect(other.body.data).toEqual([]);
});

describe('changing an endpoint', () => {
  test.each([
    { url: 'https://other.example.com/' },
    { events: ['call.summary.created'] },
    { description: 'new' },
    { description: null },
    { url: 'https://other.example.com/', events: ['*'], description: 'new' },
  ])('with %j changes only that', async (change) => {
    const created = await createEndpoint({ description: 'old' });
    const { body } = await api.patch(`/webhooks/${created.id}`, token, { ...change, unknown: 1 }).expect(200);
    expect(body).toEqual({ data: { ...created, ...change } });
  });

  test.each<[string, unknown, string]>([
    ['an empty body', {}, 'body'],
    ['only unknown fields', { name: 'x', id: 1 }, 'body'],
    ['a list', [], 'body'],
    ['null as the URL', { url: null }, 'url'],
    ['null as the events', { events: null }, 'events'],
    ['an empty list of events', { events: [] }, 'events'],
    ['enabled as text', { enabled: 'true' }, 'enabled'],
    ['enabled as null', { enabled: null }, 'enabled'],
    ['a private address', { url: 'https://[::1]/', enabled: false }, 'url'],
    ['a port of another service', { url: 'https://example.com:6000/' }, 'url'],
    ['a valid and an invalid field', { description: 'new', events: ['x'] }, 'events.0'],
  ])('rejects %s and changes nothing', async (_name, change, field) => {
    const created = await createEndpoint();
    const response = await api.patch(`/webhooks/${created.id}`, token, change);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(response.body.error).toMatch(new RegExp(`^${field}: must `));
    const { body } = await api.get('/webhooks', token);
    expect(body.data.at(-1)).toEqual(created);
  });

  test('puts its deliveries on hold when it is disabled, and makes them due when it is enabled', async () => {
    const id = await addEndpoint(api.db, {
      consecutiveFailures: 7,
      lastError: 'receiver responded with 500',
    });
    const deliveryId = await addDelivery(api.db, id);
    const pending = () => readDelivery(api.db, deliveryId);
    const set = async (enabled: boolean) =>
      (await api.patch(`/webhooks/${id}`, token, { enabled }).expect(200)).body.data;

    expect(await set(false)).toMatchObject({ enabled: false, disabledReason: 'disabled by an admin' });
    expect(await pending()).toMatchObject({ status: 'pending', nextAttemptAt: null });
    expect(await set(false)).toMatchObject({ enabled: false, consecutiveFailures: 7 });

    expect(await set(true)).toMatchObject({ enabled: true, disabledReason: null, consecutiveFailures: 0 });
    expect(await pending()).toMatchObject({
      status: 'pending',
      nextAttemptAt: expect.any(Date),
      ready: true,
    });
  });

  test('keeps the failures of an enabled endpoint that is enabled again', async () => {
    const id = await addEndpoint(api.db, { consecutiveFailures: 7 });
    const { body } = await api.patch(`/webhooks/${id}`, token, { enabled: true }).expect(200);
    expect(body.data.consecutiveFailures).toBe(7);
  });
});

describe('the rate limit of an endpoint', () => {
  test('is set when it is registered, changed, and removed by null', async () => {
    const created = await createEndpoint({ maxPerMinute: 60 });
    expect(created).toMatchObject({ maxPerMinute: 60 });
    const set = async (maxPerMinute: number | null) =>
      (await api.patch(`/webhooks/${created.id}`, token, { maxPerMinute }).expect(200)).body.data;
    for (const rateLimit of [100, 10_000, null, 1])
      expect(await set(rateLimit)).toEqual({ ...created, maxPerMinute: rateLimit });
    const { body } = await api.get('/audit-log?limit=500', token);
    expect(body.data.slice(-5).map(({ details }: { details: object }) => details)).toMatchObject([
      { maxPerMinute: 60 },
      { changed: ['maxPerMinute'], maxPerMinute: 100 },
      { changed: ['maxPerMinute'], maxPerMinute: 10_000 },
      { changed: ['maxPerMinute'], maxPerMinute: null },
      { changed: ['maxPerMinute'], maxPerMinute: 1 },
    ]);
    expect((await api.get(`/webhooks/${created.id}`, token)).body.data).toMatchObject({ maxPerMinute: 1 });
    expect((await api.get('/webhooks', token)).body.data.at(-1)).toMatchObject({ maxPerMinute: 1 });
  });

  test('is not set by default, and stays unchanged when other fields are changed', async () => {
    expect(await createEndpoint()).toMatchObject({ maxPerMinute: null });
    const { id } = await createEndpoint({ maxPerMinute: 5 });
    const { body } = await api.patch(`/webhooks/${id}`, token, { description: 'new' }).expect(200);
    expect(body.data).toMatchObject({ maxPerMinute: 5 });
  });

  test.each([0, -1, 1.5, 10_001, '60', true])('cannot be %j', async (maxPerMinute) => {
    const { id } = await createEndpoint({ maxPerMinute: 5 });
    for (const { status, body } of [
      await api.post('/webhooks', token, { url: URL, events: ['*'], maxPerMinute }),
      await api.patch(`/webhooks/${id}`, token, { maxPerMinute }),
    ]) {
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.error).toMatch(/^maxPerMinute: must /);
    }
  });
});

describe('honoring Retry-After', () => {
  test('is off by default, set at registration and by a change, and audited', async () => {
    expect(await createEndpoint()).toMatchObject({ honorRetryAfter: false });
    const { id } = await createEndpoint({ honorRetryAfter: true });
    const { body: unchanged } = await api.patch(`/webhooks/${id}`, token, { description: 'new' }).expect(200);
    expect(unchanged.data).toMatchObject({ honorRetryAfter: true });
    await api.patch(`/webhooks/${id}`, token, { honorRetryAfter: false }).expect(200);
    const { body } = await api.get('/audit-log?limit=500', token);
    expect(body.data.slice(-3).map(({ details }: { details: object }) => details)).toMatchObject([
      { honorRetryAfter: true },
      { changed: ['description'] },
      { changed: ['honorRetryAfter'], honorRetryAfter: false },
    ]);
  });

  test.each([null, 1, 'true'])('cannot be %j', async (honorRetryAfter) => {
    const { body } = await api
      .post('/webhooks', token, { url: URL, events: ['*'], honorRetryAfter })
      .expect(400);
    expect([body.code, body.error]).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/^honorRetryAfter: must be true or false/),
    ]);
  });
});

test('an endpoint by id is the same as in the list, without its secret', async () => {
  const created = await createEndpoint({ description: 'one' });
  const { body } = await api.get(`/webhooks/${created.id}`, token).expect(200);
  expect(body).toEqual({ data: created });
});

describe('rotating a secret', () => {
  test('returns the new one once, stores it encrypted and changes nothing else', async () => {
    const { body: created } = await api.post('/webhooks', token, { url: URL, events: ['*'] }).expect(201);
    const { id } = created.data;
    const { body, headers } = await api.post(`/webhooks/${id}/rotate-secret`, token).expect(200);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'secret']);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.secret).not.toBe(created.secret);
    expect(body.data).toEqual(created.data);
    expect(headers['cache-control']).toBe('no-store');
    const row = await api.db.webhookEndpoint.findFirstOrThrow({ where: { id } });
    expect(decryptSigningSecret(api.settings.webhooks.secretKeys, 1, row.secretCiphertext)).toBe(body.secret);
    expect(Buffer.from(row.secretCiphertext).toString('latin1')).not.toContain(body.secret.slice(6));
  });

  test('with an overlap returns until when the old one also signs events', async () => {
    const { id } = await createEndpoint();
    const before = Date.now();
    const path = `/webhooks/${id}/rotate-secret`;
    const { body } = await api.post(path, token, { overlapSeconds: 60 }).expect(200);
    const untilMs = Date.parse(body.data.previousSecretExpiresAt);
    expect(untilMs).toBeGreaterThanOrEqual(before + 60_000);
    expect(untilMs).toBeLessThanOrEqual(Date.now() + 60_000);
    const { body: later } = await api.post(path, token).expect(200);
    expect(later.data.previousSecretExpiresAt).toBeNull();
  });

  test('several times at once ends with one of the returned secrets', async () => {
    const { id } = await createEndpoint();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => api.post(`/webhooks/${id}/rotate-secret`, token)),
    );
    const { secretCiphertext } = await api.db.webhookEndpoint.findFirstOrThrow({ where: { id } });
    const secrets = responses.map(({ body }) => body.secret);
    expect(new Set(secrets).size).toBe(4);
    expect(secrets).toContain(decryptSigningSecret(api.settings.webhooks.secretKeys, 1, secretCiphertext));
  });
});

describe('removing an endpoint', () => {
  const paths = (id: number, deliveryId: bigint) => `/webhooks/${id}/deliveries/${deliveryId}`;

  test('makes its pending deliveries dead and keeps their log, and rejects every other operation', async () => {
    const id = await addEndpoint(api.db);
    const deliveryId = await addDelivery(api.db, id, { attempts: 2 });
    const response = await api.delete(`/webhooks/${id}`, token).expect(204);
    expect(response.text).toBe('');

    const gone = {
      get: await api.get(`/webhooks/${id}`, token),
      patch: await api.patch(`/webhooks/${id}`, token, { enabled: true }),
      delete: await api.delete(`/webhooks/${id}`, token),
      rotate: await api.post(`/webhooks/${id}/rotate-secret`, token),
      ping: await api.post(`/webhooks/${id}/ping`, token),
    };
    for (const [operation, { status, body }] of Object.entries(gone)) {
      const notFound = { operation, status: 404, body: { error: 'not found', code: 'NOT_FOUND' } };
      expect({ operation, status, body }).toEqual(notFound);
    }
    expect((await api.get('/webhooks', token)).body.data).not.toContainEqual(expect.objectContaining({ id }));

    const dead = {
      id: String(deliveryId),
      endpointId: id,
      status: 'dead',
      attempts: 2,
      nextAttemptAt: null,
      lastError: 'the endpoint was removed',
    };
    expect((await api.get(`/webhooks/${id}/deliveries`, token).expect(200)).body.data).toMatchObject([dead]);
    expect((await api.get(paths(id, deliveryId), token).expect(200)).body.data).toMatchObject(dead);
    const log = await api.get(`/webhook-deliveries?endpoint_id=${id}`, await addKey(api.db, 1)).expect(200);
    expect(log.body.data).toMatchObject([dead]);

    for (const path of [`${paths(id, deliveryId)}/retry`, `/webhooks/${id}/retry-dead`]) {
      const { status, body } = await api.post(path, token);
      expect([path, status, body.code]).toEqual([path, 409, 'INVALID_STATE']);
      expect(body.error).toContain('the endpoint was removed');
    }
    expect(await readDelivery(api.db, deliveryId)).toMatchObject({
      status: 'dead',
      ready: false,
    });
  });

  test('makes room for another one', async () => {
    const theirs = sessionToken({ companyId: 3 });
    const { body } = await api.get('/webhooks', theirs).expect(200);
    expect(body.data).toHaveLength(100);
    await api.post('/webhooks', theirs, { url: URL, events: ['*'] }).expect(409);
    await api.delete(`/webhooks/${body.data[0].id}`, theirs).expect(204);
    await api.post('/webhooks', theirs, { url: URL, events: ['*'] }).expect(201);
  });

  test('makes its deliveries on hold dead as well', async () => {
    const id = await addEndpoint(api.db, { enabled: false });
    const deliveryId = await addDelivery(api.db, id, { nextAttemptAt: null, ready: false });
    await api.delete(`/webhooks/${id}`, token).expect(204);
    const { body } = await api.get(paths(id, deliveryId), token).expect(200);
    expect(body.data).toMatchObject({ status: 'dead', lastError: 'the endpoint was removed' });
  });
});
