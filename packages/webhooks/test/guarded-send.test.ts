import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Behaviour,
  type Receiver,
  type RespondByHand,
  startReceiver,
  testCaFile,
} from '@deal-signals/test-kit/https-receiver';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../src/guarded-send.ts';

const TIMEOUT_MS = 400;
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
  const sender = createSender({ timeoutMs: TIMEOUT_MS, ca, allowedPrivateHosts: LOOPBACK, ...options });
  senders.push(sender);
  return sender;
}

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
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
    });
  });

  test('no proxy of the environment is used', async () => {
    const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'all_proxy'];
    for (const name of names) process.env[name] = 'http://127.0.0.1:1';
    try {
      expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
    } finally {
      for (const name of names) delete process.env[name];
    }
  });
});

describe('an answer', () => {
  test.each([200, 204, 299, 300, 400, 410, 500, 503])('%d is told as it is', async (status) => {
    receiver.respond(status);
    expect(await send()).toMatchObject({ kind: 'answered', status });
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %d is not followed', async (status) => {
    const elsewhere = await startReceiver();
    receiver.respond({ status, headers: { location: elsewhere.url } });
    const result = await send();
    await elsewhere.close();
    expect(result).toMatchObject({ kind: 'answered', status });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('its text is kept for the log, NUL and broken UTF-8 replaced', async () => {
    receiver.respond((_, { response }) => {
      response.writeHead(500).end(Buffer.from([0x6e, 0x6f, 0x00, 0xff, 0x21]));
    });
    expect(await send()).toMatchObject({ status: 500, excerpt: 'no\uFFFD\uFFFD!' });
  });

  test('of many megabytes is cut off after 64 KiB', async () => {
    let written = 0;
    const isCut = new Promise<void>((resolve) => {
      receiver.respond(async (_, { response }) => {
        response.writeHead(200);
        response.on('close', resolve);
        while (!response.destroyed && written < 1e9) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x')))
            await Promise.race([once(response, 'drain'), sleep(50)]);
        }
      });
    });
    const sender = newSender({ timeoutMs: 30_000 });
    expect(await send(sender)).toMatchObject({ status: 200, excerpt: 'x'.repeat(1024) });
    await isCut;
    // What the buffers along the way hold, and not what could be sent in the time.
    expect(written).toBeLessThan(16e6);
  });

  test('in gzip is not unpacked', async () => {
    receiver.respond({ status: 200, headers: { 'content-encoding': 'gzip' }, body: 'not gzip at all' });
    expect(await send()).toMatchObject({ status: 200, excerpt: 'not gzip at all' });
    expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('whose body drips for ever is a success by its status, and ends with the timeout', async () => {
    receiver.respond((_, { response }) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    expect(await send()).toMatchObject({ status: 200, excerpt: expect.stringMatching(/^\.+$/) });
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 1_000);
  });

  test('whose body breaks off is judged by its status', async () => {
    receiver.respond((_, { response }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    expect(await send()).toMatchObject({ status: 200, excerpt: 'half' });
  });
});

describe('no answer', () => {
  const dripHeaders: RespondByHand = (_, { request }) => {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => request.socket.write('X-Drip: 1\r\n'), 20);
    request.socket.on('close', () => clearInterval(drip));
  };
  const raw =
    (text: string): RespondByHand =>
    (_, { request }) => {
      request.socket.end(text);
    };

  test.each<[string, Behaviour, string]>([
    ['silence', 'hang', `timeout after ${TIMEOUT_MS} ms`],
    ['headers that drip', dripHeaders, `timeout after ${TIMEOUT_MS} ms`],
    [
      'an answer that comes too late',
      { status: 200, delayMs: 2 * TIMEOUT_MS },
      `timeout after ${TIMEOUT_MS} ms`,
    ],
    ['a closed connection', 'close', 'connection closed before an answer'],
    ['garbage', raw('garbage\r\n\r\n'), 'response is not valid HTTP'],
    [
      'headers without an end',
      raw(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}`),
      'response headers too large',
    ],
  ])('%s', async (_, behaviour, error) => {
    receiver.respond(behaviour);
    const startedAt = performance.now();
    expect(await send()).toEqual({ kind: 'failed', error, durationMs: expect.any(Number) });
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 1_000);
  });

  test('nobody listens', async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await send(newSender(), url)).toMatchObject({ kind: 'failed', error: 'connection refused' });
  });

  test('a server that takes connections and never speaks', async () => {
    const silent = createServer();
    const url = `https://127.0.0.1:${await listen(silent)}/`;
    const result = await send(newSender(), url);
    silent.close();
    expect(result).toMatchObject({ error: `timeout after ${TIMEOUT_MS} ms` });
  });

  test('a server that speaks plain HTTP', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    const url = `https://127.0.0.1:${await listen(plain)}/`;
    const result = await send(newSender(), url);
    plain.close();
    expect(result).toMatchObject({ error: expect.stringContaining('TLS handshake failed') });
  });

  test('a certificate of an unknown authority', async () => {
    const result = await send(newSender({ ca: null }));
    expect(result).toMatchObject({ error: expect.stringMatching(/^certificate not trusted: .+/) });
    expect(receiver.requests).toHaveLength(0);
  });

  test('a certificate of another host', async () => {
    const { certificateFile, certificateKeyFile } = currentTestRun();
    const other = createHttpsServer(
      { cert: readFileSync(certificateFile), key: readFileSync(certificateKeyFile) },
      (_, response) => response.end(),
    );
    const port = await listen(other, '127.0.0.2');
    const sender = newSender({ allowedPrivateHosts: new Set(['127.0.0.2']) });
    const result = await send(sender, `https://127.0.0.2:${port}/`);
    other.close();
    expect(result).toMatchObject({ error: 'certificate not valid for the host' });
  });

  test('a host that does not exist', async () => {
    expect(await send(newSender({ timeoutMs: 5_000 }), 'https://no-such-host.invalid/')).toMatchObject({
      error: expect.stringMatching(/^host (not found|name could not be resolved)$/),
    });
  });
});

describe('a private address', () => {
  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST'])(
    '%s is not connected to',
    async (host) => {
      const sender = newSender({ allowedPrivateHosts: new Set() });
      expect(await send(sender, `https://${host}:${receiver.port}/`)).toMatchObject({
        kind: 'failed',
        error: 'host resolves to a private address',
      });
      expect(receiver.requests).toHaveLength(0);
    },
  );

  test.each([['localhost'], ['127.0.0.1']])('is, when %s is exempt', async (exempt) => {
    const sender = newSender({ allowedPrivateHosts: new Set([exempt]) });
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
    expect(await send()).toMatchObject({ error: 'connection closed before an answer' });
    expect(receiver.requests).toHaveLength(1);
  });
});

test('closing interrupts what is under way, and that is not the failure of the receiver', async () => {
  receiver.respond('hang');
  const sender = newSender({ timeoutMs: 30_000 });
  const result = send(sender);
  await receiver.waitFor(1);
  sender.close();
  expect(await result).toEqual({ kind: 'interrupted' });
});
