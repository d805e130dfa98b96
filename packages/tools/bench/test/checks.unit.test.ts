import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type Receipt, requireExactly, verifyArrival } from '../src/deliveries/receipts.ts';
import { load } from '../src/reads/loader.ts';
import { expectedResponses } from '../src/reads/reads.ts';

describe('requireExactly', () => {
  const events = new Map([
    ['a', { path: '/1', body: 'A' }],
    ['b', { path: '/2', body: 'B' }],
  ]);
  const a: Receipt = { eventId: 'a', path: '/1', body: 'A', atMs: 0 };
  const b: Receipt = { eventId: 'b', path: '/2', body: 'B', atMs: 0 };

  test('accepts the deliveries in any order', () =>
    expect(() => requireExactly(events, [b, a])).not.toThrow());

  test.each([
    ['one is missing', [a], '1 events did not arrive'],
    ['one arrived twice', [a, b, a], 'event a arrived twice'],
    ['one was never sent', [a, b, { ...a, eventId: 'c' }], 'event c arrived twice, or was never sent'],
    ['a body is wrong', [a, { ...b, body: 'A' }], 'event b arrived wrong at /2'],
    ['an endpoint is wrong', [a, { ...b, path: '/1' }], 'event b arrived wrong at /1'],
  ])('throws if %s', (_case, receipts, message) => {
    expect(() => requireExactly(events, receipts)).toThrow(message);
  });
});

describe('verifyArrival', () => {
  const v1 = createHmac('sha256', 'secret').update('17.body').digest('hex');
  const arrival = { path: '/', eventId: 'a', signature: `t=17,v1=${v1}`, body: 'body', atMs: 0 };

  test('accepts a valid signature', () => {
    expect(verifyArrival(arrival, 'secret')).toEqual({ path: '/', eventId: 'a', body: 'body', atMs: 0 });
  });

  test.each([
    ['of other bytes', { ...arrival, body: 'other' }, 'secret'],
    ['of another secret', arrival, 'other'],
    ['missing', { ...arrival, signature: 'undefined' }, 'secret'],
  ])('throws if the signature is %s', (_case, wrong, secret) => {
    expect(() => verifyArrival(wrong, secret)).toThrow('wrong signature of event a');
  });
});

describe('expectedResponses', () => {
  /** Serves bodies in turn, and repeats the last one. */
  async function withServer<T>(bodies: string[], use: (origin: string) => Promise<T>): Promise<T> {
    let served = 0;
    const server = createServer((_, response) => {
      response.end(bodies[Math.min(served++, bodies.length - 1)]);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return use(`http://127.0.0.1:${port}`).finally(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  const path = {
    requests: [{ path: '/a', statements: [] }],
    isRight: ({ data }: { data?: unknown }) => data != null,
  };
  const compared = (product: string, floor: string, more: { hasOtherObjects?: boolean } = {}) =>
    withServer([product], (own) =>
      withServer([floor], (other) =>
        expectedResponses(
          { ...path, ...more },
          [
            { name: 'product', origin: own },
            { name: 'floor', origin: other },
          ],
          {},
        ),
      ),
    );

  test('returns the bytes that each contestant must return', async () => {
    const expected = await compared('{"data":[1]}', '{ "data": [1] }');
    expect(Array.from(expected, ([name, [one]]) => [name, String(one?.body)])).toEqual([
      ['product', '{"data":[1]}'],
      ['floor', '{ "data": [1] }'],
    ]);
  });

  test('requires the same objects, unless the floor does part of the work', async () => {
    await expect(compared('{"data":[1]}', '{"data":[2]}')).rejects.toThrow(
      /^floor: wrong response to \/a: [\s\S]*\+ +2\n- +1\n/,
    );
    await expect(compared('{"data":[{}]}', '{"data":[{"a":null}]}')).rejects.toThrow('floor: wrong response');
    await expect(compared('{"data":[[]]}', '{"data":[{}]}')).rejects.toThrow('floor: wrong response');
    await compared('{"data":[{"a":1,"b":null}]}', '{"data":[{"b":null,"a":1}]}');
    await expect(compared('{"rows":[]}', '{"rows":[]}')).rejects.toThrow('product: wrong response to /a');
    await compared('{"data":[1]}', '{"rows":[1]}', { hasOtherObjects: true });
  });

  test('returns bytes that the loader compares with every response', async () => {
    const send = (bodies: string[]) =>
      withServer(bodies, (origin) =>
        load({
          origin,
          headers: {},
          requests: [{ path: '/a', body: Buffer.from('right') }],
          connections: 1,
          maxMs: 60_000,
          maxRequests: 5,
        }),
      );
    expect(await send(['right'])).toMatchObject({ units: 5 });
    await expect(send(['right', 'right', 'wrong'])).rejects.toThrow('wrong response to /a: 200 wrong');
  });
});
