import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import express from 'express';
import { expressMessages } from '../../src/http/optimizations.ts';

test('requests in progress share a hidden class, and so do their responses', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
  const inProgress: [IncomingMessage, ServerResponse][] = [];
  const app = express();
  app.get('/', (request, response) => {
    inProgress.push([request, response]);
    if (inProgress.length === 2) for (const [, other] of inProgress) other.end(request.path);
  });
  const server = createServer(expressMessages(app), app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const get = async () => (await fetch(url)).text();
    expect(await Promise.all([get(), get()])).toEqual(['/', '/']);
    const [first, second] = inProgress;
    expect(haveSameMap(first![0], second![0])).toBe(true);
    expect(haveSameMap(first![1], second![1])).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
