import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { showLimits } from '../http/limits/rate-limit-headers.ts';
import { openTestApi, sessionToken, type TestApi, testWebhookSettings } from '../test-api.ts';

const token = sessionToken({ sub: '41' });
const SUBSCRIBES = ['read', 'webhooks'];

let api: TestApi;
let receiver: Receiver;

beforeAll(async () => {
  api = await openTestApi({ settings: { webhooks: testWebhookSettings() } });
  receiver = await startReceiver();
  for (const companyId of [1, 2]) await addCompany(api.db, companyId);
});

afterAll(async () => {
  await receiver.close();
  await api.close();
});

async function createKey(scopes: string[], as = token): Promise<{ id: number; key: string }> {
  const { body } = await api.post('/api-keys', as, { name: 'automation', scopes }).expect(201);
  return { id: body.data.id, key: body.key };
}

const subscribe = (key: string, events = ['*']) => api.post('/webhooks', key, { url: receiver.url, events });
const idsOf = async (credential: string): Promise<number[]> =>
  (await api.get('/webhooks', credential).expect(200)).body.data.map(({ id }: { id: number }) => id);

/** Returns the statuses of all requests that a credential may send about an endpoint. */
async function reach(credential: string, id: number): Promise<number[]> {
  const tested = await api.post(`/webhooks/${id}/ping`, credential);
  const read = await api.get(`/webhooks/${id}`, credential);
  const replayed = await api.post(`/webhooks/${id}/replay-missing`, credential, {
    since: new Date().toISOString(),
  });
  const removal = await api.delete(`/webhooks/${id}`, credential);
  return [tested.status, read.status, replayed.status, removal.status];
}

test('a key with the scope registers, lists, tests and removes an endpoint', async () => {
  const { id: keyId, key } = await createKey(SUBSCRIBES);
  const { body } = await subscribe(key).expect(201);
  expect(body.secret).toMatch(/^whsec_/);
  expect(body.data).toMatchObject({ url: receiver.url, events: ['*'], enabled: true, apiKeyId: keyId });
  expect((await api.get('/webhooks', key).expect(200)).body.data).toEqual([body.data]);
  const tested = await api.post(`/webhooks/${body.data.id}/ping`, key).expect(200);
  expect(tested.body.data).toMatchObject({ eventType: 'integration.ping', status: 'delivered' });
  const since = new Date().toISOString();
  const replayed = await api.post(`/webhooks/${body.data.id}/replay-missing`, key, { since }).expect(200);
  expect(replayed.body).toEqual({ count: 0, hasMore: false, nextSince: null });
  expect((await api.get('/webhooks', token).expect(200)).body.data).toContainEqual(
    expect.objectContaining({ id: body.data.id, apiKeyId: keyId }),
  );
  await api.delete(`/webhooks/${body.data.id}`, key).expect(204);
  expect(await idsOf(key)).toEqual([]);
});

test('returns 404 for the endpoints of admins, of other keys and of other workspaces', async () => {
  const [{ key }, other] = [await createKey(SUBSCRIBES), await createKey(SUBSCRIBES)];
  const theirs = sessionToken({ companyId: 2 });
  const elsewhere = await createKey(SUBSCRIBES, theirs);
  const foreign = [
    (await api.post('/webhooks', token, { url: receiver.url, events: ['*'] }).expect(201)).body.data.id,
    (await subscribe(other.key).expect(201)).body.data.id,
    (await subscribe(elsewhere.key).expect(201)).body.data.id,
  ];
  const sent = receiver.requests.length;
  for (const id of foreign) expect(await reach(key, id)).toEqual([404, 404, 404, 404]);
  expect(receiver.requests).toHaveLength(sent);
  expect(await idsOf(key)).toEqual([]);
  expect(await idsOf(other.key)).toEqual([foreign[1]]);
  expect(await idsOf(token)).toEqual(expect.arrayContaining(foreign.slice(0, 2)));
  for (const id of foreign.slice(0, 2)) await api.delete(`/webhooks/${id}`, token).expect(204);
});

describe('a key without the scope', () => {
  test.each([[['read']], [['read:deliveries', 'read:rooms']]])(
    'of %j gets 403, and it is recorded',
    async (scopes) => {
      const key = await addKey(api.db, 1, { scopes });
      const id = await addEndpoint(api.db);
      expect(await reach(key, id)).toEqual([403, 403, 403, 403]);
      const { body } = await subscribe(key).expect(403);
      expect(body).toEqual({ error: 'the API key needs the scope webhooks', code: 'PERMISSION_DENIED' });
      await subscribe(key).expect(403);
      const { id: apiKeyId } = await api.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
      const records = await api.db.auditRecord.findMany({ where: { apiKeyId }, orderBy: { id: 'asc' } });
      expect(records.map(({ action, objectId, userId }) => [action, objectId, userId])).toEqual(
        ['pingWebhook', 'getWebhook', 'replayMissingEvents', 'removeWebhook', 'createWebhook'].map(
          (operation) => ['request.refused', operation, null],
        ),
      );
    },
  );
});

test('no key has the scope by default', async () => {
  const { body } = await api.post('/api-keys', token, { name: 'x' }).expect(201);
  expect(body.data.scopes).toEqual(['read']);
});

