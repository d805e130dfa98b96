import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, expect, test } from '@jest/globals';
import { createProbeServer } from '../src/probe-server.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function start(body: string | Buffer): Promise<number> {
  server = createProbeServer((request, response) => {
    request.resume().once('end', () => response.end(body));
  }, 200);
  server.keepAliveTimeout = 300;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens a connection that reads nothing and never ends its side. */
function openSilent(port: number): Socket {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  clients.push(client);
  return client.pause();
}

test.each([
  ['nothing', '', 'ok'],
  ['half a header', 'GET / HTTP/1.1\r\nX: ', 'ok'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', 'ok'],
  ['a request and half of another one', `${REQUEST}GET / HTTP/1.1\r\nX: `, 'ok'],
  ['a request whose response it does not read', REQUEST, LARGE],
  ['the last request of its connection', REQUEST.replace('Host: x', 'Connection: close\r\nHost: x'), 'ok'],
  ['what is not HTTP', 'NONSENSE\r\n\r\n', 'ok'],
])('destroys the connection of a caller that sends %s and then nothing', async (_what, sent, body) => {
  const port = await start(body);
  openSilent(port).write(sent);
  await once(server, 'connection');
  const count = promisify(server.getConnections.bind(server));
  await until('all connections are gone', async () => (await count()) === 0);
});

test('closes connections beyond the maximum at once', async () => {
  const port = await start('ok');
  let dropped = 0;
  server.on('drop', () => (dropped += 1));
  const opened = Array.from({ length: server.maxConnections + 1 }, () => openSilent(port));
  await Promise.all(opened.map((client) => once(client, 'connect')));
  await until('one is dropped', () => dropped > 0);
  expect(dropped).toBe(1);
});
