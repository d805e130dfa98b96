import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Drain } from '../../../src/http/server/drain.ts';

/** Starts a server, and opens a connection to it that has sent the beginning of a request. */
async function begin(onRequest: RequestListener, sent: string) {
  const server = createServer(onRequest);
  const drain = new Drain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = await once(server, 'connection');
  socket.write(sent);
  await once(accepted, 'data');
  return { drain, socket };
}

test('a request whose head is still arriving is served', async () => {
  const { drain, socket } = await begin(
    (_, response) => response.end('served'),
    'GET / HTTP/1.1\r\nHost: x\r\n',
  );
  const drained = drain.run(10_000);
  socket.write('\r\n');
  expect(await text(socket)).toContain('served');
  expect(await drained).toBe(true);
});

test('a request that does not end is cut off, and the result reports it', async () => {
  const { drain, socket } = await begin(() => {}, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const drained = drain.run(100);
  expect(await text(socket)).toBe('');
  expect(await drained).toBe(false);
});
