import { ALERT_EVENTS } from '@deal-signals/outbox/alert-events';
import { signatureHeader } from '@deal-signals/sending/headers/delivery-headers';
import { decryptAlertTarget } from '@deal-signals/sending/secrets/alert-target';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const PATH = 'services/T0/B0/secret-of-the-chat';
const token = sessionToken();

let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db);
  await addCompany(api.db, 2);
});
afterAll(() => api.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await api.db.alertChannel.deleteMany();
});

const create = (fields: object = {}) =>
  api.post('/alert-channels', token, { kind: 'slack', url: receiver.url + PATH, ...fields });

async function created(fields: object = {}): Promise<{ secret: string | null; id: number }> {
  const { body } = await create(fields).expect(201);
  return { secret: body.secret, id: body.data.id };
}

const stored = (id: number) =>
  api.db.alertChannel.findUniqueOrThrow({ where: { companyId_id: { companyId: 1, id } } });
const targetOf = async (id: number) =>
  decryptAlertTarget(api.settings.webhooks.secretKeys, 1, (await stored(id)).targetCiphertext);

const audited = async () => {
  const records = await api.db.auditRecord.findMany({
    where: { objectType: 'alert_channel' },
    orderBy: { id: 'desc' },
  });
  return records.map(({ action, objectId, details }) => ({ action, objectId, details }));
};

describe('a channel', () => {
  test('is stored encrypted, and only its host is shown', async () => {
    const response = await create({ description: 'On-call' }).expect(201);
    const { id } = response.body.data;
    expect(response.body).toEqual({
      secret: null,
      data: {
        id,
        kind: 'slack',
        host: `127.0.0.1:${receiver.port}`,
        events: ALERT_EVENTS,
        description: 'On-call',
        createdAt: expect.any(String),
        lastSentAt: null,
        lastErrorAt: null,
        lastError: null,
      },
    });
    expect(await targetOf(id)).toEqual({ url: receiver.url + PATH, secret: null });
    const { targetCiphertext, ...columns } = await stored(id);
    const row = Buffer.from(targetCiphertext).toString('latin1') + JSON.stringify(columns);
    const list = await api.get('/alert-channels', token).expect(200);
    expect(list.body.data).toEqual([response.body.data]);
    for (const text of [row, response.text, list.text, JSON.stringify(await audited())])
      expect(text).not.toContain('secret-of-the-chat');
    expect((await audited())[0]).toEqual({
      action: 'alert_channel.created',
      objectId: String(id),
      details: { kind: 'slack', host: `127.0.0.1:${receiver.port}`, events: [...ALERT_EVENTS] },
    });
  });

  test('can be changed, and a webhook keeps its secret', async () => {
    const { id, secret } = await created({ kind: 'webhook' });
    expect(secret).toMatch(/^whsec_/);
    const change = { url: `${receiver.url}other`, events: ['deliveries.dead', 'deliveries.dead'] };
    const { body } = await api.patch(`/alert-channels/${id}`, token, change).expect(200);
    expect(body.data).toMatchObject({ events: ['deliveries.dead'], kind: 'webhook' });
    expect(await targetOf(id)).toEqual({ url: `${receiver.url}other`, secret });
    await api.patch(`/alert-channels/${id}`, token, { description: 'x' }).expect(200);
    expect(await targetOf(id)).toEqual({ url: `${receiver.url}other`, secret });
    const records = await audited();
    await api.patch(`/alert-channels/${id}`, token, { ...change, description: 'x' }).expect(200);
    // Nothing was different.
    expect(await audited()).toEqual(records);
    expect(records[1]).toMatchObject({
      action: 'alert_channel.updated',
      details: { changed: ['url', 'events'], events: ['deliveries.dead'] },
    });
  });

  test('that is removed deletes its waiting messages', async () => {
    const [{ id }, other] = [await created(), await created()];
    const endpointId = await addEndpoint(api.db);
    for (const channelId of [id, other.id]) {
      const now = new Date();
      await api.db.alert.create({
        data: {
          companyId: 1,
          channelId,
          endpointId,
          event: 'deliveries.dead',
          count: 1,
          consecutiveFailures: 1,
          lastAt: now,
          dueAt: now,
        },
      });
    }
    await api.delete(`/alert-channels/${id}`, token).expect(204);
    expect((await api.db.alert.findMany()).map(({ channelId }) => channelId)).toEqual([other.id]);
    await api.delete(`/alert-channels/${id}`, token).expect(404);
    expect((await audited())[0]).toMatchObject({ action: 'alert_channel.removed', objectId: String(id) });
  });
});

