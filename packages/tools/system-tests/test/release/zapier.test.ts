import type { ServerResponse } from 'node:http';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { CALL, capture, captureEvents, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScriptedApi } from '../../../../clients/typescript/test/feeds/scripted-api.ts';
import { manage } from '../client/api-world.ts';
import { startZapierTester, type ZapierTester } from '../client/zapier/zapier.ts';

const SUMMARY = { headline: 'They want it' };

let database: TestDatabase;
let api: RunningApp;
let receiver: Receiver;
let zapier: ZapierTester | undefined;
let apiKey: string;

/** Defines a test that is skipped where the platform cannot be installed. */
const testZapier = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    if (zapier !== undefined) await body();
  });

beforeAll(async () => {
  zapier = await startZapierTester();
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await capture(database.db, { record: 'callSummary', callId: CALL, summary: SUMMARY });
  const env = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() };
  [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
  receiver = await startReceiver();
  apiKey = await mint('read', 'webhooks');
});

afterAll(async () => {
  zapier?.close();
  await receiver.close();
  await database.drop();
});

const mint = async (...scopes: string[]): Promise<string> =>
  (await manage(api, '/api-keys', { name: 'Zapier', scopes })).key;

/** Runs a part of the app as Zapier does. */
const zap = (part: string, bundle: object = {}, key = apiKey): Promise<any> =>
  zapier!.run(part, { ...bundle, authData: { baseUrl: api.baseUrl, apiKey: key } });

const search = (key: string, inputData: object) => zap(`searches.${key}.operation.perform`, { inputData });

testZapier('the app is valid by the schema of Zapier', async () => {
  expect(await zapier!.validate()).toEqual([]);
});

testZapier('a connection is tested, and named by its workspace', async () => {
  expect(await zap('authentication.test')).toMatchObject({ company: { name: 'Acme' } });
  await expect(zap('authentication.test', {}, 'dsk_live_no')).rejects.toThrow(/API_KEY_INVALID/);
});

const zapWith = (baseUrl: string, part: string, bundle: object = {}): Promise<any> =>
  zapier!.run(part, { ...bundle, authData: { baseUrl, apiKey } });

const ROOMS = 'searches.rooms.operation.perform';
const SUBSCRIBE = 'triggers.call_recorded.operation.performSubscribe';

testZapier('a base URL is completed, and one of another version is rejected', async () => {
  const { origin } = new URL(api.baseUrl);
  for (const given of [origin, `${api.baseUrl}/`, ` ${api.baseUrl}\n`]) {
    expect(await zapWith(given, 'authentication.test')).toMatchObject({ company: { name: 'Acme' } });
    const subscribeData = await zapWith(given, SUBSCRIBE, { targetUrl: receiver.url });
    await zapWith(given, 'triggers.call_recorded.operation.performUnsubscribe', { subscribeData });
  }
  for (const part of ['authentication.test', SUBSCRIBE]) {
    await expect(zapWith(`${origin}/api/v2`, part)).rejects.toThrow(/must end in \/api\/v1/);
    await expect(zapWith(`${origin}/deals/v1`, part)).rejects.toThrow(/NOT_FOUND/);
  }
});

testZapier('another server is distinguished from the API, and gets no key through a redirect', async () => {
  const other = await startScriptedApi((response) => response.end('{"company":{"id":1}}'));
  const location = `${other.url.replace('127.0.0.1', 'localhost')}/status`;
  const servers: [string, (response: ServerResponse) => unknown][] = [
    ['302', (response) => response.writeHead(302, { location }).end()],
    ['308', (response) => response.writeHead(308, { location }).end()],
    ['404', (response) => response.writeHead(404).end('<html>404</html>')],
    ['respond like the Deal Signals API', (response) => response.end('{"hello":"world"}')],
  ];
  for (const [message, respond] of servers) {
    const server = await startScriptedApi(respond);
    await expect(zapWith(server.url, SUBSCRIBE)).rejects.toThrow(message);
    if (message !== 'respond like the Deal Signals API') {
      await expect(zapWith(server.url, ROOMS, { inputData: {} })).rejects.toThrow(message);
    }
    await server.close();
  }
  expect(other.requests).toEqual([]);
  await other.close();
});

