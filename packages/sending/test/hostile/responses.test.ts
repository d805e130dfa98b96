import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { testCaFile } from '@deal-signals/test-kit/https-receiver';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, expect, test } from '@jest/globals';
import { createSender, type Sender } from '../../src/guarded-send.ts';
import { BROKEN, ENDLESS, tooSlow } from './responses.ts';
import { type Answer, type RawServer, startRawServer } from './raw-https-server.ts';
import { sendFromProcess } from './send-from-process.ts';

/** Long enough for the beginning of an answer on a busy machine. */
const TIMEOUT_MS = 2_500;
/** More than any answer needs that ends by itself. */
const PATIENCE_MS = 60_000;
/** Long enough for a whole process full of them. */
const PROCESS_TIMEOUT_MS = 15_000;
/** What the buffers along the way may hold beyond what is read: far less than could be sent in the time. */
const MOST_BYTES = 16e6;

const servers: RawServer[] = [];
const senders: Sender[] = [];

afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const server of servers.splice(0)) await server.close();
});

async function newServer(answer: Answer): Promise<RawServer> {
  const server = await startRawServer(answer);
  servers.push(server);
  return server;
}

function newSender(timeoutMs: number): Sender {
  const sender = createSender({
    timeoutMs,
    ca: readFileSync(testCaFile(), 'utf8'),
    allowedPrivateHosts: new Set(['127.0.0.1']),
    dnsServers: null,
  });
  senders.push(sender);
  return sender;
}

const send = (sender: Sender, { url }: RawServer) =>
  sender.send({ url: new URL(url), body: '{}', headers: {} });

test.each([
  ...tooSlow(TIMEOUT_MS).map((row) => [...row, TIMEOUT_MS] as const),
  ...[...BROKEN, ...ENDLESS].map((row) => [...row, PATIENCE_MS] as const),
])('%s', async (_, answer, expected, timeoutMs) => {
  const server = await newServer(answer);
  expect(await send(newSender(timeoutMs), server)).toMatchObject(expected);
  // Cut off by the sender itself, and not when it is closed.
  await until('no connection is left', () => server.openConnections() === 0);
  expect(server.bytesWritten()).toBeLessThan(MOST_BYTES);
});

test.each(ENDLESS)('%s ends long before the time is up', async (_, answer, expected) => {
  const server = await newServer(answer);
  expect(await send(newSender(10 * 60_000), server)).toMatchObject(expected);
  await until('no connection is left', () => server.openConnections() === 0);
});

test('a process that meets all of them neither breaks nor hangs, nor asks a proxy of its environment', async () => {
  const table = [...tooSlow(PROCESS_TIMEOUT_MS), ...BROKEN, ...ENDLESS];
  for (const [, answer] of table) await newServer(answer);
  let proxied = 0;
  const proxy = createServer((socket) => {
    proxied += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, proxyUrl])),
    NODE_USE_ENV_PROXY: '1',
  };
  const urls = servers.map(({ url }) => url);
  const { results, warnings } = await sendFromProcess(urls, PROCESS_TIMEOUT_MS, environment);
  proxy.close();
  for (const [index, [what, , expected]] of table.entries()) {
    expect({ what, ...results[index] }).toMatchObject({ what, ...expected });
  }
  expect(warnings).toBe('');
  expect(proxied).toBe(0);
});