describe('a test', () => {
  test('of a webhook is signed, and shown on the channel', async () => {
    const { id, secret } = await created({ kind: 'webhook' });
    const { body } = await api.post(`/alert-channels/${id}/test`, token).expect(200);
    expect(body.data).toEqual({ accepted: true, statusCode: 200, error: null });
    const [{ headers, rawBody }] = (await receiver.waitFor(1)) as [(typeof receiver.requests)[0]];
    expect(headers['x-service-signature']).toBe(
      signatureHeader([secret!], Number(headers['webhook-timestamp']), rawBody.toString()),
    );
    expect(JSON.parse(rawBody.toString())).toMatchObject({ type: 'alert.test', companyId: 1 });
    expect(await stored(id)).toMatchObject({ lastError: null, lastSentAt: expect.any(Date) });
    expect((await audited())[0]).toMatchObject({ action: 'alert_channel.tested' });
  });

  test.each(['slack', 'teams'])('of %s has the format of the service', async (kind) => {
    const { id } = await created({ kind });
    await api.post(`/alert-channels/${id}/test`, token).expect(200);
    const [{ rawBody }] = (await receiver.waitFor(1)) as [(typeof receiver.requests)[0]];
    expect(JSON.parse(rawBody.toString())).toHaveProperty(kind === 'slack' ? 'blocks' : 'attachments');
  });

  test('that fails returns a 200 with the reason, which reveals nothing about ports', async () => {
    const { id } = await created();
    receiver.respond(404);
    const first = await api.post(`/alert-channels/${id}/test`, token).expect(200);
    expect(first.body.data).toEqual({
      accepted: false,
      statusCode: 404,
      error: 'receiver responded with 404',
    });
    await receiver.close();
    const second = await api.post(`/alert-channels/${id}/test`, token).expect(200);
    expect(second.body.data).toEqual({ accepted: false, statusCode: null, error: 'no response over TLS' });
    expect(await stored(id)).toMatchObject({ lastError: 'no response over TLS', lastSentAt: null });
  });
});

describe('invalid input returns a 400 with the field', () => {
  test.each([
    ['kind', { kind: 'email' }],
    ['kind', { kind: undefined }],
    ['events', { events: ['endpoint.failing', 'engagement.recorded'] }],
    ['events', { events: ['*'] }],
    ['events', { events: [] }],
    ['url', { url: 'https://10.0.0.1/' }],
    ['url', { url: 'http://example.com/' }],
    ['url', { url: 'https://metadata.google.internal/' }],
    ['url', { url: 7 }],
    ['description', { description: 'x'.repeat(501) }],
  ])('%s: %j', async (field, fields) => {
    const { body } = await create(fields).expect(400);
    expect(body).toMatchObject({
      code: 'INVALID_REQUEST',
      error: expect.stringMatching(`^${field}`),
    });
  });

  test('a sixth channel', async () => {
    for (let n = 0; n < 5; n += 1) await created();
    const { body } = await create().expect(409);
    expect(body.error).toMatch(/^the workspace already has 5 alert channels/);
  });

  test('a change to a private URL, and an empty change', async () => {
    const { id } = await created();
    await api.patch(`/alert-channels/${id}`, token, { url: 'https://127.0.0.2/' }).expect(400);
    await api.patch(`/alert-channels/${id}`, token, {}).expect(400);
  });
});

test('channels are for the admins of their workspace', async () => {
  const { id } = await created();
  const foreign = sessionToken({ companyId: 2 });
  expect((await api.get('/alert-channels', foreign).expect(200)).body.data).toEqual([]);
  await api.patch(`/alert-channels/${id}`, foreign, { description: 'x' }).expect(404);
  await api.delete(`/alert-channels/${id}`, foreign).expect(404);
  await api.post(`/alert-channels/${id}/test`, foreign).expect(404);
  await api.get('/alert-channels', await addKey(api.db, 1, { scopes: ['read', 'webhooks'] })).expect(401);
});
