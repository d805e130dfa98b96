import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { issueTestCertificate } from '@deal-signals/test-kit/servers/test-certificate';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSender, type Sender, type SenderOptions } from '../../src/guard/guarded-send.ts';
import { createHostResolver } from '../../src/guard/resolve-host.ts';
import { type LoopbackDns, startLoopbackDns } from './loopback-dns.ts';

/**
 * These tests stay on loopback, so 127.0.0.1, which is exempt, represents a public address. 127.0.0.2 and ::1 count as private.
 * Each of them has a server on the same port with the same valid certificate, so only the guard keeps requests away from it.
 */
const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';
const PRIVATE_IPV6 = '::1';
const HOST = 'rebind.example';
const OTHER_HOST = 'other.example';
const TIMEOUT_MS = 5_000;
/** Longer than a failed or timed-out lookup on a busy machine. */
const WORKS_FOR_MS = 4_000;
const REFUSED = { kind: 'failed', error: 'host not found', detail: 'host resolves to a private address' };

interface Target {
  server: Server;
  connections: number;
  serverNames: string[];
  hostHeaders: (string | undefined)[];
}

let secureContext: SecureContext;
let dns: LoopbackDns;
let port: number;
let publicTarget: Target;
let privateTargets: Target[];
/** Whether the servers close the connection after a response, so that the next attempt starts with a lookup. */
let closesConnections: boolean;
const senders: Sender[] = [];
const servers: LoopbackDns[] = [];

beforeAll(async () => {
  secureContext = createSecureContext(await issueTestCertificate([HOST, OTHER_HOST]));
});
beforeEach(async () => {
  closesConnections = true;
  dns = await newDns();
  publicTarget = await listen(PUBLIC, 0);
  ({ port } = publicTarget.server.address() as AddressInfo);
  privateTargets = [await listen(PRIVATE, port), await listen(PRIVATE_IPV6, port)];
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const { server } of [publicTarget, ...privateTargets]) await close(server);
  for (const server of servers.splice(0)) await server.close();
});

async function newDns(options?: { ttlSeconds: number }): Promise<LoopbackDns> {
  const server = await startLoopbackDns(options);
  servers.push(server);
  return server;
}

async function listen(host: string, atPort: number): Promise<Target> {
  const server = createServer({
    SNICallback: (serverName, done) => {
      target.serverNames.push(serverName);
      done(null, secureContext);
    },
  });
  const target: Target = { server, connections: 0, serverNames: [], hostHeaders: [] };
  server.on('connection', () => {
    target.connections += 1;
  });
  server.on('request', (request, response) => {
    target.hostHeaders.push(request.headers.host);
    response.shouldKeepAlive = !closesConnections;
    request.resume().on('end', () => response.end('here'));
  });
  server.listen(atPort, host);
  await once(server, 'listening');
  return target;
}

async function close(server: Server): Promise<void> {
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
    ...options,
  });
  senders.push(sender);
  return sender;
}

const sendTo = (sender: Sender, host = HOST) =>
  sender.send({ url: new URL(`https://${host}:${port}/`), body: '{}', headers: {} });
const connectionsToPrivate = () => privateTargets.map(({ connections }) => connections);

describe('a DNS answer that changes from public to private', () => {
  beforeEach(() => dns.answer('A', HOST, [PUBLIC], [PRIVATE]));

  test('within an attempt has no effect: there is one lookup, and its address is called', async () => {
    expect(await sendTo(newSender())).toMatchObject({ kind: 'responded', status: 200, excerpt: 'here' });
    expect(dns.queries.toSorted()).toEqual([`A ${HOST}`, `AAAA ${HOST}`]);
    expect(publicTarget.connections).toBe(1);
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });

  test('between two attempts makes the second one fail without a connection', async () => {
    const sender = newSender();
    expect(await sendTo(sender)).toMatchObject({ status: 200 });
    expect(await sendTo(sender)).toMatchObject(REFUSED);
    expect(await sendTo(sender)).toMatchObject(REFUSED);
    expect(publicTarget.connections).toBe(1);
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });

  test('between two attempts over a kept connection has no effect: the connection is still to the vetted address', async () => {
    closesConnections = false;
    const sender = newSender();
    for (let i = 0; i < 2; i += 1) expect(await sendTo(sender)).toMatchObject({ status: 200 });
    expect(dns.queries).toHaveLength(2);
    expect(publicTarget.connections).toBe(1);
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });
});

