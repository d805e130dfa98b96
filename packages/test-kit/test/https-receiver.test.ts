import { readFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver, testCaFile } from '../src/https-receiver.ts';
import { until } from '../src/until.ts';

const receivers: Receiver[] = [];

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function start(...options: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...options);
  receivers.push(receiver);
  return receiver;
}

/** Posts over verified TLS and returns the status and the body, or the code of the error. */
function post(url: string, body: string, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', agent: false, ca: readFileSync(testCaFile()), ...options },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(`${response.statusCode} ${text}`.trim()));
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });
}

describe('startReceiver', () => {
  test('records requests byte for byte', async () => {
    const receiver = await start();
    const waiting = receiver.waitFor(1);
    expect(await post(`${receiver.url}hooks?x=1`, '{"a": "ü"}', { headers: { 'x-one': '1' } })).toBe('200');
    const [received] = await waiting;
    expect(received).toMatchObject({ method: 'POST', path: '/hooks?x=1', receivedAt: expect.any(Date) });
    expect(received?.headers['x-one']).toBe('1');
    expect(received?.rawBody).toEqual(Buffer.from('{"a": "ü"}'));
  });

  test('uses each of several behaviours once, and keeps the last', async () => {
    const receiver = await start({ respond: [500, { status: 410, body: 'gone' }, 204] });
    const responses = [];
    for (let number = 1; number <= 4; number += 1) responses.push(await post(receiver.url, ''));
    expect(responses).toEqual(['500', '410 gone', '204', '204']);
    receiver.respond(429);
    expect(await post(receiver.url, '')).toBe('429');
    expect(receiver.requests).toHaveLength(5);
  });

  test('can hang, close the connection or delay its response', async () => {
    const receiver = await start({ respond: 'hang' });
    const leaving = new AbortController();
    const unanswered = post(receiver.url, '', { signal: leaving.signal });
    await receiver.waitFor(1);
    leaving.abort();
    expect(await unanswered).toBe('ABORT_ERR');
    receiver.respond('close');
    expect(await post(receiver.url, '')).toBe('ECONNRESET');
    receiver.respond({ status: 200, delayMs: 150 });
    const startedAtMs = performance.now();
    expect(await post(receiver.url, '')).toBe('200');
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(145);
  });

  test('lets a test write the response, and can be closed while that continues', async () => {
    let written = 0;
    const receiver = await start({
      respond: (_request, { response }) => {
        response.writeHead(200);
        const timer = setInterval(() => {
          written += 1;
          response.write('drip');
        }, 10);
        response.on('close', () => clearInterval(timer));
      },
    });
    const leaving = new AbortController();
    const endless = post(receiver.url, '', { signal: leaving.signal });
    await until('some of the body to be sent', () => written > 2);
    leaving.abort();
    expect(await endless).toBe('ABORT_ERR');
    const hanging = post(receiver.url, '');
    await receiver.waitFor(2);
    await receiver.close();
    expect(await hanging).toBe('ECONNRESET');
  });

  test('has a certificate of the test authority, which nothing else trusts', async () => {
    const receiver = await start();
    expect(await post(receiver.url, '', { ca: undefined })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(receiver.requests).toEqual([]);
  });
});
