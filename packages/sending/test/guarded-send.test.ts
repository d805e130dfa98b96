import { readFileSync } from 'node:fs';
import { type Receiver, startReceiver, testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../src/guard/guarded-send.ts';

/** For tests that wait for the timeout. The others get one that a busy machine does not reach. */
const TIMEOUT_MS = 2_000;
const LONG_TIMEOUT_MS = 30_000;
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
    timeoutMs: LONG_TIMEOUT_MS,
    ca,
    allowedPrivateHosts: LOOPBACK,
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

test('the body is sent byte for byte, with the given headers', async () => {
  const body = ' {"text": "Grüße\\u0000 🎉",\n "n": 9007199254740993 }\n';
  const result = await newSender().send(requestTo(`${receiver.url}hook?a=b%20c`, body));
  expect(result).toEqual({ kind: 'responded', status: 200, excerpt: '', durationMs: expect.any(Number) });
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

describe('a response', () => {
  test.each([200, 204, 299, 300, 400, 410, 500, 503])(
    'with the status %d is reported unchanged',
    async (status) => {
      receiver.respond(status);
      expect(await send()).toMatchObject({ kind: 'responded', status });
    },
  );

  test.each([
    [429, 7],
    [503, 7],
    [500, undefined],
    [200, undefined],
  ])('with the status %d has the wait that it asks for: %s', async (status, retryAfterSeconds) => {
    receiver.respond({ status, headers: { 'retry-after': '7' } });
    const { retryAfterSeconds: asked } = (await send()) as { retryAfterSeconds?: number };
    expect(asked).toBe(retryAfterSeconds);
  });

  test.each([300, 301, 302, 303, 304, 305, 306, 307, 308])(
    'with a redirect status (%d) is not followed',
    async (status) => {
      const elsewhere = await startReceiver();
      receiver.respond({ status, headers: { location: elsewhere.url } });
      const result = await send();
      await elsewhere.close();
      expect(result).toMatchObject({ kind: 'responded', status });
      expect(elsewhere.requests).toHaveLength(0);
    },
  );

  test('with an endless body counts by its status, and is cut off at the timeout', async () => {
    receiver.respond((_, { response }) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    const result = await send(newSender({ timeoutMs: TIMEOUT_MS }));
    expect(result).toMatchObject({ status: 200, excerpt: expect.stringMatching(/^\.+$/) });
    expect(performance.now() - startedAt).toBeLessThan(LONG_TIMEOUT_MS);
  });
});

test('a request to a receiver that does not respond ends at the timeout', async () => {
  receiver.respond('hang');
  const startedAt = performance.now();
  const error = `timeout after ${TIMEOUT_MS} ms`;
  const result = await send(newSender({ timeoutMs: TIMEOUT_MS }));
  expect(result).toEqual({ kind: 'failed', error, revealsPort: true, durationMs: expect.any(Number) });
  expect(performance.now() - startedAt).toBeLessThan(LONG_TIMEOUT_MS);
});

test('a receiver that closes the connection instead of responding fails the attempt', async () => {
  receiver.respond('close');
  const error = 'connection closed before a response';
  expect(await send()).toEqual({
    kind: 'failed',
    error,
    revealsPort: true,
    durationMs: expect.any(Number),
  });
});

describe('a private address', () => {
  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])('%s is never called', async (host) => {
    const sender = newSender({ allowedPrivateHosts: new Set() });
    expect(await send(sender, `https://${host}:${receiver.port}/`)).toMatchObject({
      kind: 'failed',
      error: 'host not found',
      detail: 'host resolves to a private address',
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test('is called when its name in the hosts file is exempt', async () => {
    const sender = newSender({ allowedPrivateHosts: new Set(['localhost']) });
    expect(await send(sender, `https://localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`localhost:${receiver.port}`);
  });
});

describe('connections', () => {
  test('are kept open and reused', async () => {
    const ports = new Set<number | undefined>();
    receiver.respond((_, { request, response }) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const sender = newSender();
    for (let i = 0; i < 3; i += 1) expect(await send(sender)).toMatchObject({ status: 200 });
    expect(ports.size).toBe(1);
  });

  test('a kept connection that the receiver has closed is replaced, which is not a failure', async () => {
    const sender = newSender();
    expect(await send(sender)).toMatchObject({ status: 200 });
    // The receiver reads the next request on the old connection and closes it, as if it had closed it while idle.
    receiver.respond(['close', 200]);
    expect(await send(sender)).toMatchObject({ status: 200 });
    expect(receiver.requests).toHaveLength(3);
  });

  test('a new connection that the receiver closes is a failure', async () => {
    receiver.respond(['close', 200]);
    expect(await send()).toMatchObject({ error: 'connection closed before a response' });
    expect(receiver.requests).toHaveLength(1);
  });
});

test('closing the sender interrupts a request, which is not a failure of the receiver', async () => {
  receiver.respond('hang');
  const sender = newSender();
  const result = send(sender);
  await receiver.waitFor(1);
  sender.close();
  expect(await result).toEqual({ kind: 'interrupted' });
});
