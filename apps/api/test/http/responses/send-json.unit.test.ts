import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { compressLargeResponses } from '../../../src/http/responses/compression.ts';
import { sendJson, serializeJson } from '../../../src/http/responses/send-json.ts';

const servers: Server[] = [];

afterAll(() => servers.forEach((server) => server.closeAllConnections()));

/** Serves a handler on a free port; returns its URL. */
async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0);
  servers.push(server);
  server.unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Creates an application that responds with `body`, through the API's code or through Express. */
function appOf(body: object, how: 'in parts' | 'by Express', ...observers: RequestHandler[]) {
  const app = express();
  app.disable('x-powered-by');
  app.use(compressLargeResponses(), ...observers);
  app.get('/', (incoming, response) => {
    if (how === 'in parts') void serializeJson(body).then((parts) => sendJson(incoming, response, parts));
    else response.json(body);
  });
  return app;
}

function request(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers, method, agent: false }, resolve).on('error', reject);
  });
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function outcome(url: string, headers?: Record<string, string>, method?: string) {
  const message = await request(url, headers, method);
  const { date: _date, 'transfer-encoding': _framing, ...sent } = message.headers;
  const body = await read(message);
  const isPacked = sent['content-encoding'] === 'gzip';
  return { status: message.statusCode, headers: sent, text: (isPacked ? gunzipSync(body) : body).toString() };
}

const page = (items: number, text: string) => ({
  data: Array.from({ length: items }, (_, id) => ({ id, text, nothing: null, left: undefined })),
  nextCursor: 'ü€😀',
  hasMore: true,
});

describe.each([
  ['an empty object', {}],
  ['an empty page', page(0, '')],
  ['a small page', page(3, 'ü€😀')],
  ['a page of many records', page(5_000, 'ü€😀 "\\" '.repeat(30))],
  ['a page of one large record', page(1, 'ü€😀'.repeat(200_000))],
  ['a large object', { data: page(5_000, 'x'.repeat(200)), empty: undefined }],
])('%s', (_name, body) => {
  test.each([
    ['to a GET', 'GET', {}],
    ['to a HEAD', 'HEAD', {}],
    ['compressed', 'GET', { 'accept-encoding': 'gzip' }],
    ['to a client that has another version', 'GET', { 'if-none-match': '"other"' }],
    ['to a client that has it', 'GET', { 'if-none-match': '*' }],
  ])('is sent %s like by Express', async (_case, method, headers) => {
    const [inParts, byExpress] = await Promise.all([
      serve(appOf(body, 'in parts')),
      serve(appOf(body, 'by Express')),
    ]);
    const expected = await outcome(byExpress, headers, method);
    expect(await outcome(inParts, headers, method)).toEqual(expected);
    expect(expected.headers.etag).toMatch(/^W\//);
  });
});

test.each([
  ['as it is', 'identity'],
  ['compressed', 'gzip'],
])('a page sent %s waits for a caller that does not read', async (_name, encoding) => {
  // Random, so that it stays large when it is compressed.
  const record = Array.from({ length: 2_000 }, () => Math.random()).join();
  const body = {
    data: Array.from({ length: 200 }, (_, id) => ({ id, record: `${id}${Math.random()}${record}` })),
  };
  let isFull = false;
  let writesWhileFull = 0;
  let waits = () => {};
  const isWaiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  const observer: RequestHandler = (_request, response, next) => {
    const write = response.write.bind(response) as (...parameters: unknown[]) => boolean;
    response.on('drain', () => {
      isFull = false;
    });
    response.write = (...parameters: unknown[]): boolean => {
      if (isFull) writesWhileFull += 1;
      isFull = !write(...parameters);
      if (isFull) waits();
      return !isFull;
    };
    next();
  };
  const message = await request(await serve(appOf(body, 'in parts', observer)), {
    'accept-encoding': encoding,
  });
  await isWaiting;
  const received = await read(message);
  const text = (encoding === 'gzip' ? gunzipSync(received) : received).toString();
  expect(text === JSON.stringify(body)).toBe(true);
  expect(writesWhileFull).toBe(0);
});

test('a caller who disconnects ends the response', async () => {
  const body = page(100_000, 'x'.repeat(300));
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const app = express();
  app.get('/', (incoming, response) => {
    void serializeJson(body)
      .then((parts) => sendJson(incoming, response, parts))
      .then(finish);
  });
  const message = await request(await serve(app));
  message.destroy();
  await isFinished;
});
