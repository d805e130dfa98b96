// An HTTP proxy in a process of its own. It forwards `CONNECT` requests from an address that no other test uses, so that a
// receiver can identify connections through it. It prints a line with its port, and one for each request.
import { createServer } from 'node:http';
import { connect } from 'node:net';

const [, , credentials = '', sourceAddress = ''] = process.argv;
const expected = credentials === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;

const server = createServer((_, response) => response.writeHead(405).end());
server.on('connect', (request, client, head) => {
  client.on('error', () => {});
  if (expected !== undefined && request.headers['proxy-authorization'] !== expected) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  console.log(request.url);
  const { hostname, port } = new URL(`http://${request.url}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const upstream = connect({
    host,
    port: Number(port || 80),
    ...(host.includes(':') ? {} : { localAddress: sourceAddress }),
  });
  let isOpen = false;
  upstream.on('connect', () => {
    isOpen = true;
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client);
    client.pipe(upstream);
  });
  upstream.on('error', () => {
    if (isOpen) client.destroy();
    else client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
  });
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.end());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