test('every attempt looks up the name again, even if the answer may be cached for an hour', async () => {
  dns = await newDns({ ttlSeconds: 3_600 });
  dns.answer('A', HOST, [PUBLIC], [PRIVATE]);
  const sender = newSender();
  expect(await sendTo(sender)).toMatchObject({ status: 200 });
  expect(await sendTo(sender)).toMatchObject(REFUSED);
  expect(dns.queries).toHaveLength(4);
});

describe('a DNS answer with several addresses', () => {
  test.each([
    ['the private one first', [PRIVATE, PUBLIC]],
    ['the public one first', [PUBLIC, PRIVATE]],
  ])('connects to the public one: %s', async (_, addresses) => {
    dns.answer('A', HOST, addresses);
    dns.answer('AAAA', HOST, [PRIVATE_IPV6]);
    expect(await sendTo(newSender())).toMatchObject({ status: 200 });
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });

  test('never connects to the private one, even if the public one refuses the connection', async () => {
    dns.answer('A', HOST, [PRIVATE, PUBLIC]);
    dns.answer('AAAA', HOST, [PRIVATE_IPV6]);
    await close(publicTarget.server);
    expect(await sendTo(newSender())).toMatchObject({ kind: 'failed', error: 'connection refused' });
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });
});

describe('IPv6', () => {
  test.each([[[PRIVATE_IPV6]], [['::ffff:127.0.0.2']], [['64:ff9b::7f00:2', 'fe80::1']]])(
    'the private addresses %j are rejected',
    async (addresses) => {
      dns.answer('AAAA', HOST, addresses);
      expect(await sendTo(newSender())).toMatchObject(REFUSED);
      expect(connectionsToPrivate()).toEqual([0, 0]);
    },
  );

  test('a public IPv6 address is called when the IPv4 address is private', async () => {
    dns.answer('A', HOST, [PRIVATE]);
    dns.answer('AAAA', HOST, [PRIVATE_IPV6]);
    const sender = newSender({ allowedPrivateHosts: new Set([PRIVATE_IPV6]) });
    expect(await sendTo(sender)).toMatchObject({ status: 200 });
    expect(connectionsToPrivate()).toEqual([0, 1]);
  });
});

describe('an alias', () => {
  test('of a private address is rejected', async () => {
    dns.answer('A', HOST, { alias: 'db.internal', addresses: [PRIVATE] });
    expect(await sendTo(newSender())).toMatchObject(REFUSED);
    expect(connectionsToPrivate()).toEqual([0, 0]);
  });

  test('of a public address is called by the name in the URL', async () => {
    dns.answer('A', HOST, { alias: 'edge.cdn.example', addresses: [PUBLIC] });
    expect(await sendTo(newSender())).toMatchObject({ status: 200 });
    expect(publicTarget).toMatchObject({ serverNames: [HOST], hostHeaders: [`${HOST}:${port}`] });
  });
});

