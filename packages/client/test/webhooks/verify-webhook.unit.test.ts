import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signedDelivery } from '../../src/command/listen/signed-delivery.ts';
import { isEvent } from '../../src/webhooks/events.ts';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.ts';
import { BODY, NOW, OLD_SECRET, SECRET, serviceHeaders, standardHeaders } from './sign.ts';

const OTHER = 'whsec_b3RoZXI=';
const code = (problem: string) => expect.objectContaining({ name: 'WebhookError', code: problem });

describe.each([
  ['X-Service-Signature', serviceHeaders],
  ['Standard Webhooks', standardHeaders],
])('%s', (_scheme, sign) => {
  test.each([SECRET, OLD_SECRET])('accepts a delivery that was signed with %s', async (secret) => {
    const event = await verifyWebhook(BODY, sign(BODY, [secret], NOW), secret, { now: NOW });
    expect(event).toEqual(JSON.parse(BODY));
  });

  test.each<[string, (text: string) => string | Uint8Array | ArrayBuffer]>([
    ['bytes', (text) => Buffer.from(text)],
    ['a part of a larger buffer', (text) => Buffer.from(`xx${text}`).subarray(2)],
    ['an ArrayBuffer', (text) => new TextEncoder().encode(text).buffer],
  ])('takes the body as %s', async (_form, convert) => {
    const event = await verifyWebhook(convert(BODY), sign(BODY, [SECRET], NOW), SECRET, { now: NOW });
    expect(event.type).toBe('integration.ping');
  });

  test('takes the headers as a Headers object, and in any case', async () => {
    const headers = sign(BODY, [SECRET], NOW);
    await verifyWebhook(BODY, new Headers(headers), SECRET, { now: NOW });
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    await verifyWebhook(BODY, Object.fromEntries(upper), SECRET, { now: NOW });
  });

  test('accepts either secret of a rotation, at the sender and at the receiver', async () => {
    const both = sign(BODY, [OTHER, SECRET], NOW);
    await verifyWebhook(BODY, both, SECRET, { now: NOW });
    await verifyWebhook(BODY, both, OTHER, { now: NOW });
    await verifyWebhook(BODY, sign(BODY, [SECRET], NOW), [OTHER, SECRET], { now: NOW });
  });

  test('refuses another secret, and a body that was changed by a byte', async () => {
    const headers = sign(BODY, [SECRET], NOW);
    const mismatch = code('SIGNATURE_MISMATCH');
    await expect(verifyWebhook(BODY, headers, OTHER, { now: NOW })).rejects.toEqual(mismatch);
    await expect(verifyWebhook(`${BODY} `, headers, SECRET, { now: NOW })).rejects.toEqual(mismatch);
  });

  test.each([
    [-301, false],
    [-299, true],
    [299, true],
    [301, false],
  ])('a signature that is %d seconds away: %s', async (offset, isAccepted) => {
    const headers = sign(BODY, [SECRET], new Date(NOW.getTime() + offset * 1_000));
    const verifying = verifyWebhook(BODY, headers, SECRET, { now: NOW });
    if (isAccepted) await verifying;
    else await expect(verifying).rejects.toEqual(code('TIMESTAMP_OUT_OF_TOLERANCE'));
    await verifyWebhook(BODY, headers, SECRET, { now: NOW, toleranceSeconds: 302 });
  });

  test('refuses a time that is not the signed one', async () => {
    const headers = sign(BODY, [SECRET], new Date(NOW.getTime() - 400_000));
    const later = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(String(NOW.getTime() / 1_000 - 400), String(NOW.getTime() / 1_000)),
    ]);
    await expect(verifyWebhook(BODY, Object.fromEntries(later), SECRET, { now: NOW })).rejects.toEqual(
      code('SIGNATURE_MISMATCH'),
    );
  });
});

test('accepts a delivery with both schemes if one of them matches', async () => {
  const headers = { ...serviceHeaders(BODY, [OTHER], NOW), ...standardHeaders(BODY, [SECRET], NOW) };
  await verifyWebhook(BODY, headers, SECRET, { now: NOW });
  const swapped = { ...serviceHeaders(BODY, [SECRET], NOW), ...standardHeaders(BODY, [OTHER], NOW) };
  await verifyWebhook(BODY, swapped, SECRET, { now: NOW });
});

test.each([
  [{}],
  [{ 'x-service-signature': '' }],
  [{ 'x-service-signature': 'v1=00' }],
  [{ 'x-service-signature': '__proto__=1,constructor=2' }],
  [{ 'x-service-signature': `t=,v1=${'0'.repeat(64)}` }],
  [{ 'x-service-signature': `t=1,v1=${'0'.repeat(63)}` }],
  [{ 'x-service-signature': `t=1,v0=${'0'.repeat(64)}` }],
  [{ 'webhook-signature': `v1,${'A'.repeat(43)}=`, 'webhook-timestamp': '1' }],
  [{ 'webhook-id': 'a', 'webhook-signature': 'v1,AAAA', 'webhook-timestamp': '1' }],
  [{ 'webhook-id': 'a', 'webhook-signature': `v1a,${'A'.repeat(43)}=`, 'webhook-timestamp': '1' }],
  [{ 'webhook-id': 'a', 'webhook-signature': `v1,${'A'.repeat(43)}=`, 'webhook-timestamp': 'x' }],
])('headers without a readable signature: %j', async (headers) => {
  await expect(verifyWebhook(BODY, headers, SECRET, { now: NOW })).rejects.toEqual(code('SIGNATURE_MISSING'));
});

test.each(['', 'null', '[]', 'text', '{"id":1}'])('a signed body that is no delivery: %j', async (body) => {
  const headers = serviceHeaders(body, [SECRET], NOW);
  await expect(verifyWebhook(body, headers, SECRET, { now: NOW })).rejects.toEqual(code('BODY_INVALID'));
});

test('mistakes of the program are told apart from bad deliveries', async () => {
  const headers = serviceHeaders(BODY, [SECRET], NOW);
  const parsed = JSON.parse(BODY) as string;
  await expect(verifyWebhook(parsed, headers, SECRET)).rejects.toThrow(TypeError);
  await expect(verifyWebhook(BODY, headers, '')).rejects.toThrow(TypeError);
  await expect(verifyWebhook(BODY, headers, [])).rejects.toThrow(TypeError);
});

test('the type of an event tells its data', async () => {
  const event = await verifyWebhook(BODY, serviceHeaders(BODY, [SECRET], NOW), SECRET, { now: NOW });
  expect(isEvent(event, 'integration.ping') && event.data.message).toBe('Grüße 👋');
  expect(isEvent(event, 'engagement.recorded')).toBe(false);
});

test('what `listen` signs is accepted by both schemes, and by the library of Standard Webhooks', async () => {
  const { headers } = await signedDelivery(
    { id: 'msg_1', type: 'integration.ping', body: BODY },
    1,
    SECRET,
    new Date(),
  );
  const { 'X-Service-Signature': service = '', ...others } = headers;
  await verifyWebhook(BODY, { 'X-Service-Signature': service }, SECRET);
  await verifyWebhook(BODY, others, SECRET);
  expect(new Webhook(SECRET).verify(BODY, others)).toEqual(JSON.parse(BODY));
});
