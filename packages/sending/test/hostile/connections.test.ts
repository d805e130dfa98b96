import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import {
  issueForeignCertificates,
  issueTestCertificate,
} from '@deal-signals/test-kit/servers/test-certificate';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../../src/guard/guarded-send.ts';
import { startLoopbackDns } from './loopback-dns.ts';
import { closeAfter, startRawServer } from './raw-https-server.ts';
import { sendFromProcess } from './send-from-process.ts';

/** For tests that wait for the timeout. The others get one that a busy machine does not reach. */
const TIMEOUT_MS = 400;
const LONG_TIMEOUT_MS = 30_000;
const HOST = 'far.example';
const TIMED_OUT = { kind: 'failed', error: `timeout after ${TIMEOUT_MS} ms`, revealsPort: true };
const CLOSED = { kind: 'failed', error: 'connection closed before a response', revealsPort: true };
const NO_TLS = { kind: 'failed', error: expect.stringMatching(/^TLS handshake failed/), revealsPort: true };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    timeoutMs: LONG_TIMEOUT_MS,
    ca: readFileSync(testCaFile(), 'utf8'),
    allowedPrivateHosts: new Set(['127.0.0.1', '::1']),
    ...options,
  });
  cleanUps.push(() => sender.close());
  return sender;
}

const send = (sender: Sender, url: string) => sender.send({ url: new URL(url), body: '{}', headers: {} });

/** Starts a TCP server without TLS. */
async function startPlainServer(greet: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    greet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Starts an HTTPS server whose queue of new connections stays full until `acceptThem` is called. */
async function startFullServer(): Promise<{ port: number; acceptThem: () => void }> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  // Node accepts every connection at once, so the server runs in a blocked thread.
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const { gate, certificate } = workerData;
     const server = require('node:https').createServer(certificate, (_, response) => response.end('far'));
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(gate, 0, 0);
     });`,
    { eval: true, workerData: { gate, certificate: await issueTestCertificate([HOST, '127.0.0.1']) } },
  );
  const [port] = (await once(thread, 'message')) as [number];
  const queue = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const acceptThem = (): void => {
    // Otherwise they would retransmit just before the sender does, and fill the queue again.
    for (const socket of queue) socket.destroy();
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  cleanUps.push(() => {
    acceptThem();
    return thread.terminate();
  });
  await Promise.race(queue.map((socket) => once(socket, 'connect')));
  return { port, acceptThem };
}

describe('connecting', () => {
  test('ends at the timeout', async () => {
    const { port } = await startFullServer();
    const sender = newSender({ timeoutMs: TIMEOUT_MS });
    expect(await send(sender, `https://127.0.0.1:${port}/`)).toMatchObject(TIMED_OUT);
  });

  test('may take as long as the timeout allows when the other address cannot be reached', async () => {
    const { port, acceptThem } = await startFullServer();
    const dns = await startLoopbackDns();
    cleanUps.push(() => dns.close());
    dns.answer('A', HOST, ['127.0.0.1']);
    dns.answer('AAAA', HOST, ['::1']);
    const sender = newSender({ dnsServers: [dns.server] });
    const result = send(sender, `https://${HOST}:${port}/`);
    await sleep(300);
    acceptThem();
    expect(await result).toMatchObject({ kind: 'responded', status: 200, excerpt: 'far' });
  });

  test('to a closed port is refused', async () => {
    const closed = await startRawServer(closeAfter(''));
    await closed.close();
    expect(await send(newSender(), closed.url)).toMatchObject({
      kind: 'failed',
      error: 'connection refused',
    });
  });
});

describe('a server without TLS', () => {
  test.each<[string, (socket: Socket) => void, object]>([
    ['that sends nothing', () => {}, TIMED_OUT],
    ['that sends its handshake byte by byte', drip, TIMED_OUT],
    ['that closes the connection at once', (socket) => socket.end(), CLOSED],
    ['that resets the connection at once', (socket) => socket.resetAndDestroy(), CLOSED],
    ['that uses plain HTTP', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), NO_TLS],
    ['that uses another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n'), NO_TLS],
  ])('%s', async (_, greet, expected) => {
    const sender = newSender({ timeoutMs: expected === TIMED_OUT ? TIMEOUT_MS : LONG_TIMEOUT_MS });
    expect(await send(sender, await startPlainServer(greet))).toMatchObject(expected);
  });
});

test.each<[string, () => Promise<{ cert: string; key: string }>, RegExp]>([
  [
    'an unknown authority',
    async () => (await issueForeignCertificates()).issued,
    /^certificate not trusted: unable to /,
  ],
  [
    'no authority',
    async () => (await issueForeignCertificates()).selfSigned,
    /^certificate not trusted: (?!certificate has expired)/,
  ],
  [
    'a past year',
    () => issueTestCertificate(['127.0.0.1'], -1),
    /^certificate not trusted: certificate has expired$/,
  ],
  [
    'another host',
    () => issueTestCertificate(['other.example', '127.0.0.2']),
    /^certificate not valid for the host$/,
  ],
])('a certificate of %s is rejected, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async (_, issue, error) => {
  let requests = 0;
  const server = await startRawServer(
    (socket) => {
      requests += 1;
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    },
    await issue(),
  );
  cleanUps.push(() => server.close());
  const refused = { kind: 'failed', error: expect.stringMatching(error) };
  expect(await send(newSender(), server.url)).toMatchObject(refused);
  const unsafe = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { results } = await sendFromProcess([server.url], LONG_TIMEOUT_MS, unsafe);
  expect(results).toMatchObject([refused]);
  expect(requests).toBe(0);
});

/** Sends the header of a long TLS record, and then a byte every 20 ms. */
function drip(socket: Socket): void {
  socket.write(Buffer.of(0x16, 0x03, 0x03, 0x40, 0x00));
  const timer = setInterval(() => socket.write(Buffer.of(0x02)), 20);
  socket.on('close', () => clearInterval(timer));
}
