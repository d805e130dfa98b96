import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { startDemoReceiver, type DemoReceiver, type ReceivedDelivery } from '../src/receiver/receiver.ts';

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const { caFile, certificateFile, certificateKeyFile } = currentTestRun();

let receiver: DemoReceiver;
let received: ReceivedDelivery[];
let onDelivery: (delivery: ReceivedDelivery) => void;

beforeEach(async () => {
  received = [];
  onDelivery = (delivery) => void received.push(delivery);
  receiver = await startDemoReceiver({
    key: readFileSync(certificateKeyFile),
    cert: readFileSync(certificateFile),
    onDelivery: (delivery) => onDelivery(delivery),
  });
  receiver.addSecret(SECRET);
});
afterEach(() => receiver.close());

const ROOM_UPDATE = {
  id: '0b5e7f1c-2f0e-4c57-9c2f-6f8f8a3f2a10',
  type: 'decision_room.updated',
  apiVersion: '2026-09-01',
  createdAt: '2026-11-20T14:30:00.000Z',
  companyId: 1001,
  data: {
    name: 'Ostervale Foods',
    status: 'won',
    dealValueCents: 18_400_000,
    expectedCloseDate: '2026-12-18',
  },
};

/** Signs with the library of the payment service whose header format the product uses. */
function sign(payload: string, secret = SECRET, timestamp = Math.floor(Date.now() / 1000)): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

function post(
  body: string,
  headers: Record<string, string> = {},
  path?: string,
  method = 'POST',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = path === undefined ? receiver.url : new URL(path, receiver.url);
    const options = { method, ca: readFileSync(caFile), agent: false, headers };
    request(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

function deliver(envelope: object, signature?: string): Promise<number> {
  const body = JSON.stringify(envelope);
  return post(body, {
    'x-service-signature': signature ?? sign(body),
    'x-service-delivery': '1789030800007000',
  });
}

describe('startDemoReceiver', () => {
  test('accepts a signed delivery and reports it', async () => {
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toEqual([
      {
        verified: true,
        type: 'decision_room.updated',
        eventId: ROOM_UPDATE.id,
        deliveryId: '1789030800007000',
        subject: 'Ostervale Foods: won, 184,000, closing 2026-12-18',
        createdAt: new Date(ROOM_UPDATE.createdAt),
        receivedAt: expect.any(Date),
      },
    ]);
  });

  test.each([
    [
      'engagement.view.recorded',
      { actor: { name: 'Bob', email: null }, demoTitle: 'First demo', watchSeconds: 90 },
      '90 s of First demo, by Bob',
    ],
    ['call.recorded', { title: null, kind: 'demo', status: 'processing' }, 'demo: processing'],
    ['decision_room.created', { name: 'Ostervale Foods' }, 'Ostervale Foods: a new room'],
    [
      'webhook.endpoint.disabled',
      { host: 'hooks.example', disabledReason: '20 consecutive failed attempts' },
      'hooks.example: 20 consecutive failed attempts',
    ],
  ])('describes a %s', async (type, data, subject) => {
    expect(await deliver({ ...ROOM_UPDATE, type, data })).toBe(204);
    expect(received).toMatchObject([{ subject }]);
  });

  test('acknowledges a second copy without reporting it again', async () => {
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toHaveLength(1);
  });

  test('acknowledges an unknown event type', async () => {
    expect(await deliver({ ...ROOM_UPDATE, type: 'something.new' })).toBe(204);
    expect(received).toMatchObject([{ verified: true, type: 'something.new' }]);
  });

  test('accepts the old and the new secret during a rotation', async () => {
    receiver.addSecret('whsec_the_new_one');
    const body = JSON.stringify(ROOM_UPDATE);
    expect(await deliver(ROOM_UPDATE, sign(body))).toBe(204);
    expect(await deliver(ROOM_UPDATE, sign(body, 'whsec_the_new_one'))).toBe(204);
  });

  const body = JSON.stringify(ROOM_UPDATE);
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  test.each([
    ['a missing signature', () => ''],
    ['a malformed signature', () => 't=now,v1=abc'],
    ['a signature with another secret', () => sign(body, 'whsec_somebody_else')],
    ['a signature of another body', () => sign(`${body} `)],
    ['a signature that is too old', () => sign(body, SECRET, nowSeconds() - 310)],
    ['a signature from the future', () => sign(body, SECRET, nowSeconds() + 310)],
    ['a timestamp that was not signed', () => sign(body).replace(/t=\d+/, `t=${nowSeconds() - 5}`)],
  ])('refuses %s', async (_, signature) => {
    expect(await deliver(ROOM_UPDATE, signature())).toBe(400);
    expect(received).toEqual([
      { verified: false, reason: expect.stringContaining('signature'), receivedAt: expect.any(Date) },
    ]);
  });

  test('accepts a clock that is slightly off', async () => {
    expect(await deliver(ROOM_UPDATE, sign(body, SECRET, nowSeconds() - 290))).toBe(204);
  });

  test('returns 500 and logs the error when a delivery cannot be handled, so that it is sent again', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('the database is away');
    onDelivery = () => {
      throw error;
    };
    expect(await deliver(ROOM_UPDATE)).toBe(500);
    expect(logged.mock.calls).toEqual([[error]]);
    logged.mockRestore();
    onDelivery = (delivery) => void received.push(delivery);
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toHaveLength(1);
  });

  test('accepts only POST requests on its own path, up to a maximum size', async () => {
    expect(await post('', {}, undefined, 'GET')).toBe(405);
    expect(await post(body, { 'x-service-signature': sign(body) }, '/elsewhere')).toBe(404);
    const large = 'x'.repeat(5 * 1024 * 1024);
    expect(await post(large, { 'x-service-signature': sign(large) })).toBe(413);
    expect(received).toEqual([]);
  });
});
