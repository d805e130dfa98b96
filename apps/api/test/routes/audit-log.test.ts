import { createHash } from 'node:crypto';
import { auditRecord, AUDIT_ACTIONS } from '@deal-signals/serializers/management/audit-record';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { until } from '@deal-signals/test-kit/until';
import { addDelivery, addEndpoint, DEAD, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { addCompany, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { createApp } from '../../src/app.ts';
import type { TrustedProxies } from '../../src/auth/trusted-proxies.ts';
import { createMetrics } from '../../src/metrics.ts';
import { type LogLine, openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
let receiver: Receiver;
const token = sessionToken({ sub: '41' });

beforeAll(async () => {
  api = await openTestApi();
  receiver = await startReceiver();
  for (const company of [1, 2, 3]) await addCompany(api.db, company);
});

afterAll(async () => {
  await receiver.close();
  await api.close();
});

/** Returns the audit log of a workspace after a cursor. */
async function logOf(companyId: number, cursor = '0') {
  const { body } = await api
    .get(`/audit-log?cursor=${cursor}`, sessionToken({ companyId, sub: '99' }))
    .expect(200);
  return body as { data: Record<string, unknown>[]; nextCursor: string; hasMore: boolean };
}

test('each management write leaves one record with user, action, time, object and request', async () => {
  const secrets: string[] = [];
  let position = '0';

  /** Sends a write and returns its one record. */
  async function recordOf(write: Promise<Response>): Promise<Record<string, unknown>> {
    const begunAt = Date.now();
    const { status, headers, body } = await write;
    expect(status).toBeLessThan(300);
    secrets.push(...[body.key, body.secret].filter((secret) => secret !== undefined));
    const { data, nextCursor } = await logOf(1, position);
    position = nextCursor;
    expect(data).toHaveLength(1);
    const [record] = data as [Record<string, unknown>];
    expect(auditRecord.strict().parse(record)).toEqual(record);
    const requestId = headers['x-request-id'];
    expect(record).toMatchObject({
      userId: 41,
      requestId,
      serverRequestId: requestId,
      ipAddress: '127.0.0.1',
    });
    expect(Math.abs(Date.parse(String(record['at'])) - begunAt)).toBeLessThan(60_000);
    return record;
  }

  const expiresAt = '2100-01-01T00:00:00.000Z';
  const powers = { scopes: ['read:calls', 'read:rooms'], allowedNetworks: ['127.0.0.0/8'] };
  const key = await recordOf(api.post('/api-keys', token, { name: 'warehouse', ...powers, expiresAt }));
  expect(key).toMatchObject({
    action: 'api_key.created',
    objectType: 'api_key',
    details: { name: 'warehouse', prefix: expect.stringMatching(/^dsk_live_.{4}$/), ...powers, expiresAt },
  });
  const newKey = { overlapSeconds: 60, expiresAt: null };
  const rotation = api.post(`/api-keys/${String(key['objectId'])}/rotate`, token, newKey);
  expect(await recordOf(rotation)).toMatchObject({
    action: 'api_key.rotated',
    objectType: 'api_key',
    objectId: key['objectId'],
    details: {
      newKeyId: expect.any(Number),
      prefix: expect.stringMatching(/^dsk_live_.{4}$/),
      overlapSeconds: 60,
      ...powers,
      expiresAt: null,
      oldExpiresAt: expiresAt,
    },
  });
  const unlimited = await recordOf(api.post('/api-keys', token, { name: 'all' }));
  expect(unlimited['details']).toMatchObject({ scopes: ['read'], allowedNetworks: null, expiresAt: null });
  expect(await recordOf(api.delete(`/api-keys/${String(key['objectId'])}`, token))).toMatchObject({
    action: 'api_key.revoked',
    objectType: 'api_key',
    objectId: key['objectId'],
    details: {},
  });

  const url = `${receiver.url}in?token=hidden`;
  secrets.push('hidden', receiver.url);
  const created = await recordOf(api.post('/webhooks', token, { url, events: ['*'] }));
  expect(created).toMatchObject({
    action: 'webhook.created',
    objectType: 'webhook',
    details: { host: new URL(receiver.url).host, events: ['*'] },
  });
  const id = Number(created['objectId']);
  const webhook = { objectType: 'webhook', objectId: String(id) };
  const patch = (change: object) => api.patch(`/webhooks/${id}`, token, change);
  const changedUrl = {
    url: 'https://hooks.example.com:8443/hidden/path?token=hidden',
    description: 'hidden too',
    events: ['*'],
  };
  expect(await recordOf(patch(changedUrl))).toMatchObject({
    ...webhook,
    action: 'webhook.updated',
    details: {
      changed: ['url', 'description'],
      oldHost: new URL(receiver.url).host,
      newHost: 'hooks.example.com:8443',
    },
  });
  await recordOf(patch({ url }));
  expect(await recordOf(patch({ enabled: false, events: ['integration.ping'] }))).toMatchObject({
    ...webhook,
    action: 'webhook.updated',
    details: {
      changed: ['events', 'enabled'],
      oldEvents: ['*'],
      events: ['integration.ping'],
      enabled: false,
    },
  });
  expect((await recordOf(patch({ enabled: true })))['details']).toEqual({
    changed: ['enabled'],
    enabled: true,
  });

  const post = (path: string, body?: object) => api.post(`/webhooks/${id}/${path}`, token, body);
  expect(await recordOf(post('rotate-secret', { overlapSeconds: 60 }))).toMatchObject({
    ...webhook,
    action: 'webhook.secret_rotated',
    details: { overlapSeconds: 60 },
  });
  const trial = { url: `${receiver.url}?token=hidden` };
  expect(await recordOf(api.post('/webhooks/test', token, trial))).toMatchObject({
    objectType: 'webhook',
    objectId: '0',
    action: 'webhook.url_tested',
    details: { host: new URL(receiver.url).host },
  });
  expect(await recordOf(post('ping'))).toMatchObject({
    ...webhook,
    action: 'webhook.pinged',
    details: { deliveryId: expect.stringMatching(/^\d{16}$/) },
  });
  const deliveryId = await addDelivery(api.db, id, DEAD);
  await addDelivery(api.db, id, DEAD);
  expect(await recordOf(post(`deliveries/${deliveryId}/retry`))).toMatchObject({
    action: 'delivery.retried',
    objectType: 'delivery',
    objectId: String(deliveryId),
    details: { webhookId: id },
  });
  expect(await recordOf(post('retry-dead', { since: '2026-01-01' }))).toMatchObject({
    ...webhook,
    action: 'deliveries.retried',
    details: { count: 1, since: '2026-01-01T00:00:00.000Z' },
  });
  await addDelivery(api.db, id, DEAD);
  expect(await recordOf(post('dismiss-dead', { before: '2100-01-01' }))).toMatchObject({
    ...webhook,
    action: 'deliveries.dismissed',
    details: { count: 1, before: '2100-01-01T00:00:00.000Z' },
  });
  const email = 'nobody@globex.example';
  expect(await recordOf(api.post('/console/api/erasures', token, { email }))).toMatchObject({
    action: 'erasure.requested',
    objectType: 'erasure',
    objectId: expect.any(String),
    details: {
      kind: 'person',
      people: 0,
      buyerSpaceId: null,
      emailSha256: createHash('sha256').update(email).digest('hex'),
    },
  });
  expect(await recordOf(post(`deliveries/${deliveryId}/resend`))).toMatchObject({
    action: 'delivery.resent',
    objectType: 'delivery',
    details: { webhookId: id, resendOf: String(deliveryId) },
  });
  expect(await recordOf(post('resend'))).toMatchObject({
    ...webhook,
    action: 'deliveries.resent',
    details: { count: 1, since: null, until: null, eventTypes: null },
  });
  const since = new Date(Date.now() - 60_000).toISOString();
  await addRoom(api.db, 1, 1, { lastActivityAt: new Date() });
  const newcomer = await addEndpoint(api.db, { companyId: 1, events: ['decision_room.updated'] });
  const replayed = api.post(`/webhooks/${newcomer}/replay-missing`, token, { since });
  expect(await recordOf(replayed)).toMatchObject({
    action: 'deliveries.replayed',
    objectType: 'webhook',
    objectId: String(newcomer),
    details: { count: 1, since, until: null, eventTypes: null },
  });
  const host = new URL(receiver.url).host;
  const channel = { kind: 'webhook', url: receiver.url, events: ['deliveries.dead'] };
  const added = await recordOf(api.post('/alert-channels', token, channel));
  const ofChannel = { objectType: 'alert_channel', objectId: added['objectId'] };
  expect(added).toMatchObject({
    ...ofChannel,
    action: 'alert_channel.created',
    details: { kind: 'webhook', host, events: ['deliveries.dead'] },
  });
  const path = `/alert-channels/${String(added['objectId'])}`;
  expect(await recordOf(api.post(`${path}/test`, token))).toMatchObject({
    ...ofChannel,
    action: 'alert_channel.tested',
  });
  expect(
    await recordOf(api.patch(path, token, { url: `${receiver.url}x`, events: ['endpoint.failing'] })),
  ).toMatchObject({
    ...ofChannel,
    action: 'alert_channel.updated',
    details: {
      changed: ['url', 'events'],
      oldHost: host,
      newHost: host,
      oldEvents: ['deliveries.dead'],
      events: ['endpoint.failing'],
    },
  });
  expect(await recordOf(api.delete(path, token))).toMatchObject({
    ...ofChannel,
    action: 'alert_channel.removed',
    details: { host },
  });
  receiver.respond(410);
  await api.post(`/webhooks/${id}/ping`, token).expect(200);
  receiver.respond(200);
  const { data: afterPing, nextCursor } = await logOf(1, position);
  position = nextCursor;
  expect(afterPing).toMatchObject([
    { action: 'webhook.pinged', userId: 41 },
    {
      ...webhook,
      action: 'webhook.disabled',
      userId: null,
      requestId: null,
      details: { reason: 'gone', consecutiveFailures: 0 },
    },
  ]);
  expect(auditRecord.strict().parse(afterPing[1])).toEqual(afterPing[1]);
  expect(await recordOf(api.delete(`/webhooks/${id}`, token))).toMatchObject({
    ...webhook,
    action: 'webhook.removed',
    details: {},
  });

  const refused = api.get('/webhooks', sessionToken({ sub: '41', permissions: [] }));
  await refused.expect(403);
  for (const apiEnabled of [false, true]) {
    await capture(api.db, { record: 'company', id: 1, name: 'Acme', apiEnabled });
  }
  const { data } = await logOf(1);
  expect(data.at(-1)).toMatchObject({
    action: 'workspace.api_enabled',
    objectType: 'workspace',
    objectId: '1',
    userId: null,
    requestId: null,
  });
  expect(new Set(data.map(({ action }) => action))).toEqual(new Set(AUDIT_ACTIONS));
  const stored = JSON.stringify(await api.db.auditRecord.findMany(), (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(secrets.length).toBeGreaterThan(4);
  for (const secret of secrets) expect(stored).not.toContain(secret);
});

test('a record has both ids of the request, as in the log', async () => {
  await api.post('/api-keys', token, { name: 'x' }).set('X-Request-Id', 'who-did-it').expect(201);
  const ofRequest = (line: LogLine) => line['requestId'] === 'who-did-it';
  await until('the request is logged', () => api.log.some(ofRequest));
  const serverRequestId = api.log.find(ofRequest)?.['serverRequestId'];
  expect(serverRequestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect((await logOf(1)).data.at(-1)).toMatchObject({ requestId: 'who-did-it', serverRequestId });
});

test.each<[string, TrustedProxies, string]>([
  ['that the outermost trusted proxy reports', 1, '2001:db8::7'],
  ['that a proxy of a trusted network reports', ['loopback'], '2001:db8::7'],
  ['of a caller who is not a trusted proxy, despite its header', ['10.20.1.0/24'], '127.0.0.1'],
])('a record has the address %s', async (_, trustedProxies, ipAddress) => {
  const settings = { ...api.settings, trustedProxies };
  const app = createApp({ ...api.deps, metrics: createMetrics(), settings });
  await supertest(app)
    .post('/api/v1/api-keys')
    .set('Authorization', `Bearer ${token}`)
    .set('X-Forwarded-For', '192.0.2.1, 2001:db8::7')
    .send({ name: 'x' })
    .expect(201);
  expect((await logOf(1)).data.at(-1)).toMatchObject({ ipAddress });
});

describe('a write that changes nothing or is rejected leaves no record', () => {
  const theirs = sessionToken({ companyId: 2 });
  let path: string;
  let deliveryId: bigint;
  let keyId: number;

  beforeAll(async () => {
    const fields = { companyId: 2, url: 'https://example.com/', enabled: false };
    const endpointId = await addEndpoint(api.db, fields);
    path = `/webhooks/${endpointId}`;
    deliveryId = await addDelivery(api.db, endpointId, { ...DELIVERED, companyId: 2 });
    await addKey(api.db, 2, { revokedAt: new Date() });
    ({ id: keyId } = await api.db.apiKey.findFirstOrThrow({ where: { companyId: 2 } }));
  });

  const same = { url: 'https://example.com/', events: ['*'], description: null, enabled: false };
  test.each<[string, number, () => PromiseLike<Response>]>([
    ['the revocation of a revoked key', 204, () => api.delete(`/api-keys/${keyId}`, theirs)],
    ['a change to the present values', 200, () => api.patch(path, theirs, same)],
    ['a retry of no dead deliveries', 200, () => api.post(`${path}/retry-dead`, theirs)],
    ['a dismissal of no dead deliveries', 200, () => api.post(`${path}/dismiss-dead`, theirs)],
    ['a change to an invalid URL', 400, () => api.patch(path, theirs, { url: 'http://example.com/' })],
    [
      'an endpoint with an invalid URL',
      400,
      () => api.post('/webhooks', theirs, { url: 'https://10.0.0.1/', events: ['*'] }),
    ],
    ['the rotation of a revoked key', 409, () => api.post(`/api-keys/${keyId}/rotate`, theirs)],
    ['a key without a name', 400, () => api.post('/api-keys', theirs, {})],
    [
      'a retry of a delivered delivery',
      409,
      () => api.post(`${path}/deliveries/${deliveryId}/retry`, theirs),
    ],
    ['the removal of an unknown endpoint', 404, () => api.delete('/webhooks/999999', theirs)],
    ['a test of an unknown endpoint', 404, () => api.post('/webhooks/999999/ping', theirs)],
    ['a request without a valid session', 401, () => api.post('/api-keys', 'nobody', { name: 'x' })],
  ])('%s: %d', async (_write, expected, send) => {
    expect((await send()).status).toBe(expected);
    expect((await logOf(2)).data).toEqual([]);
  });
});

test('the audit log has only the records of the workspace, oldest first, paged by an integer cursor', async () => {
  const theirs = sessionToken({ companyId: 3 });
  for (const name of ['a', 'b', 'c']) await api.post('/api-keys', theirs, { name }).expect(201);
  const page = async (query: string) => (await api.get(`/audit-log?${query}`, theirs).expect(200)).body;
  const namesOf = ({ data }: { data: { details: { name: string } }[] }) =>
    data.map(({ details }) => details.name);
  const first = await page('limit=2');
  expect([namesOf(first), first.hasMore]).toEqual([['a', 'b'], true]);
  expect(first.nextCursor).toBe(first.data[1].id);
  const rest = await page(`limit=2&cursor=${first.nextCursor}`);
  expect([namesOf(rest), rest.hasMore]).toEqual([['c'], false]);
  expect(await page(`cursor=${rest.nextCursor}`)).toEqual({
    data: [],
    nextCursor: rest.nextCursor,
    hasMore: false,
  });
  expect((await api.get('/audit-log?cursor=x', theirs).expect(400)).body.code).toBe('INVALID_CURSOR');
  expect((await api.get('/audit-log?limit=0', theirs).expect(400)).body.code).toBe('INVALID_REQUEST');
});

describe('a write and its record commit together or not at all', () => {
  const unlucky = sessionToken({ sub: '13' });
  let path: string;
  let deliveryId: bigint;
  let keyId: number;

  beforeAll(async () => {
    await api.db.$executeRaw`
      CREATE FUNCTION refuse_user_13() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.user_id = 13 THEN RAISE 'no record for you'; END IF; RETURN NEW; END $$`;
    await api.db.$executeRaw`
      CREATE TRIGGER refuse_user_13 BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION refuse_user_13()`;
    const endpointId = await addEndpoint(api.db, { url: receiver.url });
    path = `/webhooks/${endpointId}`;
    deliveryId = await addDelivery(api.db, endpointId, DEAD);
    await addKey(api.db, 1);
    ({ id: keyId } = await api.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } }));
  });

  const state = async () => ({
    keys: (await api.get('/api-keys?limit=500', token)).body,
    endpoints: await api.db.webhookEndpoint.findMany({ orderBy: { id: 'asc' } }),
    deliveries: await api.db.delivery.findMany({ orderBy: { id: 'asc' } }),
    queue: await api.db.pendingDelivery.findMany({ orderBy: { id: 'asc' } }),
    events: await api.db.webhookEvent.count(),
    records: (await logOf(1)).data,
    sent: receiver.requests.length,
  });

  test.each<[string, () => PromiseLike<Response>]>([
    ['creating a key', () => api.post('/api-keys', unlucky, { name: 'x' })],
    ['rotating a key', () => api.post(`/api-keys/${keyId}/rotate`, unlucky)],
    ['revoking a key', () => api.delete(`/api-keys/${keyId}`, unlucky)],
    [
      'creating an endpoint',
      () => api.post('/webhooks', unlucky, { url: 'https://example.com/', events: ['*'] }),
    ],
    ['changing an endpoint', () => api.patch(path, unlucky, { description: 'x', enabled: false })],
    ['rotating a secret', () => api.post(`${path}/rotate-secret`, unlucky)],
    ['testing an endpoint', () => api.post(`${path}/ping`, unlucky)],
    ['retrying a delivery', () => api.post(`${path}/deliveries/${deliveryId}/retry`, unlucky)],
    ['retrying dead deliveries', () => api.post(`${path}/retry-dead`, unlucky)],
    ['dismissing dead deliveries', () => api.post(`${path}/dismiss-dead`, unlucky)],
    ['resending a delivery', () => api.post(`${path}/deliveries/${deliveryId}/resend`, unlucky)],
    ['resending deliveries', () => api.post(`${path}/resend`, unlucky)],
    ['removing an endpoint', () => api.delete(path, unlucky)],
  ])('%s', async (_write, send) => {
    const before = await state();
    expect((await send()).status).toBe(500);
    expect(await state()).toEqual(before);
  });
});

test('records are committed in the order of their ids, so none appears behind a cursor', async () => {
  const SLOW = 51;
  const HELD = 4_711;
  // The column's default takes the id before the trigger runs.
  await api.db.$executeRawUnsafe(`
    CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.user_id = ${SLOW} THEN PERFORM pg_advisory_xact_lock(${HELD}); END IF; RETURN NEW; END $$`);
  await api.db.$executeRaw`
    CREATE TRIGGER hold_back BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION hold_back()`;
  const { nextCursor } = await logOf(1);
  const writes: Promise<Response>[] = [];
  // Supertest sends a request when its promise is awaited.
  const createKey = (app: TestApi['app'], sub: number) =>
    writes.push(
      supertest(app)
        .post('/api/v1/api-keys')
        .set('Authorization', `Bearer ${sessionToken({ sub: String(sub) })}`)
        .send({ name: 'x' })
        .then((done) => done),
    );
  // Within one process, the writes of a workspace run one at a time. This test is about two processes.
  const other = createApp(api.deps);
  await api.db.transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(${HELD})::text`;
    // A transaction keeps seeing the sessions that it saw first, so this does not use `tx`.
    const waiting = async () => {
      const [row] = await api.db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.count;
    };
    createKey(api.app, SLOW);
    await until('the slow write to wait', async () => (await waiting()) === 1);
    createKey(other, 52);
    await until('the quick write to wait for it', async () => (await waiting()) === 2);
    expect((await logOf(1, nextCursor)).data).toEqual([]);
  });
  await Promise.all(writes);
  expect((await logOf(1, nextCursor)).data.map(({ userId }) => userId)).toEqual([SLOW, 52]);
});
