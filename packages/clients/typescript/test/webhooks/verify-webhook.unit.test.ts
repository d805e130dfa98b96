import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signedDelivery } from '../../src/command/listen/signed-delivery.ts';
import { isEvent } from '../../src/webhooks/events.ts';
import { verifyWebhook, WebhookError } from '../../src/webhooks/verify-webhook.ts';
import { BODY, NOW, SECRET, serviceHeaders, standardHeaders } from './sign.ts';

const OTHER = 'whsec_b3RoZXI=';
const code = (problem: string) => expect.objectContaining({ name: 'WebhookError', code: problem });

interface Vector {
  name: string;
  secrets: string[];
  headers: Record<string, string>;
  body: string;
  toleranceSeconds?: number;
  /** `valid`, or the expected error code. */
  expected: string;
}

// The Python client runs the same cases (packages/clients/python/tests/test_webhooks.py).
describe('the shared cases', () => {
  const file = path.join(import.meta.dirname, 'vectors.json');
  const { now, cases } = JSON.parse(readFileSync(file, 'utf8')) as { now: number; cases: Vector[] };

  test.each(cases)('$name', async ({ secrets, headers, body, expected, ...options }) => {
    const verifying = verifyWebhook(body, headers, secrets, { now: new Date(now * 1_000), ...options });
    const outcome = await verifying.then(
      () => 'valid',
      (error: unknown) => (error instanceof WebhookError ? error.code : String(error)),
    );
    expect(outcome).toBe(expected);
  });
});

describe.each([
  ['X-Service-Signature', serviceHeaders],
  ['Standard Webhooks', standardHeaders],
])('%s', (_scheme, sign) => {
  test('accepts a delivery that was signed with the secret', async () => {
    const event = await verifyWebhook(BODY, sign(BODY, [SECRET], NOW), SECRET, { now: NOW });
    expect(event).toEqual(JSON.parse(BODY));
  });

  test.each<[string, (text: string) => string | Uint8Array | ArrayBuffer]>([
    ['bytes', (text) => Buffer.from(text)],
    ['a part of a larger buffer', (text) => Buffer.from(`xx${text}`).subarray(2)],
    ['an ArrayBuffer', (text) => new TextEncoder().encode(text).buffer],
  ])('accepts the body as %s', async (_form, convert) => {
    const event = await verifyWebhook(convert(BODY), sign(BODY, [SECRET], NOW), SECRET, { now: NOW });
    expect(event.type).toBe('integration.ping');
  });

  test('accepts a Headers object, and header names in upper or lower case', async () => {
    const headers = sign(BODY, [SECRET], NOW);
    await verifyWebhook(BODY, new Headers(headers), SECRET, { now: NOW });
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    await verifyWebhook(BODY, Object.fromEntries(upper), SECRET, { now: NOW });
  });

  test('accepts either secret of a rotation, for the sender and the receiver', async () => {
    const both = sign(BODY, [OTHER, SECRET], NOW);
    await verifyWebhook(BODY, both, SECRET, { now: NOW });
    await verifyWebhook(BODY, both, OTHER, { now: NOW });
    await verifyWebhook(BODY, sign(BODY, [SECRET], NOW), [OTHER, SECRET], { now: NOW });
  });

  test('rejects another secret, and a body with a changed byte', async () => {
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

  test('rejects a time that differs from the signed one', async () => {
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

test('programming errors differ from errors of deliveries', async () => {
  const headers = serviceHeaders(BODY, [SECRET], NOW);
  const parsed = JSON.parse(BODY) as string;
  await expect(verifyWebhook(parsed, headers, SECRET)).rejects.toThrow(TypeError);
  await expect(verifyWebhook(BODY, headers, '')).rejects.toThrow(TypeError);
  await expect(verifyWebhook(BODY, headers, [])).rejects.toThrow(TypeError);
});

test('the type of an event narrows the type of its data', async () => {
  const event = await verifyWebhook(BODY, serviceHeaders(BODY, [SECRET], NOW), SECRET, { now: NOW });
  expect(isEvent(event, 'integration.ping') && event.data.message).toBe('Grüße 👋');
  expect(isEvent(event, 'engagement.recorded')).toBe(false);
});

test('signatures of `listen` are valid in both schemes, and for the library of Standard Webhooks', async () => {
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
