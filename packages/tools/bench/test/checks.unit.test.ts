import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type Receipt, requireExactly, verifyArrival } from '../src/deliveries/receipts.ts';
import { load } from '../src/reads/loader.ts';
import { expectedResponses } from '../src/reads/reads.ts';

describe('the deliveries that have arrived', () => {
  const events = new Map([
    ['a', { path: '/1', body: 'A' }],
    ['b', { path: '/2', body: 'B' }],
  ]);
  const a: Receipt = { eventId: 'a', path: '/1', body: 'A', atMs: 0 };
  const b: Receipt = { eventId: 'b', path: '/2', body: 'B', atMs: 0 };

  test('may come in any order', () => expect(() => requireExactly(events, [b, a])).not.toThrow());

  test.each([
    ['one is missing', [a], '1 events have not arrived'],
    ['one arrived twice', [a, b, a], 'event a arrived twice'],
    ['one was never sent', [a, b, { ...a, eventId: 'c' }], 'event c arrived twice, or was never sent'],
    ['a body is wrong', [a, { ...b, body: 'A' }], 'event b arrived wrong at /2'],
    ['an endpoint is wrong', [a, { ...b, path: '/1' }], 'event b arrived wrong at /1'],
  ])('are refused if %s', (_case, receipts, message) => {
    expect(() => requireExactly(events, receipts)).toThrow(message);
  });
});

describe('the signature of a delivery', () => {
  const v1 = createHmac('sha256', 'secret').update('17.body').digest('hex');
  const arrival = { path: '/', eventId: 'a', signature: `t=17,v1=${v1}`, body: 'body', atMs: 0 };

  test('may be right', () => {
    expect(verifyArrival(arrival, 'secret')).toEqual({ path: '/', eventId: 'a', body: 'body', atMs: 0 });
  });

  test.each([
    ['of other bytes', { ...arrival, body: 'other' }, 'secret'],
    ['of another secret', arrival, 'other'],
    ['missing', { ...arrival, signature: 'undefined' }, 'secret'],
  ])('is refused if it is %s', (_case, wrong, secret) => {
    expect(() => verifyArrival(wrong, secret)).toThrow('wrong signature of event a');
  });
});

describe('the responses of the contestants', () => {
  /** Serves bodies in turn, the last one again and again. */
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

  test('are the bytes that each must return', async () => {
    const expected = await compared('{"data":[1]}', '{ "data": [1] }');
    expect(Array.from(expected, ([name, [one]]) => [name, String(one?.body)])).toEqual([
      ['product', '{"data":[1]}'],
      ['floor', '{ "data": [1] }'],
    ]);
  });

  test('must be the same objects, unless the floor stands for less', async () => {
    await expect(compared('{"data":[1]}', '{"data":[2]}')).rejects.toThrow(
      /^floor: wrong response to \/a: [\s\S]*\+ +2\n- +1\n/,
    );
    await expect(compared('{"data":[{}]}', '{"data":[{"a":null}]}')).rejects.toThrow('floor: wrong response');
    await expect(compared('{"data":[[]]}', '{"data":[{}]}')).rejects.toThrow('floor: wrong response');
    await compared('{"data":[{"a":1,"b":null}]}', '{"data":[{"b":null,"a":1}]}');
    await expect(compared('{"rows":[]}', '{"rows":[]}')).rejects.toThrow('product: wrong response to /a');
    await compared('{"data":[1]}', '{"rows":[1]}', { hasOtherObjects: true });
  });

  test('are compared whenever they are timed', async () => {
    const send = (bodies: string[]) =>
      withServer(bodies, (origin) =>
        load({
          origin,
          headers: {},
          requests: [{ path: '/a', body: Buffer.from('right') }],
          connections: 1,
          mostMs: 60_000,
          mostRequests: 5,
        }),
      );
    expect(await send(['right'])).toMatchObject({ units: 5 });
    await expect(send(['right', 'right', 'wrong'])).rejects.toThrow('wrong response to /a: 200 wrong');
  });
});
