import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import fastify from 'fastify';
import type { WebhookEvent } from '../../src/webhooks/events.ts';
import { expressHandler } from '../../src/webhooks/express.ts';
import { fastifyWebhooks } from '../../src/webhooks/fastify.ts';
import { fetchHandler } from '../../src/webhooks/fetch.ts';
import type { ReceiverOptions } from '../../src/webhooks/receive.ts';
import { SECRET, serviceHeaders } from './sign.ts';

/** A running receiver. */
interface Running {
  url: string;
  close(): Promise<void>;
}

async function listening(server: Server): Promise<Running> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** A fetch-style runtime on top of Node.js. */
function startFetchRuntime(options: ReceiverOptions, onArrival = () => {}): Promise<Running> {
  const handle = fetchHandler(options);
  return listening(
    createServer((incoming, outgoing) => {
      onArrival();
      const hasBody = incoming.method !== 'GET';
      const request = new Request(`http://x${incoming.url ?? ''}`, {
        method: incoming.method ?? '',
        headers: incoming.headers as Record<string, string>,
        ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
      });
      void handle(request).then(({ status, headers }) =>
        outgoing.writeHead(status, { ...Object.fromEntries(headers), connection: 'close' }).end(),
      );
    }),
  );
}

function startExpress(options: ReceiverOptions): Promise<Running> {
  const app = express();
  app.all('/webhooks', expressHandler(options));
  app.use(express.json());
  return listening(createServer(app));
}

function startRawExpress(options: ReceiverOptions): Promise<Running> {
  const app = express();
  app.use(express.raw({ type: 'application/json', limit: '1mb' }));
  app.all('/webhooks', expressHandler(options));
  return listening(createServer(app));
}