describe('an instant trigger', () => {
  testZapier('registers an endpoint, receives its events, and removes it', async () => {
    const hook = 'triggers.engagement_recorded.operation';
    const sample = await zapier!.value(`${hook}.sample`);
    const subscribeData = await zap(`${hook}.performSubscribe`, { targetUrl: receiver.url });
    expect(subscribeData).toEqual({
      id: expect.stringMatching(/^\d+$/),
      secret: expect.stringMatching(/^whsec_/),
    });
    await manage(api, `/webhooks/${subscribeData.id}/ping`, {});
    await captureEvents(database.db, ['instant']);
    const [ping, delivery] = await receiver.waitFor(2);
    const arrived = (request = delivery, changes: object = {}): object => ({
      subscribeData,
      rawRequest: {
        // Zapier passes headers in this form.
        headers: Object.fromEntries(
          Object.entries(request?.headers ?? {}).map(([name, value]) => [
            `Http-${name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`,
            String(value),
          ]),
        ),
        content: request?.rawBody.toString() ?? '',
        ...changes,
      },
    });
    const [event] = await zap(`${hook}.perform`, arrived());
    expect(event).toMatchObject({ type: 'engagement.recorded', data: { type: 'trailer_view' } });
    expect(Object.keys(event)).toEqual(Object.keys(sample));
    expect(Object.keys(sample.data)).toEqual(expect.arrayContaining(Object.keys(event.data)));
    expect(await zap(`${hook}.perform`, arrived(ping))).toEqual([]);
    await expect(zap(`${hook}.perform`, arrived(delivery, { content: '{}' }))).rejects.toThrow(
      /matches none of the secrets/,
    );

    await zap(`${hook}.performUnsubscribe`, { subscribeData });
    const { data } = (await (
      await fetch(`${api.baseUrl}/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } })
    ).json()) as { data: unknown[] };
    expect(data).toEqual([]);
    // The endpoint may already be gone, because an admin may have removed it.
    await zap(`${hook}.performUnsubscribe`, { subscribeData });
  });

  testZapier('needs a key that may register endpoints', async () => {
    const reader = await mint('read');
    const subscribing = zap(
      'triggers.call_recorded.operation.performSubscribe',
      { targetUrl: receiver.url },
      reader,
    );
    await expect(subscribing).rejects.toThrow(/the API key needs the scope webhooks/);
  });
});

testZapier('a polling trigger lists new objects with a read-only key, the latest first', async () => {
  const reader = await mint('read');
  const poll = (key: string) => zap(`triggers.${key}.operation.perform`, {}, reader);
  const now = new Date().toISOString();
  await capture(
    database.db,
    ...Array.from({ length: 510 }, (_, n) => ({
      record: 'room' as const,
      id: uuid(100 + n),
      name: `Room ${n}`,
      occurredAt: now,
    })),
  );
  const rooms = await poll('polled_room');
  expect(rooms).toHaveLength(511);
  expect(rooms[0].name).toBe('Room 509');
  expect(await poll('polled_call')).toMatchObject([{ id: CALL, hasSummary: true }]);
});

describe('a search', () => {
  testZapier('finds a room with its metrics, and nothing that does not exist', async () => {
    expect(await search('room', { roomId: ROOM })).toMatchObject([
      { id: ROOM, name: 'Globex', metrics: { engagementScore: expect.any(Number) } },
    ]);
    expect(await search('room', { roomId: uuid(9) })).toEqual([]);
  });

  testZapier('finds rooms, people and the summary of a call', async () => {
    expect(await search('rooms', { status: 'won' })).toEqual([]);
    expect((await search('rooms', { status: 'open', updatedSince: '2026-01-01' })).length).toBeGreaterThan(0);
    const people = await search('people', { roomId: ROOM });
    expect(people.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'bob@globex.example',
      'eve@globex.example',
    ]);
    expect(await search('call_summary', { callId: CALL })).toMatchObject([{ id: CALL, summary: SUMMARY }]);
    expect(await search('call_summary', { callId: uuid(9) })).toEqual([]);
  });

  testZapier('passes on the error message of the API', async () => {
    await expect(search('rooms', { status: 'sold' })).rejects.toThrow(/status: .*INVALID_REQUEST/s);
  });
});
