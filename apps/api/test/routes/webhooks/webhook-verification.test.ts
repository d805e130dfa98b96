import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { addDelivery, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi, testWebhookSettings } from '../../test-api.ts';

let api: TestApi;
let receiver: Receiver;
const token = sessionToken();

beforeAll(async () => {
  const webhooks = testWebhookSettings({ WEBHOOK_VERIFY_ENDPOINTS: 'true' });
  api = await openTestApi({ settings: { webhooks } });
  await addCompany(api.db, 1);
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(() => api.close());

const register = async () =>
  (await api.post('/webhooks', token, { url: receiver.url, events: ['*'] }).expect(201)).body.data;
const change = async (id: number, body: object) =>
  (await api.patch(`/webhooks/${id}`, token, body).expect(200)).body.data;
const isWaiting = async (id: number) =>
  (await api.get(`/webhooks/${id}`, token).expect(200)).body.data.awaitingVerification as boolean;
const ping = (id: number) => api.post(`/webhooks/${id}/ping`, token).expect(200);

test('a new endpoint waits for a test event that succeeds', async () => {
  const { id, awaitingVerification, enabled } = await register();
  expect([awaitingVerification, enabled]).toEqual([true, true]);
  expect(receiver.requests).toHaveLength(0);
  receiver.respond([401, 204]);
  await ping(id);
  expect(await isWaiting(id)).toBe(true);
  await ping(id);
  expect(await isWaiting(id)).toBe(false);
});

test('a change of the URL requires a new verification, and other changes do not', async () => {
  const { id } = await register();
  await ping(id);
  const pending = await addDelivery(api.db, id);
  expect(await change(id, { url: receiver.url, description: 'x' })).toMatchObject({
    awaitingVerification: false,
  });
  expect(await readDelivery(api.db, pending)).toMatchObject({ ready: true });
  const { port } = new URL(receiver.url);
  const elsewhere = `https://127.0.0.1:${Number(port) === 40_000 ? 40_001 : 40_000}/`;
  for (const url of [elsewhere, `${receiver.url}other/party`, `${receiver.url}?to=other`]) {
    expect(await change(id, { url })).toMatchObject({ awaitingVerification: true, enabled: true });
    expect(await readDelivery(api.db, pending)).toMatchObject({ ready: false, nextAttemptAt: null });
    await change(id, { url: receiver.url });
    await ping(id);
    expect(await readDelivery(api.db, pending)).toMatchObject({ ready: true });
  }
});

test('without the setting, nothing waits', async () => {
  const open = await openTestApi();
  try {
    await addCompany(open.db, 1);
    const fields = { url: 'https://hooks.example.com/', events: ['*'] };
    const { data } = (await open.post('/webhooks', token, fields).expect(201)).body;
    expect(data.awaitingVerification).toBe(false);
    const moved = await open.patch(`/webhooks/${data.id}`, token, { url: 'https://b.example.com/' });
    expect(moved.body.data.awaitingVerification).toBe(false);
  } finally {
    await open.close();
  }
});
