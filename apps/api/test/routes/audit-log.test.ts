import { auditRecord, AUDIT_ACTIONS } from '@deal-signals/serializers/management/audit-record';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/https-receiver';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { addDelivery, addEndpoint, DEAD, DELIVERED } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

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

/** The audit log of a workspace behind a position. */
async function logOf(companyId: number, cursor = '0') {
  const { body } = await api
    .get(`/audit-log?cursor=${cursor}`, sessionToken({ companyId, sub: '99' }))
    .expect(200);
  return body as { data: Record<string, unknown>[]; nextCursor: string; hasMore: boolean };
}

test('each management write leaves one record: who, what, when, which object, which request', async () => {
  const secrets: string[] = [];
  let position = '0';

  /** Makes a write and gives the one record that it left. */
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
    expect(record).toMatchObject({ userId: 41, requestId: headers['x-request-id'] });
    expect(Math.abs(Date.parse(String(record['at'])) - begunAt)).toBeLessThan(60_000);
    return record;
  }

  const key = await recordOf(api.post('/api-keys', token, { name: 'warehouse' }));
  expect(key).toMatchObject({
    action: 'api_key.created',
    objectType: 'api_key',
    details: { name: 'warehouse', prefix: expect.stringMatching(/^dsk_live_.{4}$/) },
  });
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
    details: { events: ['*'] },
  });
  const id = Number(created['objectId']);
  const webhook = { objectType: 'webhook', objectId: String(id) };
  const patch = (change: object) => api.patch(`/webhooks/${id}`, token, change);
  const changedUrl = { url: `${url}2`, description: 'hidden too', events: ['*'] };
  expect(await recordOf(patch(changedUrl))).toMatchObject({
    ...webhook,
    action: 'webhook.updated',
    details: { changed: ['url', 'description'] },
  });
  expect(await recordOf(patch({ enabled: false, events: ['integration.ping'] }))).toMatchObject({
    ...webhook,
    action: 'webhook.updated',
    details: { changed: ['events', 'enabled'], enabled: false },
  });
  expect(await recordOf(patch({ enabled: true }))).toMatchObject({
    details: { changed: ['enabled'], enabled: true },
  });

  const post = (path: string, body?: object) => api.post(`/webhooks/${id}/${path}`, token, body);
  expect(await recordOf(post('rotate-secret'))).toMatchObject({
    ...webhook,
    action: 'webhook.secret_rotated',
    details: {},
  });
  expect(await recordOf(post('ping'))).toMatchObject({
    ...webhook,
    action: 'webhook.pinged',
    details: { deliveryId: expect.stringMatching(/^\d{13}$/) },
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
  expect(await recordOf(api.delete(`/webhooks/${id}`, token))).toMatchObject({
    ...webhook,
    action: 'webhook.removed',
    details: {},
  });

  const { data } = await logOf(1);
  expect(new Set(data.map(({ action }) => action))).toEqual(new Set(AUDIT_ACTIONS));
  const stored = JSON.stringify(await api.db.auditRecord.findMany(), (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(secrets.length).toBeGreaterThan(4);
  for (const secret of secrets) expect(stored).not.toContain(secret);
});

test('the record finds the request in the log', async () => {
  await api.post('/api-keys', token, { name: 'x' }).set('X-Request-Id', 'who-did-it').expect(201);
  await until('the request is logged', () => api.log.some(({ requestId }) => requestId === 'who-did-it'));
  expect((await logOf(1)).data.at(-1)).toMatchObject({ requestId: 'who-did-it' });
});

test('what changes nothing, or is refused, leaves none', async () => {
  const endpointId = await addEndpoint(api.db, { companyId: 2, url: 'https://example.com/', enabled: false });
  const delivered = await addDelivery(api.db, endpointId, { ...DELIVERED, companyId: 2 });
  await addKey(api.db, 2, { revokedAt: new Date() });
  const { id: keyId } = await api.db.apiKey.findFirstOrThrow({ where: { companyId: 2 } });
  const theirs = sessionToken({ companyId: 2 });
  const path = `/webhooks/${endpointId}`;
  const same = { url: 'https://example.com/', events: ['*'], description: null, enabled: false };
  const statuses = [
    await api.delete(`/api-keys/${keyId}`, theirs),
    await api.patch(path, theirs, same),
    await api.post(`${path}/retry-dead`, theirs),
    await api.post(`${path}/dismiss-dead`, theirs),
    await api.patch(path, theirs, { url: 'http://example.com/' }),
    await api.post('/webhooks', theirs, { url: 'https://10.0.0.1/', events: ['*'] }),
    await api.post('/api-keys', theirs, {}),
    await api.post(`${path}/deliveries/${delivered}/retry`, theirs),
    await api.delete('/webhooks/999999', theirs),
    await api.post('/webhooks/999999/ping', theirs),
    await api.post('/api-keys', sessionToken({ companyId: 2, permissions: [] }), { name: 'x' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([204, 200, 200, 200, 400, 400, 400, 409, 404, 404, 403]);
  expect((await logOf(2)).data).toEqual([]);
});

test('the log is the workspace’s own, paged by an integer cursor, oldest first', async () => {
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

test('a write and its record commit together or not at all', async () => {
  await api.db.$executeRaw`
    CREATE FUNCTION refuse_user_13() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.user_id = 13 THEN RAISE 'no record for you'; END IF; RETURN NEW; END $$`;
  await api.db.$executeRaw`
    CREATE TRIGGER refuse_user_13 BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION refuse_user_13()`;
  const unlucky = sessionToken({ sub: '13' });
  const sentBefore = receiver.requests.length;
  const endpointId = await addEndpoint(api.db, { url: receiver.url });
  const deliveryId = await addDelivery(api.db, endpointId, DEAD);
  await addKey(api.db, 1);
  const state = async () => ({
    keys: (await api.get('/api-keys?limit=500', token)).body,
    endpoints: await api.db.webhookEndpoint.findMany({ orderBy: { id: 'asc' } }),
    deliveries: await api.db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }),
    events: await api.db.webhookEvent.count(),
    records: (await logOf(1)).data,
  });
  const before = await state();
  const path = `/webhooks/${endpointId}`;
  for (const write of [
    api.post('/api-keys', unlucky, { name: 'x' }),
    api.delete(`/api-keys/${before.keys.data.at(-1).id}`, unlucky),
    api.post('/webhooks', unlucky, { url: 'https://example.com/', events: ['*'] }),
    api.patch(path, unlucky, { description: 'x', enabled: false }),
    api.post(`${path}/rotate-secret`, unlucky),
    api.post(`${path}/ping`, unlucky),
    api.post(`${path}/deliveries/${deliveryId}/retry`, unlucky),
    api.post(`${path}/retry-dead`, unlucky),
    api.post(`${path}/dismiss-dead`, unlucky),
    api.delete(path, unlucky),
  ]) {
    expect((await write).status).toBe(500);
  }
  expect(await state()).toEqual(before);
  expect(receiver.requests).toHaveLength(sentBefore);
});

test('ids follow the order of commits: what took its id first is never committed behind a cursor', async () => {
  const SLOW = 51;
  const HELD = 4_711;
  // The id is taken by the column's default, before the trigger runs.
  await api.db.$executeRawUnsafe(`
    CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.user_id = ${SLOW} THEN PERFORM pg_advisory_xact_lock(${HELD}); END IF; RETURN NEW; END $$`);
  await api.db.$executeRaw`
    CREATE TRIGGER hold_back BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION hold_back()`;
  const { nextCursor } = await logOf(1);
  const writes: Promise<Response>[] = [];
  // A request is sent once somebody waits for it.
  const mint = (sub: number) =>
    writes.push(
      api.post('/api-keys', sessionToken({ sub: String(sub) }), { name: 'x' }).then((done) => done),
    );
  await api.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(${HELD})::text`;
    // Not in this transaction, which would keep seeing the sessions that it saw first.
    const waiting = async () => {
      const [row] = await api.db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.count;
    };
    mint(SLOW);
    await until('the slow one waits', async () => (await waiting()) === 1);
    mint(52);
    await until('the quick one waits for it', async () => (await waiting()) === 2);
    expect((await logOf(1, nextCursor)).data).toEqual([]);
  });
  await Promise.all(writes);
  expect((await logOf(1, nextCursor)).data.map(({ userId }) => userId)).toEqual([SLOW, 52]);
});