test.each<[string, string, object]>([
  ['change', 'patch', { enabled: false }],
  ['rotate-secret', 'post', {}],
  ['resend', 'post', {}],
  ['retry-dead', 'post', {}],
  ['dismiss-dead', 'post', {}],
])("a key cannot perform an admin's operation on its endpoint: %s", async (name, method, body) => {
  const { key } = await createKey(SUBSCRIBES);
  const { id } = (await subscribe(key).expect(201)).body.data;
  const path = name === 'change' ? `/webhooks/${id}` : `/webhooks/${id}/${name}`;
  const response = await api[method as 'patch' | 'post'](path, key, body);
  expect([response.status, response.body.code]).toEqual([401, 'SESSION_INVALID']);
});

test.each<[string[], string[]]>([
  [['read:calls'], ['call.recorded', 'call.summary.created']],
  [
    ['read:rooms'],
    ['decision_room.created', 'decision_room.updated', 'decision_room.esign.updated', 'person.erased'],
  ],
  [['read:engagement'], ['engagement.recorded', 'engagement.view.recorded', 'person.erased']],
  [['read:deliveries'], ['webhook.endpoint.disabled']],
  [[], []],
])('a key that may read %j cannot subscribe to events with other data', async (reads, expected) => {
  const { key } = await createKey([...reads, 'webhooks']);
  const { eventTypes } = (await api.get('/webhooks', key).expect(200)).body;
  const allowed: string[] = [];
  for (const event of [...eventTypes, '*']) {
    const { status, body } = await subscribe(key, [event]);
    if (status === 201) allowed.push(event);
    else
      expect([status, body.code, body.error]).toEqual([
        403,
        'PERMISSION_DENIED',
        expect.stringContaining(event),
      ]);
  }
  // A test event contains no data, and the erasure of a room has no hash of an address.
  const free = ['integration.ping', 'room.erased'];
  expect(allowed.toSorted()).toEqual([...expected, ...free].toSorted());
});

test('a rotation transfers the endpoints, and the old key still sees them during the overlap', async () => {
  const first = await createKey(SUBSCRIBES);
  const { id } = (await subscribe(first.key).expect(201)).body.data;
  const rotate = async (keyId: number) => {
    const { body } = await api.post(`/api-keys/${keyId}/rotate`, token, { overlapSeconds: 600 }).expect(201);
    return { id: body.data.id as number, key: body.key as string };
  };
  const second = await rotate(first.id);
  const third = await rotate(second.id);
  const made = (await subscribe(third.key).expect(201)).body.data;
  expect(made.apiKeyId).toBe(first.id);
  for (const { key } of [first, second, third]) expect(await idsOf(key)).toEqual([id, made.id]);
  await api.delete(`/webhooks/${id}`, third.key).expect(204);
});

test('the changes of a key are in the audit log under its id', async () => {
  const { id: apiKeyId, key } = await createKey(SUBSCRIBES);
  const { id } = (await subscribe(key).expect(201)).body.data;
  await api.post(`/webhooks/${id}/ping`, key).expect(200);
  await api.delete(`/webhooks/${id}`, key).expect(204);
  const { body } = await api
    .get(`/audit-log?object_type=webhook&object_id=${id}&limit=500`, token)
    .expect(200);
  expect(body.data).toMatchObject(
    ['webhook.created', 'webhook.pinged', 'webhook.removed'].map((action) => ({
      action,
      userId: null,
      apiKeyId,
      ipAddress: '127.0.0.1',
    })),
  );
});

test('a key counts against a limit of its own and of the keys of the workspace, but not of its users', async () => {
  const limited = await openTestApi({ settings: { managementPerMinute: { user: 2, workspace: 5 } } });
  try {
    await addCompany(limited.db, 1);
    const keys: string[] = [];
    for (let n = 0; n < 3; n += 1) keys.push(await addKey(limited.db, 1, { scopes: SUBSCRIBES }));
    const seen: unknown[] = [];
    for (const credential of [...keys, ...keys, keys[0] ?? '', sessionToken()]) {
      const { status, headers } = await limited.get('/webhooks', credential);
      expect(headers['x-ratelimit-remaining']).toBeUndefined();
      seen.push(`${status}: ${showLimits(headers)}`);
    }
    expect(seen).toEqual([
      ...[4, 3, 2].map((left) => `200: key 1 of 2, workspace ${left} of 5`),
      ...[1, 0].map((left) => `200: key 0 of 2, workspace ${left} of 5`),
      '429: key 0 of 2, workspace 0 of 5',
      '429: key 0 of 2',
      // The session of an admin.
      '200: user 1 of 2, workspace 4 of 5',
    ]);
  } finally {
    await limited.close();
  }
});

test('a key works only from its networks, and not after it was revoked', async () => {
  const allowedNetworks = ['192.0.2.0/24'];
  const away = await addKey(api.db, 1, { scopes: SUBSCRIBES, allowedNetworks });
  await subscribe(away).expect(403);
  const { id, key } = await createKey(SUBSCRIBES);
  await api.delete(`/api-keys/${id}`, token).expect(204);
  const { body } = await subscribe(key).expect(401);
  expect(body.code).toBe('API_KEY_INVALID');
});
