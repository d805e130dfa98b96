import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, describe, expect, test } from '@jest/globals';
import winston from 'winston';
import {
  type ConnectionLimits,
  CONNECTION_LIMITS,
  createApiServer,
} from '../../../src/http/server/server.ts';
import { createCaptureServer } from '../../../src/capture/server.ts';
import type { CaptureSettings } from '../../../src/capture/settings.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { sendBytes } from './raw-http.ts';

const GET = 'GET /first HTTP/1.1\r\n\r\n';
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST_REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const MAX_PENDING = 10;

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves an application with limits that the tests can change. */
async function serve(app: RequestListener, limits: Partial<ConnectionLimits> = {}) {
  const metrics = createMetrics();
  const server = createApiServer(app, {
    logger: winston.createLogger({ silent: true }),
    perMinute: 300,
    limits: { ...CONNECTION_LIMITS, connections: 100, stallMs: 60_000, ...limits },
    metrics,
    stopping: new AbortController().signal,
  });
  const metric = async (name: string) => parseScrape(await metrics.registry.metrics()).values.get(name);
  return { server, port: await listenOnFreePort(server), metric };
}

/** Serves an application as the capture port does. */
async function serveCapture(
  app: RequestListener,
  { stallMs = 60_000, headersMs }: Partial<ConnectionLimits> = {},
) {
  const settings: CaptureSettings = {
    host: '127.0.0.1',
    port: 0,
    tokens: [],
    streams: 100,
    poolSize: 1,
    idleMs: 60_000,
    stallMs,
  };
  const { signal } = new AbortController();
  const server = createCaptureServer(app, settings, createMetrics(), signal, {}, headersMs);
  return { server, port: await listenOnFreePort(server) };
}

/** Waits until a server holds no connection any more. */
async function untilNoConnections(server: Server): Promise<void> {
  const count = promisify(server.getConnections.bind(server));
  await until('all connections are gone', async () => (await count()) === 0);
}

async function listenOnFreePort(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function open(port: number): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  return client;
}

/** Holds each response until the test releases it. */
function holdAll() {
  const held: ServerResponse[] = [];
  const app = (_request: IncomingMessage, response: ServerResponse) => void held.push(response);
  return { held, app };
}

const summary = (responses: Awaited<ReturnType<typeof sendBytes>>) =>
  responses.map(({ status, body }) => [status, body.startsWith('{') ? JSON.parse(body).code : body]);