describe('a lookup', () => {
  test('of a name that does not exist, or has no address, fails', async () => {
    expect(await sendTo(newSender())).toMatchObject({ kind: 'failed', error: 'host not found' });
    dns.answer('A', HOST, []);
    expect(await sendTo(newSender())).toMatchObject({ kind: 'failed', error: 'host not found' });
  });

  test('fails when the name server fails or is unavailable', async () => {
    dns.answer('A', HOST, 'server failure');
    const failed = { kind: 'not_sent', error: 'host name could not be resolved' };
    expect(await sendTo(newSender())).toMatchObject(failed);
    const gone = await startLoopbackDns();
    await gone.close();
    const sender = newSender({ dnsServers: [gone.server] });
    expect(await sendTo(sender)).toMatchObject(failed);
  });

  test('that fails is a failure of the receiver while other names resolve, and on our side if none has for a while', async () => {
    const sender = newSender({ worksForMs: WORKS_FOR_MS });
    dns.answer('A', OTHER_HOST, [PUBLIC]);
    expect(await sendTo(sender, OTHER_HOST)).toMatchObject({ status: 200 });
    dns.answer('A', HOST, 'server failure');
    expect(await sendTo(sender)).toMatchObject({ kind: 'failed', error: 'host name could not be resolved' });
    await until('DNS to have failed for a while', async () => {
      const result = await sendTo(sender);
      expect(result).toMatchObject({ error: 'host name could not be resolved' });
      return result.kind === 'not_sent';
    });
  });

  test('that times out is attributed in the same way', async () => {
    const sender = newSender({ timeoutMs: 1_500, worksForMs: WORKS_FOR_MS });
    dns.answer('A', OTHER_HOST, [PUBLIC]);
    expect(await sendTo(sender, OTHER_HOST)).toMatchObject({ status: 200 });
    for (const type of ['A', 'AAAA'] as const) dns.answer(type, HOST, 'silence');
    expect(await sendTo(sender)).toMatchObject({ kind: 'failed', error: 'timeout after 1500 ms' });
    await until('DNS to have failed for a while', async () => {
      const result = await sendTo(sender);
      expect(result).toMatchObject({ error: 'timeout after 1500 ms' });
      return result.kind === 'not_sent';
    });
  });

  test('that is never answered ends with the timeout of the attempt', async () => {
    dns.answer('A', HOST, 'silence');
    dns.answer('AAAA', HOST, 'silence');
    const result = await sendTo(newSender({ timeoutMs: 300 }));
    expect(result).toMatchObject({ kind: 'not_sent', error: 'timeout after 300 ms' });
  });

  test('whose IPv6 half is never answered returns the IPv4 address', async () => {
    dns.answer('A', HOST, [PUBLIC]);
    dns.answer('AAAA', HOST, 'silence');
    // Shorter than the time after which the resolver gives up on the silent half.
    expect(await sendTo(newSender({ timeoutMs: 3_500 }))).toMatchObject({ status: 200 });
  });

  test('ends when the sender is closed, without another query', async () => {
    dns.answer('A', HOST, 'silence');
    dns.answer('AAAA', HOST, 'silence');
    const sender = newSender();
    const result = sendTo(sender);
    const resolver = createHostResolver([dns.server]);
    const addresses = resolver.resolve(HOST, false);
    await until('both have sent their queries', () => dns.queries.length === 4);
    sender.close();
    resolver.close();
    expect(await result).toEqual({ kind: 'interrupted' });
    await expect(addresses).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(dns.queries).toHaveLength(4);
  });
});

test('a sender with its own name servers asks only those, even about an exempt name', async () => {
  const sender = newSender({ allowedPrivateHosts: new Set(['localhost', PUBLIC]) });
  expect(await sendTo(sender, 'localhost')).toMatchObject({ error: 'host not found' });
  expect(dns.queries).toHaveLength(2);
});

describe('connections', () => {
  test('are not shared by two names with the same address', async () => {
    closesConnections = false;
    for (const host of [HOST, OTHER_HOST]) dns.answer('A', host, [PUBLIC]);
    const sender = newSender();
    for (const host of [HOST, OTHER_HOST, HOST])
      expect(await sendTo(sender, host)).toMatchObject({ status: 200 });
    expect(publicTarget).toMatchObject({
      connections: 2,
      serverNames: [HOST, OTHER_HOST],
      hostHeaders: [`${HOST}:${port}`, `${OTHER_HOST}:${port}`, `${HOST}:${port}`],
    });
  });

  test('are verified against the name in the URL, not against the address', async () => {
    const host = 'unnamed.example';
    dns.answer('A', host, [PUBLIC]);
    expect(await sendTo(newSender(), host)).toMatchObject({ error: 'certificate not valid for the host' });
    expect(publicTarget).toMatchObject({ serverNames: [host], hostHeaders: [] });
  });
});
