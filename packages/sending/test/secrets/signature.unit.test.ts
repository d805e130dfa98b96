import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import {
  deliveryHeaders,
  signatureHeader,
  standardSignatureHeader,
} from '../../src/headers/delivery-headers.ts';
import { generateSigningSecret } from '../../src/secrets/signing-secret.ts';

const stripe = new Stripe('unused');
const EVENT_ID = '00000000-0000-4000-8000-000000000001';
const body = JSON.stringify({ id: '1', object: 'event', text: 'Grüße — “yes” 🎉' });
const now = (): number => Math.floor(Date.now() / 1000);

/** Returns the headers of Standard Webhooks. */
function standardHeaders(secrets: string[], rawBody = body, timestamp = now()): Record<string, string> {
  return {
    'webhook-id': EVENT_ID,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignatureHeader(secrets, EVENT_ID, timestamp, rawBody),
  };
}

describe("Stripe's library", () => {
  test('verifies a delivery when it is given the whole secret', () => {
    const secret = generateSigningSecret();
    const header = signatureHeader([secret], now(), body);
    expect(stripe.webhooks.constructEvent(body, header, secret)).toEqual(JSON.parse(body));
    expect(() => stripe.webhooks.constructEvent(`${body} `, header, secret)).toThrow('signature');
    expect(() => stripe.webhooks.constructEvent(body, header, generateSigningSecret())).toThrow('signature');
    expect(() => stripe.webhooks.constructEvent(body, header, secret.slice('whsec_'.length))).toThrow(
      'signature',
    );
  });

  test('verifies the same header with either secret while a rotation overlaps; the new one is first', () => {
    const [secret, previous] = [generateSigningSecret(), generateSigningSecret()];
    const header = signatureHeader([secret, previous], now(), body);
    for (const valid of [secret, previous]) {
      expect(stripe.webhooks.constructEvent(body, header, valid)).toEqual(JSON.parse(body));
    }
    expect(() => stripe.webhooks.constructEvent(body, header, generateSigningSecret())).toThrow('signature');
    const [t = '', first = '', second = ''] = header.split(',');
    const at = Number(t.slice('t='.length));
    expect(signatureHeader([secret], at, body)).toBe(`${t},${first}`);
    expect(signatureHeader([previous], at, body)).toBe(`${t},${second}`);
  });
});

describe('the library of Standard Webhooks', () => {
  test('verifies a delivery with the same secret', () => {
    const secret = generateSigningSecret();
    const headers = standardHeaders([secret]);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('signature');
    expect(() => new Webhook(generateSigningSecret()).verify(body, headers)).toThrow('signature');
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'another' })).toThrow(
      'signature',
    );
    expect(() => new Webhook(secret).verify(body, standardHeaders([secret], body, now() - 301))).toThrow(
      'too old',
    );
  });

  test('verifies the same headers with either secret while a rotation overlaps', () => {
    const [secret, previous] = [generateSigningSecret(), generateSigningSecret()];
    const headers = standardHeaders([secret, previous]);
    for (const valid of [secret, previous]) {
      expect(new Webhook(valid).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(generateSigningSecret()).verify(body, headers)).toThrow('signature');
  });
});

test('the signature covers the time of the attempt, in whole seconds', () => {
  const secret = generateSigningSecret();
  const old = signatureHeader([secret], now() - 301, body);
  expect(() => stripe.webhooks.constructEvent(body, old, secret)).toThrow('tolerance');
  expect(signatureHeader(['whsec_x'], 1_788_264_000, '{}')).toBe(
    't=1788264000,v1=e637cfdec0b4bbd70ddc0a1c3673b40aae295b065fd54211446189f747cb3497',
  );
});

test('a delivery has the documented headers', () => {
  const secret = generateSigningSecret();
  const at = 1_788_264_000;
  expect(
    deliveryHeaders({
      deliveryId: 1_000_000_000_000n,
      eventId: EVENT_ID,
      eventType: 'integration.ping',
      body: '{}',
      secret,
      at: new Date('2026-09-01T12:00:00.999Z'),
    }),
  ).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': 'integration.ping',
    'X-Service-Event-Id': EVENT_ID,
    'X-Service-Delivery': '1000000000000',
    'X-Service-Signature': signatureHeader([secret], at, '{}'),
    'webhook-id': EVENT_ID,
    'webhook-timestamp': String(at),
    'webhook-signature': standardSignatureHeader([secret], EVENT_ID, at, '{}'),
  });
});

test('while a rotation overlaps, a delivery is signed with both secrets in both forms, and it carries its trace', () => {
  const secrets = [generateSigningSecret(), generateSigningSecret()] as const;
  const at = 1_788_264_000;
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const delivery = { deliveryId: 1n, eventId: EVENT_ID, eventType: 'integration.ping', body: '{}' };
  expect(
    deliveryHeaders({
      ...delivery,
      secret: secrets[0],
      previousSecret: secrets[1],
      at: new Date(at * 1_000),
      traceparent,
    }),
  ).toMatchObject({
    'X-Service-Signature': signatureHeader(secrets, at, '{}'),
    'webhook-signature': standardSignatureHeader(secrets, EVENT_ID, at, '{}'),
    traceparent,
  });
});
