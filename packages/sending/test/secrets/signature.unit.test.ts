import { expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { deliveryHeaders } from '../../src/delivery-headers.ts';
import { signatureHeader } from '../../src/delivery-headers.ts';
import { mintSigningSecret } from '../../src/signing-secret.ts';

const stripe = new Stripe('unused');
const body = JSON.stringify({ id: '1', object: 'event', text: 'Grüße — “yes” 🎉' });

test("Stripe's library verifies a delivery when it is given the whole secret", () => {
  const secret = mintSigningSecret();
  const header = signatureHeader(secret, body, new Date());
  expect(stripe.webhooks.constructEvent(body, header, secret)).toEqual(JSON.parse(body));
  expect(() => stripe.webhooks.constructEvent(`${body} `, header, secret)).toThrow('signature');
  expect(() => stripe.webhooks.constructEvent(body, header, mintSigningSecret())).toThrow('signature');
  expect(() => stripe.webhooks.constructEvent(body, header, secret.slice('whsec_'.length))).toThrow(
    'signature',
  );
});

test("while a rotation overlaps, Stripe's library verifies the same header with either secret; the new one is first", () => {
  const [secret, previous] = [mintSigningSecret(), mintSigningSecret()];
  const at = new Date();
  const header = signatureHeader(secret, body, at, previous);
  for (const valid of [secret, previous]) {
    expect(stripe.webhooks.constructEvent(body, header, valid)).toEqual(JSON.parse(body));
  }
  expect(() => stripe.webhooks.constructEvent(body, header, mintSigningSecret())).toThrow('signature');
  const [, , second = ''] = header.split(',');
  expect(header).toBe(`${signatureHeader(secret, body, at)},${second}`);
  expect(signatureHeader(previous, body, at)).toContain(second);
});

test('the signature covers the time of the attempt, in whole seconds', () => {
  const secret = mintSigningSecret();
  const old = signatureHeader(secret, body, new Date(Date.now() - 301_000));
  expect(() => stripe.webhooks.constructEvent(body, old, secret)).toThrow('tolerance');
  expect(signatureHeader('whsec_x', '{}', new Date('2026-09-01T12:00:00.999Z'))).toBe(
    't=1788264000,v1=e637cfdec0b4bbd70ddc0a1c3673b40aae295b065fd54211446189f747cb3497',
  );
});

test('a delivery has the documented headers', () => {
  const at = new Date('2026-09-01T12:00:00Z');
  expect(
    deliveryHeaders({
      deliveryId: 1_000_000_000_000n,
      eventId: '00000000-0000-4000-8000-000000000001',
      eventType: 'integration.ping',
      body: '{}',
      secret: 'whsec_x',
      at,
    }),
  ).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': 'integration.ping',
    'X-Service-Event-Id': '00000000-0000-4000-8000-000000000001',
    'X-Service-Delivery': '1000000000000',
    'X-Service-Signature': signatureHeader('whsec_x', '{}', at),
  });
});
