import path from 'node:path';
import { deliveryHeaders } from '@deal-signals/sending/headers/delivery-headers';
import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';
import { expect, test } from '@jest/globals';
import { EXAMPLES, readPage } from './programs.ts';

// The page prints a delivery with its signatures, against which readers check programs of their own.

const PAGE = readPage('verifying-signatures.md');
const SECTION = /^## A test vector\n([\s\S]*?)(?=^## )/m.exec(PAGE)?.[1] ?? '';
const [SECRET = '', BODY = '', HEADERS = ''] = Array.from(
  SECTION.matchAll(/^```text\n([\s\S]*?)\n```/gm),
  ([, text = '']) => text,
);

const headers = Object.fromEntries(
  HEADERS.split('\n').map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 2),
  ]),
);

test('the test vector has the signatures that our signer makes', () => {
  const { id, type } = JSON.parse(BODY);
  const signed = deliveryHeaders({
    deliveryId: BigInt(headers['X-Service-Delivery'] ?? 0),
    eventId: id,
    eventType: type,
    body: BODY,
    secret: SECRET,
    at: new Date(Number(headers['webhook-timestamp']) * 1_000),
  });
  expect(headers).toEqual(signed);
});

test('the client accepts either signature of the test vector at its time', async () => {
  const now = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const { 'X-Service-Signature': _service, ...standard } = headers;
  const { 'webhook-signature': _standard, ...service } = headers;
  for (const some of [standard, service]) {
    expect(await verifyWebhook(BODY, some, SECRET, { now })).toEqual(JSON.parse(BODY));
  }
});

test('the page counts the bytes of its body', () => {
  expect(SECTION).toContain(`${Buffer.byteLength(BODY)} bytes`);
  expect(Buffer.byteLength(BODY)).toBeGreaterThan(BODY.length);
});

test('the receiver of the page accepts the test vector at its time, and nothing else', async () => {
  const { findSignatureProblem } = await import(path.join(EXAMPLES, 'receiver/verify-signature.mts'));
  const now = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const problemOf = (body: string) =>
    findSignatureProblem({
      header: headers['X-Service-Signature'],
      body: Buffer.from(body),
      secrets: [SECRET],
      now,
    });
  expect(problemOf(BODY)).toBeNull();
  expect(problemOf(`${BODY}\n`)).toBe('the signature matches none of the secrets');
});
