import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import {
  type ConnectProxy,
  PROXY_ADDRESS,
  startConnectProxy,
} from '@deal-signals/test-kit/servers/connect-proxy';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { issueTestCertificate } from '@deal-signals/test-kit/servers/test-certificate';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../src/guard/guarded-send.ts';
import { type LoopbackDns, startLoopbackDns } from './hostile/loopback-dns.ts';

// As in the tests of DNS rebinding, 127.0.0.1 represents a public address, and 127.0.0.2 a private one.
const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';
const HOST = 'hooks.example';
const OTHER_HOST = 'other.example';
const OURS = 'our outgoing proxy was not available';
const TIMEOUT_MS = 10_000;

interface Seen {
  from: string | undefined;
  serverName: string | false | null;
  host: string | undefined;
  header: string | undefined;
  credentials: string | undefined;
}

let secureContext: SecureContext;
let dns: LoopbackDns;
let proxy: ConnectProxy;
let receiver: Server;
let port: number;
let seen: Seen[];
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  secureContext = createSecureContext(await issueTestCertificate([HOST, OTHER_HOST, PUBLIC]));
});
beforeEach(async () => {
  dns = await startLoopbackDns();
  dns.answer('A', HOST, [PUBLIC]);
  dns.answer('A', OTHER_HOST, [PUBLIC]);
  proxy = await startConnectProxy();
  seen = [];
  receiver = createServer({ SNICallback: (_, done) => done(null, secureContext) }, (request, response) => {
    const socket = request.socket as typeof request.socket & { servername: string | false };
    const { host, 'x-service-event': header, 'proxy-authorization': credentials } = request.headers;
    seen.push({
      from: socket.remoteAddress,
      serverName: socket.servername,
      host,
      header: String(header),
      credentials,
    });
    request.resume().on('end', () => response.end('here'));
  });
  receiver.setSecureContext(await issueTestCertificate([PUBLIC]));
  receiver.listen(0, '0.0.0.0');
  await once(receiver, 'listening');
  ({ port } = receiver.address() as AddressInfo);
  cleanUps.push(
    () => dns.close(),
    () => proxy.close(),
    () => closeServer(receiver),
  );
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function closeServer(
  server: { listening: boolean; close(): unknown; closeAllConnections(): void } & Server,
) {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    timeoutMs: TIMEOUT_MS,
    ca: readFileSync(testCaFile(), 'utf8'),
    allowedPrivateHosts: new Set([PUBLIC]),
    dnsServers: [dns.server],
    proxy: proxy.url,
    ...options,
  });
  cleanUps.push(() => sender.close());
  return sender;
}

const send = (sender: Sender, host = HOST) =>
  sender.send({
    url: new URL(`https://${host}:${port}/`),
    body: '{}',
    headers: { 'X-Service-Event': 'integration.ping' },
  });

