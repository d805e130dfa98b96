import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, expect, test } from '@jest/globals';
import { createSender, type Sender } from '../../src/guard/guarded-send.ts';
import { type RawServer, type Respond, startRawServer } from '../hostile/raw-https-server.ts';
import { BROKEN, ENDLESS, unfinished } from '../hostile/responses.ts';
import { sendFromProcess } from '../hostile/send-from-process.ts';

/** For responses that the timeout ends. The others get a timeout that a busy machine does not reach. */
const TIMEOUT_MS = 5_000;
const LONG_TIMEOUT_MS = 10 * 60_000;
/** Long enough for a process that sends all of them at once. */
const PROCESS_TIMEOUT_MS = 15_000;
/** More than the buffers on the way can hold, and far less than a receiver could send within the timeout. */
const MAX_BYTES = 16e6;

const servers: RawServer[] = [];
const senders: Sender[] = [];

afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const server of servers.splice(0)) await server.close();
});

async function newServer(respond: Respond): Promise<RawServer> {
  const server = await startRawServer(respond);
  servers.push(server);
  return server;
}

function newSender(timeoutMs: number): Sender {
  const sender = createSender({
    timeoutMs,
    ca: readFileSync(testCaFile(), 'utf8'),
    allowedPrivateHosts: new Set(['127.0.0.1']),
  });
  senders.push(sender);
  return sender;
}

const send = (sender: Sender, { url }: RawServer) =>
  sender.send({ url: new URL(url), body: '{}', headers: {} });

async function expectResult(timeoutMs: number, respond: Respond, expected: object): Promise<void> {
  const server = await newServer(respond);
  expect(await send(newSender(timeoutMs), server)).toMatchObject(expected);
  // The sender is still open, so it has closed the connection by itself.
  await until('no connection is left', () => server.openConnections() === 0);
  expect(server.bytesWritten()).toBeLessThan(MAX_BYTES);
}

test.each(unfinished(TIMEOUT_MS))('%s is ended by the timeout', (_, respond, expected) =>
  expectResult(TIMEOUT_MS, respond, expected),
);

test.each(BROKEN)('%s has a result at once', (_, respond, expected) =>
  expectResult(LONG_TIMEOUT_MS, respond, expected),
);

test.each(ENDLESS)('%s is ended by its size', (_, respond, expected) =>
  expectResult(LONG_TIMEOUT_MS, respond, expected),
);

test('a process that gets all of these responses at once ends by itself, and ignores the proxies of its environment', async () => {
  const table = [...unfinished(PROCESS_TIMEOUT_MS), ...BROKEN, ...ENDLESS];
  for (const [, respond] of table) await newServer(respond);
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
    // Suppresses Node 22's warning about that option, which only the test uses.
    NODE_OPTIONS: '--disable-warning=UNDICI-EHPA',
  };
  const urls = servers.map(({ url }) => url);
  const { results, warnings } = await sendFromProcess(urls, PROCESS_TIMEOUT_MS, environment);
  proxy.close();
  const named = results.map((result, index) => ({ what: table[index]?.[0], ...result }));
  expect(named).toMatchObject(table.map(([what, , expected]) => ({ what, ...expected })));
  expect(warnings).toBe('');
  expect(proxied).toBe(0);
});
