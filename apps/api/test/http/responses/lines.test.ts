import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { NDJSON, sendLines } from '../../../src/http/responses/lines.ts';

const PORTION = `${'x'.repeat(256 * 1024 - 1)}\n`;
const PORTIONS = 512;
/** More than the buffers of a connection hold, and a quarter of the response. */
const MAX_AHEAD_BYTES = 32 * 1024 * 1024;

let server: Server;
let produced: number;
let isEnded: boolean;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves 128 MiB of lines, or fails after some portions. */
async function serve(failAfter = PORTIONS + 1): Promise<string> {
  produced = 0;
  isEnded = false;
  async function* lines(): AsyncGenerator<string, void> {
    try {
      for (let n = 0; n < PORTIONS; n += 1) {
        if (n === failAfter) throw new Error('the database is gone');
        produced += PORTION.length;
        yield PORTION;
      }
    } finally {
      isEnded = true;
    }
  }
  const app = express();
  app.set('env', 'test');
  app.get('/', (received, response) => sendLines(received, response, lines()));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function request(url: string, method = 'GET'): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { method }), 'response')) as [IncomingMessage];
  return response;
}

test('reads lines only as fast as the caller receives them', async () => {
  const response = await request(await serve());
  let received = 0;
  let maxAhead = 0;
  for await (const chunk of response) {
    received += (chunk as Buffer).length;
    maxAhead = Math.max(maxAhead, produced - received);
  }
  expect(response.headers['content-type']).toBe(NDJSON);
  expect([received, isEnded]).toEqual([PORTIONS * PORTION.length, true]);
  expect(maxAhead).toBeLessThan(MAX_AHEAD_BYTES);
});

test('reading ends when the caller disconnects', async () => {
  const response = await request(await serve());
  response.destroy();
  await until('the reading ends', () => isEnded);
  expect(produced).toBeLessThan(PORTIONS * PORTION.length);
});

test('an error in the middle cuts the response off', async () => {
  const response = await request(await serve(3));
  const received = async () => {
    for await (const _chunk of response);
  };
  await expect(received()).rejects.toThrow('aborted');
  expect(isEnded).toBe(true);
});

test('a HEAD request reads only the first portion', async () => {
  const response = await request(await serve(), 'HEAD');
  response.resume();
  await once(response, 'end');
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, NDJSON]);
  expect([produced, isEnded]).toEqual([PORTION.length, true]);
});
