import { readFileSync } from 'node:fs';
import {
  type Behaviour,
  type Receiver,
  startReceiver,
  testCaFile,
} from '@deal-signals/test-kit/https-receiver';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../src/guarded-send.ts';

/** More than a receiver in this process needs on a busy machine. */
const PATIENCE_MS = 30_000;
/** For what is meant to run out of time, after it has connected. */
const TIMEOUT_MS = 2_000;
/** How late a timer may be on a busy machine. */
const LATE_MS = 10_000;
const LOOPBACK = new Set(['127.0.0.1', '::1']);

let receiver: Receiver;
const senders: Sender[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  await receiver.close();
});

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const ca = readFileSync(testCaFile(), 'utf8');
  const sender = createSender({
    timeoutMs: PATIENCE_MS,
    ca,
    allowedPrivateHosts: LOOPBACK,
    dnsServers: null,
    ...options,
  });
  senders.push(sender);
  return sender;
}

const requestTo = (url: string, body = '{}') => ({
  url: new URL(url),
  body,
  headers: { 'Content-Type': 'application/json', 'X-Service-Event': 'integration.ping' },
});
const send = (sender = newSender(), url = receiver.url) => sender.send(requestTo(url));

describe('what is sent', () => {
  test('the body byte for byte, with the headers as given', async () => {
    const body = ' {"text": "Grüße\\u0000 🎉",\n "n": 9007199254740993 }\n';
    const result = await newSender().send(requestTo(`${receiver.url}hook?a=b%20c`, body));
    expect(result).toEqual({ kind: 'answered', status: 200, excerpt: '', durationMs: expect.any(Number) });
    const [received] = receiver.requests;
    expect(received).toMatchObject({ method: 'POST', path: '/hook?a=b%20c' });
    expect(received?.rawBody).toEqual(Buffer.from(body));
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-service-event': 'integration.ping',
      'accept-encoding': 'identity',
    });
  });
});

describe('an answer', () => {
  test.each([200, 204, 299, 300, 400, 410, 500, 503])('%d is told as it is', async (status) => {
    receiver.respond(status);
    expect(await send()).toMatchObject({ kind: 'answered', status });
  });

  test.each([300, 301, 302, 303, 304, 305, 306, 307, 308])(
    'a redirect with %d is not followed',
    async (status) => {
      const elsewhere = await startReceiver();
      receiver.respond({ status, headers: { location: elsewhere.url } });
      const result = await send();
      await elsewhere.close();
      expect(result).toMatchObject({ kind: 'answered', status });
      expect(elsewhere.requests).toHaveLength(0);
    },
  );

  test('whose body drips for ever is a success by its status, and ends with the timeout', async () => {
    receiver.respond((_, { response }) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    expect(await send(newSender({ timeoutMs: TIMEOUT_MS }))).toMatchObject({
      status: 200,
      excerpt: expect.stringMatching(/^\.+$/),
    });
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + LATE_MS);
  });
});

test.each<[string, Behaviour, string, number]>([
  [
    'an answer that comes too late',
    { status: 200, delayMs: 2 * TIMEOUT_MS },
    `timeout after ${TIMEOUT_MS} ms`,
    TIMEOUT_MS,
  ],
  ['a closed connection', 'close', 'connection closed before a response', PATIENCE_MS],
])('%s is no answer', async (_, behaviour, error, timeoutMs) => {
  receiver.respond(behaviour);
  const startedAt = performance.now();
  const sender = newSender({ timeoutMs });
  expect(await send(sender)).toEqual({ kind: 'failed', error, durationMs: expect.any(Number) });
  expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + LATE_MS);
});

describe('a private address', () => {
  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])('%s is not connected to', async (host) => {
    const sender = newSender({ allowedPrivateHosts: new Set() });
    expect(await send(sender, `https://${host}:${receiver.port}/`)).toMatchObject({
      kind: 'failed',
      error: 'host resolves to a private address',
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test('is, when its name in the hosts file is exempt', async () => {
    const sender = newSender({ allowedPrivateHosts: new Set(['localhost']) });
    expect(await send(sender, `https://localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`localhost:${receiver.port}`);
  });
});

describe('connections', () => {
  test('are kept and used again', async () => {
    const ports = new Set<number | undefined>();
    receiver.respond((_, { request, response }) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const sender = newSender();
    for (let i = 0; i < 3; i += 1) expect(await send(sender)).toMatchObject({ status: 200 });
    expect(ports.size).toBe(1);
  });

  test('a kept one that the receiver has closed is no failure', async () => {
    const sender = newSender();
    expect(await send(sender)).toMatchObject({ status: 200 });
    // The receiver takes the next request on the old connection and closes it: as when both ends move at once.
    receiver.respond(['close', 200]);
    expect(await send(sender)).toMatchObject({ status: 200 });
    expect(receiver.requests).toHaveLength(3);
  });

  test('a new one that the receiver closes is a failure', async () => {
    receiver.respond(['close', 200]);
    expect(await send()).toMatchObject({ error: 'connection closed before a response' });
    expect(receiver.requests).toHaveLength(1);
  });
});

test('closing interrupts what is under way, and that is not the failure of the receiver', async () => {
  receiver.respond('hang');
  const sender = newSender();
  const result = send(sender);
  await receiver.waitFor(1);
  sender.close();
  expect(await result).toEqual({ kind: 'interrupted' });
});
