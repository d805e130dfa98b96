import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

/** Signs as the most used payment API does, with its own client library. */
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
    'x-service-delivery': '1000000000007',
  });
}

describe('startDemoReceiver', () => {
  test('accepts a signed delivery and tells of it', async () => {
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toEqual([
      {
        verified: true,
        type: 'decision_room.updated',
        eventId: ROOM_UPDATE.id,
        deliveryId: '1000000000007',
        subject: 'Ostervale Foods: won, 184,000, closing 2026-12-18',
        createdAt: new Date(ROOM_UPDATE.createdAt),
        receivedAt: expect.any(Date),
      },
    ]);
  });

  test('acknowledges a second copy without telling of it again', async () => {
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toHaveLength(1);
  });

  test('acknowledges a type that it does not know', async () => {
    expect(await deliver({ ...ROOM_UPDATE, type: 'something.new' })).toBe(204);
    expect(received).toMatchObject([{ verified: true, type: 'something.new' }]);
  });

  test('takes an earlier secret while one is being replaced', async () => {
    receiver.addSecret('whsec_the_new_one');
    const body = JSON.stringify(ROOM_UPDATE);
    expect(await deliver(ROOM_UPDATE, sign(body))).toBe(204);
    expect(await deliver(ROOM_UPDATE, sign(body, 'whsec_the_new_one'))).toBe(204);
  });

  const body = JSON.stringify(ROOM_UPDATE);
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  test.each([
    ['no signature', () => ''],
    ['a malformed one', () => 't=now,v1=abc'],
    ['one of another secret', () => sign(body, 'whsec_somebody_else')],
    ['one of another body', () => sign(`${body} `)],
    ['one that is too old', () => sign(body, SECRET, nowSeconds() - 310)],
    ['one from the future', () => sign(body, SECRET, nowSeconds() + 310)],
    ['a time that was not signed', () => sign(body).replace(/t=\d+/, `t=${nowSeconds() - 5}`)],
  ])('refuses %s', async (_, signature) => {
    expect(await deliver(ROOM_UPDATE, signature())).toBe(400);
    expect(received).toEqual([
      { verified: false, reason: expect.stringContaining('signature'), receivedAt: expect.any(Date) },
    ]);
  });

  test('accepts a clock that is a little off', async () => {
    expect(await deliver(ROOM_UPDATE, sign(body, SECRET, nowSeconds() - 290))).toBe(204);
  });

  test('asks for the delivery again when it could not be handled', async () => {
    onDelivery = () => {
      throw new Error('the database is away');
    };
    expect(await deliver(ROOM_UPDATE)).toBe(500);
    onDelivery = (delivery) => void received.push(delivery);
    expect(await deliver(ROOM_UPDATE)).toBe(204);
    expect(received).toHaveLength(1);
  });

  test('takes only POST on its own path, and no more than a delivery can hold', async () => {
    expect(await post('', {}, undefined, 'GET')).toBe(405);
    expect(await post(body, { 'x-service-signature': sign(body) }, '/elsewhere')).toBe(404);
    const large = 'x'.repeat(5 * 1024 * 1024);
    expect(await post(large, { 'x-service-signature': sign(large) })).toBe(413);
    expect(received).toEqual([]);
  });
});