describe('a request', () => {
  test('goes through the proxy to the vetted address, with TLS to the host of the URL', async () => {
    expect(await send(newSender())).toMatchObject({ kind: 'responded', status: 200, excerpt: 'here' });
    expect(proxy.targets).toEqual([`${PUBLIC}:${port}`]);
    const header = 'integration.ping';
    expect(seen).toEqual([{ from: PROXY_ADDRESS, serverName: HOST, host: `${HOST}:${port}`, header }]);
  });

  test('to an address goes through the proxy as well', async () => {
    expect(await send(newSender(), PUBLIC)).toMatchObject({ kind: 'responded', status: 200 });
    expect(seen).toMatchObject([{ from: PROXY_ADDRESS, serverName: false, host: `${PUBLIC}:${port}` }]);
  });

  test('reuses a kept connection, for the same host only', async () => {
    const sender = newSender();
    for (const host of [HOST, HOST, OTHER_HOST, HOST]) {
      expect(await send(sender, host)).toMatchObject({ status: 200 });
    }
    expect(proxy.targets).toHaveLength(2);
    expect(seen.map(({ serverName }) => serverName)).toEqual([HOST, HOST, OTHER_HOST, HOST]);
  });

  test('is not sent if the certificate is for another host', async () => {
    dns.answer('A', 'unnamed.example', [PUBLIC]);
    expect(await send(newSender(), 'unnamed.example')).toMatchObject({
      kind: 'failed',
      error: 'certificate not valid for the host',
    });
    expect(seen).toEqual([]);
  });

  test.each([
    ['a name with only private addresses', HOST],
    ['a private address', PRIVATE],
  ])('to %s never reaches the proxy', async (_, host) => {
    dns.answer('A', HOST, [PRIVATE]);
    expect(await send(newSender(), host)).toMatchObject({
      kind: 'failed',
      error: 'host not found',
      detail: 'host resolves to a private address',
    });
    expect(proxy.targets).toEqual([]);
  });

  test('tries the next address if the proxy does not reach the first', async () => {
    dns.answer('AAAA', HOST, ['::1']);
    dns.answer('A', HOST, ['127.0.0.3']);
    await closeServer(receiver);
    receiver.listen(port, PUBLIC);
    await once(receiver, 'listening');
    dns.answer('A', HOST, ['127.0.0.3', PUBLIC]);
    const sender = newSender({ allowedPrivateHosts: new Set([PUBLIC, '127.0.0.3']) });
    expect(await send(sender)).toMatchObject({ status: 200 });
    expect(proxy.targets).toEqual([`127.0.0.3:${port}`, `${PUBLIC}:${port}`]);
  });
});

describe('credentials', () => {
  test('are sent only to the proxy', async () => {
    await proxy.close();
    proxy = await startConnectProxy('us er:p@ss/ü');
    expect(await send(newSender())).toMatchObject({ status: 200 });
    expect(proxy.targets).toHaveLength(1);
    expect(seen).toMatchObject([{ from: PROXY_ADDRESS, credentials: undefined }]);
  });

  test('that the proxy rejects are a failure on our side, and are not shown', async () => {
    await proxy.close();
    proxy = await startConnectProxy('user:hunter2');
    const wrong = new URL(proxy.url);
    wrong.password = 'hunter3';
    const result = await send(newSender({ proxy: wrong }));
    expect(result).toEqual({
      kind: 'not_sent',
      error: OURS,
      detail: 'proxy responded with 407',
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(result)).not.toContain('hunter');
    expect(seen).toEqual([]);
  });
});

describe('a failure', () => {
  test('of an unreachable proxy is on our side', async () => {
    await proxy.close();
    expect(await send(newSender())).toMatchObject({
      kind: 'not_sent',
      error: OURS,
      detail: 'proxy: ECONNREFUSED',
    });
  });

  test('of a receiver that the proxy does not reach counts for the receiver', async () => {
    const sender = newSender();
    await closeServer(receiver);
    const failed = { kind: 'failed', error: 'host unreachable', revealsPort: true };
    expect(await send(sender)).toMatchObject(failed);
  });
});

describe('a proxy that never responds', () => {
  async function startSilentProxy(): Promise<{ url: URL; waiting: () => number }> {
    let waiting = 0;
    const server = createHttpServer().on('connect', (_, socket) => {
      waiting += 1;
      socket.on('error', () => {});
      cleanUps.push(() => socket.destroy());
    });
    server.listen(0, PUBLIC);
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    return {
      url: new URL(`http://${PUBLIC}:${(server.address() as AddressInfo).port}`),
      waiting: () => waiting,
    };
  }

  test('ends at the timeout', async () => {
    const { url } = await startSilentProxy();
    expect(await send(newSender({ proxy: url, timeoutMs: 300 }), PUBLIC)).toMatchObject({
      kind: 'failed',
      error: 'timeout after 300 ms',
    });
  });

  test('is abandoned when the sender is closed', async () => {
    const { url, waiting } = await startSilentProxy();
    const sender = newSender({ proxy: url });
    const result = send(sender);
    await until('the proxy to be asked', () => waiting() === 1);
    sender.close();
    expect(await result).toEqual({ kind: 'interrupted' });
  });
});