async function startFastify(options: ReceiverOptions): Promise<Running> {
  const server = fastify({ forceCloseConnections: true });
  server.post('/parsed', (request) => Promise.resolve({ parsed: request.body }));
  await server.register(fastifyWebhooks, { ...options, path: '/webhooks' });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/webhooks`, close: () => server.close() };
}

const RUNTIMES: [string, (options: ReceiverOptions) => Promise<Running>][] = [
  ['fetch', startFetchRuntime],
  ['Express', startExpress],
  ['Express after express.raw()', startRawExpress],
  ['Fastify', startFastify],
];

/** Returns a body whose bytes change if it is parsed and serialised again. */
const bodyOf = (id: string) =>
  `{ "type":"engagement.recorded", "id":"${id}","data":{"n":1.0,"s":"\\u00e4"} }`;

let receiver: Running;
let handled: WebhookEvent[];
let problems: unknown[];
let onEvent: (event: WebhookEvent) => void | Promise<void>;

beforeEach(() => {
  handled = [];
  problems = [];
  onEvent = (event) => {
    handled.push(event);
  };
});

afterEach(() => receiver.close());

const options = (more: Partial<ReceiverOptions> = {}): ReceiverOptions => ({
  secrets: SECRET,
  onEvent: (event) => onEvent(event),
  onProblem: (error) => problems.push(error),
  ...more,
});

async function post(body: string, headers = serviceHeaders(body, [SECRET], new Date())): Promise<number> {
  const response = await fetch(receiver.url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

describe.each(RUNTIMES)('%s', (_name, start) => {
  beforeEach(async () => {
    receiver = await start(options());
  });

  test('handles a delivery from its raw body', async () => {
    expect(await post(bodyOf('a'))).toBe(204);
    expect(handled).toEqual([JSON.parse(bodyOf('a'))]);
  });

  test('skips an event that was handled before', async () => {
    expect([await post(bodyOf('a')), await post(bodyOf('a')), await post(bodyOf('b'))]).toEqual([
      204, 204, 204,
    ]);
    expect(handled.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('rejects a wrong signature, and reports the reason', async () => {
    expect(await post(bodyOf('a'), serviceHeaders(bodyOf('b'), [SECRET], new Date()))).toBe(400);
    expect(handled).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ code: 'SIGNATURE_MISMATCH' })]);
  });

  test('responds with 500 if the event cannot be handled, and handles it at the next attempt', async () => {
    const original = onEvent;
    onEvent = () => Promise.reject(new Error('database away'));
    expect(await post(bodyOf('a'))).toBe(500);
    onEvent = original;
    expect(await post(bodyOf('a'))).toBe(204);
    expect(handled).toHaveLength(1);
  });

  test.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-length': '0' },
    { 'transfer-encoding': 'chunked' },
  ])('rejects an unsigned request without a body: %j', async (headers) => {
    const sent = httpRequest(receiver.url, { method: 'POST', headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, problems]).toEqual([
      400,
      [expect.objectContaining({ code: 'SIGNATURE_MISSING' })],
    ]);
  });

  test('rejects a signed request without a body', async () => {
    expect(await post('')).toBe(400);
    expect(problems).toEqual([expect.objectContaining({ code: 'BODY_INVALID' })]);
  });

  test('accepts the largest delivery, and rejects more than a mebibyte', async () => {
    const large = JSON.stringify({ id: 'large', type: 'x', data: 'ä'.repeat(512 * 512) });
    expect(await post(large)).toBe(204);
    // A sender may see its connection closed before it has read the response.
    const tooLarge = await post('x'.repeat(1_100_000)).catch(() => 413);
    expect(tooLarge).toBe(413);
    expect(handled.map(({ id }) => id)).toEqual(['large']);
  });
});

test.each(RUNTIMES.slice(0, 2))('%s rejects other methods', async (_name, start) => {
  receiver = await start(options());
  const response = await fetch(receiver.url);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  await response.arrayBuffer();
});

test('a duplicate that arrives during the handling shares its outcome', async () => {
  let fail = (_error: Error): void => undefined;
  const handling = new Promise<void>((_resolve, reject) => (fail = reject));
  const arrivals = new EventEmitter();
  onEvent = (event) => {
    handled.push(event);
    return event.id === 'a' ? handling : undefined;
  };
  receiver = await startFetchRuntime(options(), () => arrivals.emit('arrival'));
  // Returns the status in a list, because an async function would wait for a promise that it returns.
  const sendA = async (next: string): Promise<Promise<number>[]> => {
    const arrival = once(arrivals, 'arrival');
    const status = post(bodyOf('a'));
    await arrival;
    // A later event has been handled, so this one has been received.
    expect(await post(bodyOf(next))).toBe(204);
    return [status];
  };
  const [first] = await sendA('b');
  const [second] = await sendA('c');
  // If the second were acknowledged at once, the event would be lost when the first fails.
  expect(await Promise.race([second, Promise.resolve('waits')])).toBe('waits');
  fail(new Error('no'));
  expect([await first, await second]).toEqual([500, 500]);
  expect(handled.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a custom memory decides what was handled', async () => {
  const added: string[] = [];
  const memory = {
    has: (id: string) => Promise.resolve(id === 'old'),
    add: (id: string) => {
      added.push(id);
    },
  };
  receiver = await startFetchRuntime(options({ memory }));
  expect([await post(bodyOf('old')), await post(bodyOf('new'))]).toEqual([204, 204]);
  expect(handled.map(({ id }) => id)).toEqual(['new']);
  expect(added).toEqual(['new']);
});

test('Express after express.json() reports the programming error', async () => {
  const app = express();
  app.use(express.json());
  app.post('/webhooks', expressHandler(options()));
  receiver = await listening(createServer(app));
  expect(await post(bodyOf('a'))).toBe(500);
  expect(String(problems[0])).toContain('register this handler before express.json()');
  expect(handled).toEqual([]);
});

test('the other routes of a Fastify server keep their parsers', async () => {
  receiver = await startFastify(options());
  const response = await fetch(new URL('/parsed', receiver.url), {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  });
  expect(await response.json()).toEqual({ parsed: { a: 1 } });
});