describe('a connection with earlier requests', () => {
  test.each([
    ['text that is not HTTP', 'NONSENSE\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 404, 'NOT_FOUND'],
  ])('sends their responses, then the response to %s, and is closed', async (_what, last, status, code) => {
    const { held, app } = holdAll();
    const { port } = await serve(app);
    const responses = sendBytes(port, Buffer.from(`${GET}${GET}${last}`));
    await until('the first request', () => held.length === 1);
    held[0]?.end('first');
    await until('the second request', () => held.length === 2);
    held[1]?.end('second');
    expect(summary(await responses)).toEqual([
      [200, 'first'],
      [200, 'second'],
      [status, code],
    ]);
  });

  test('gets the error immediately if the body of the last request is invalid', async () => {
    const { held, app } = holdAll();
    const { port } = await serve(app);
    const broken = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const responses = sendBytes(port, Buffer.from(`${GET}${broken}`));
    await until('the first request', () => held.length === 1);
    held[0]?.end('first');
    expect(summary(await responses)).toEqual([
      [200, 'first'],
      [400, 'INVALID_REQUEST'],
    ]);
    expect(held).toHaveLength(1);
  });
});

describe.each([
  ['the public API', serve],
  ['the capture port', serveCapture],
])('a connection to %s', (_name, start) => {
  test('handles its requests one after the other', async () => {
    const { held, app } = holdAll();
    const { port } = await start(app);
    const responses = sendBytes(port, Buffer.from(`${REQUEST}${REQUEST}${LAST_REQUEST}`));
    for (let n = 1; n <= 3; n += 1) {
      await until('the next request', () => held.length > 0);
      // All of them have arrived together.
      expect(held).toHaveLength(1);
      held.pop()?.end(`${n}`);
    }
    expect(summary(await responses)).toEqual([
      [200, '1'],
      [200, '2'],
      [200, '3'],
    ]);
  });

  test('that ends leaves no request behind that waits for its response to close', async () => {
    const { held, app } = holdAll();
    const { port } = await start(app);
    const client = open(port);
    client.write(`${REQUEST}${REQUEST}${REQUEST}`);
    await until('the first request', () => held.length > 0);
    const closed = Promise.all(held.map((response) => once(response, 'close')));
    client.destroy();
    await withTimeout(10_000, closed);
    // Requests after the end of the first one would be handled in the same turn.
    expect(held).toHaveLength(1);
  });

  test('handles no further request after a final response', async () => {
    const { held, app } = holdAll();
    const { port } = await start(app);
    const responses = sendBytes(port, Buffer.from(`${REQUEST}${REQUEST}`));
    await until('the first request', () => held.length > 0);
    held[0]?.setHeader('Connection', 'close').end('last');
    expect(summary(await responses)).toEqual([[200, 'last']]);
    expect(held).toHaveLength(1);
  });
});

test('CONNECT gets an error body like any unknown path', async () => {
  const { port, metric } = await serve(holdAll().app);
  const [response, ...others] = await sendBytes(
    port,
    Buffer.from('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
  );
  expect(others).toEqual([]);
  expect([response?.status, response?.body]).toEqual([404, '{"error":"not found","code":"NOT_FOUND"}']);
  expect(response?.headers).toMatchObject({ 'x-ratelimit-limit': '300', connection: 'close' });
  const series = 'deal_signals_requests_total{method="other",route="unmatched",status_code="404"}';
  expect(await metric(series)).toBe(1);
});

test('a connection has a limited number of requests in progress, and none is handled beyond it', async () => {
  let handled = 0;
  const { port } = await serve((_request, response) => {
    handled += 1;
    // The others have arrived before.
    setTimeout(() => response.end('ok'), 5);
  });
  const responses = sendBytes(port, Buffer.from(GET.repeat(MAX_PENDING + 5)));
  expect(summary(await responses)).toEqual([
    ...Array.from({ length: MAX_PENDING }, () => [200, 'ok']),
    [400, 'INVALID_REQUEST'],
  ]);
  expect(handled).toBe(MAX_PENDING);
});

test('a connection to the capture port with too many requests is closed', async () => {
  const { held, app } = holdAll();
  const { port } = await serveCapture(app);
  expect(await sendBytes(port, Buffer.from(REQUEST.repeat(MAX_PENDING + 1)))).toEqual([]);
  expect(held).toHaveLength(1);
});

test('a connection may be used for any number of consecutive requests', async () => {
  const { port } = await serve((_request, response) => response.end('ok'));
  const client = open(port);
  for (let sent = 0; sent < 3 * MAX_PENDING; sent += 1) {
    client.write(GET);
    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  }
});

describe('a response', () => {
  const STALL_MS = 500;
  /** More than the buffers of both sockets hold. */
  const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');
  const sendLarge: RequestListener = (_request, response) => response.end(LARGE);

  test('is cut off when its caller stops reading', async () => {
    let closed = 0;
    const { port, metric } = await serve(
      (request, response) => {
        response.once('close', () => (closed += 1));
        sendLarge(request, response);
      },
      { stallMs: STALL_MS },
    );
    open(port).pause().write(GET);
    await until('the response is cut', () => closed === 1);
    expect(await metric('deal_signals_cut_responses_total')).toBe(1);
  });

  test('is not cut off while its caller reads, however slowly', async () => {
    const { port, metric } = await serve(sendLarge, { stallMs: 4 * STALL_MS });
    const client = open(port);
    let received = 0;
    let pauses = 0;
    client.on('data', (chunk: Buffer) => {
      received += chunk.length;
      // Takes several times as long as the stall timeout.
      if (pauses >= 48 || received < pauses * 1.25 * 1024 * 1024) return;
      pauses += 1;
      client.pause();
      setTimeout(() => client.resume(), STALL_MS / 3);
    });
    client.write(GET);
    await until('the whole response', () => received > LARGE.length);
    expect(pauses).toBe(48);
    expect(await metric('deal_signals_cut_responses_total')).toBe(0);
  });

  test('may take longer to begin', async () => {
    const { held, app } = holdAll();
    const { port } = await serve(app, { stallMs: 50 });
    const response = sendBytes(port, Buffer.from('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'));
    await until('the request', () => held.length === 1);
    await sleep(300);
    held[0]?.end('late');
    expect(summary(await response)).toEqual([[200, 'late']]);
  });
});

test('closes and counts connections beyond the limit, and accepts new ones afterwards', async () => {
  const { port, metric } = await serve((_request, response) => response.end('ok'), { connections: 2 });
  const ask = async () => {
    const client = open(port);
    client.write(GET);
    // A dropped connection may be reset.
    const [data] = await Promise.race([once(client, 'data'), once(client, 'close')]).catch(() => []);
    return { client, isServed: data instanceof Buffer };
  };
  const first = await ask();
  const second = await ask();
  const third = await ask();
  expect([first, second, third].map(({ isServed }) => isServed)).toEqual([true, true, false]);
  expect(await metric('deal_signals_dropped_connections_total')).toBe(1);
  first.client.destroy();
  await until('there is room', async () => (await ask()).isServed);
});

/** Opens a connection whose caller ends its side only when the test requests it. */
function openHalf(port: number): Socket {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  clients.push(client);
  return client;
}

/** The bytes that callers send before they stall. The last one is rejected immediately. */
const UNFINISHED: [string, string][] = [
  ['nothing', ''],
  ['an empty line', '\r\n'],
  ['half a header', 'GET / HTTP/1.1\r\nX: '],
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
  ['a request and half of another one', `${REQUEST}GET / HTTP/1.1\r\nX: `],
  ['text that is not HTTP', 'NONSENSE\r\n\r\n'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['too many requests', REQUEST.repeat(MAX_PENDING + 5)],
];

describe('the public API closes the connection of a caller that sends', () => {
  const LIMITS = { headersMs: 300, requestMs: 600, stallMs: 400 };
  const answer: RequestListener = (request, response) => {
    // Like the application: it responds once it has the whole body.
    request.resume().once('end', () => setTimeout(() => response.end('ok'), 5));
  };

  test.each(UNFINISHED)('%s, and then neither reads nor closes', async (_what, sent) => {
    const { server, port } = await serve(answer, LIMITS);
    const client = openHalf(port).pause();
    client.write(sent);
    await once(server, 'connection');
    await untilNoConnections(server);
  });

  test.each(UNFINISHED)('%s, reads the response and closes', async (_what, sent) => {
    const { server, port } = await serve(answer, LIMITS);
    const client = open(port);
    client.write(sent);
    client.once('data', () => client.end());
    await once(server, 'connection');
    await untilNoConnections(server);
  });

  test.each([
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['text that is not HTTP', 'NONSENSE\r\n\r\n'],
  ])('a request whose large response it does not read, and %s', async (_what, sent) => {
    const large = Buffer.alloc(64 * 1024 * 1024, 'x');
    const { server, port } = await serve((_request, response) => response.end(large), LIMITS);
    const client = openHalf(port).pause();
    client.write(`${REQUEST}${sent}`);
    await once(server, 'connection');
    await untilNoConnections(server);
  });
});

describe('the capture port closes the connection of a caller that sends', () => {
  // The reader of the body handles half a body: see `capture-failures.test.ts`.
  const unfinished = UNFINISHED.filter(([what]) => what !== 'half a body');

  test.each(unfinished)('%s, and then neither reads nor closes', async (_what, sent) => {
    const answer: RequestListener = (_request, response) => response.end('ok');
    const { server, port } = await serveCapture(answer, { headersMs: 300, stallMs: 400 });
    const client = openHalf(port).pause();
    client.write(sent);
    await once(server, 'connection');
    await untilNoConnections(server);
  });
});

describe('a caller that takes too long to send', () => {
  const HEADERS = { headersMs: 300, requestMs: 3_600_000 };
  const BODY = { headersMs: 300, requestMs: 600 };

  test.each([
    ['anything at all', '', HEADERS],
    ['the headers', 'GET / HTTP/1.1\r\nX: ', HEADERS],
    ['the body', 'POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n', BODY],
  ])('%s gets an error, and is disconnected', async (_what, begun, limits) => {
    const { port } = await serve((request) => void request.resume(), limits);
    const client = open(port);
    let response = '';
    client.on('data', (chunk) => (response += String(chunk)));
    client.write(begun);
    // It keeps sending.
    const dripping = setInterval(() => begun !== '' && client.write('x'), 50);
    // Node's own limit for headers is a minute.
    await withTimeout(30_000, once(client, 'close')).finally(() => clearInterval(dripping));
    expect(response).toMatch(/^HTTP\/1\.1 400 [^]*INVALID_REQUEST/);
  });
});
