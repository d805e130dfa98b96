import { createHmac } from 'node:crypto';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { testCaFile, type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import {
  CALL,
  capture,
  captureEvents,
  captureWorkspace,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdioTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isEvent } from 'deal-signals/webhooks/events';
import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';
import { manage, createKey, servedRecords, startApi } from '../client/api-world.ts';
import { COMMAND, type Running, startCommand } from '../client/run.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

let database: TestDatabase;
let api: RunningApp;
let key: string;
let receiver: Receiver;
let command: Running;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await captureEvents(database.db, ['before']);
  await capture(database.db, { record: 'callSummary', callId: CALL, summary: { headline: 'before' } });
  api = await startApi(database.url);
  key = await createKey(api);
});

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());
afterAll(() => database.drop());

const access = () => ({
  DEAL_SIGNALS_URL: api.baseUrl,
  DEAL_SIGNALS_API_KEY: key,
  // The receiver's certificate was issued by the tests' authority.
  NODE_EXTRA_CA_CERTS: testCaFile(),
});

describe('listen', () => {
  beforeEach(async () => {
    command = startCommand(
      ['listen', '--forward-to', `${receiver.url}hooks`, '--secret', SECRET, '--poll-seconds', '0.1'],
      access(),
    );
    await command.untilWritten('Forwarding the events of Acme');
  });

  test('posts new events, signed as by the service, with the objects of the feeds', async () => {
    await captureEvents(database.db, ['listened to']);
    const [posted] = await receiver.waitFor(1);
    const event = await verifyWebhook(posted?.rawBody ?? '', posted?.headers ?? {}, SECRET);
    const newest = [...(await servedRecords(api, key, 'engagement/events')).values()].at(-1);
    expect(event).toEqual({
      id: event.id,
      type: 'engagement.recorded',
      apiVersion: '2026-09-01',
      createdAt: event.createdAt,
      companyId: 1,
      data: newest,
    });
    expect([posted?.method, posted?.path]).toEqual(['POST', '/hooks']);
    expect(posted?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'engagement.recorded',
      'x-service-event-id': event.id,
      'x-service-delivery': '1',
    });
    const [, t = ''] = /^t=(\d+),/.exec(String(posted?.headers['x-service-signature'])) ?? [];
    const v1 = createHmac('sha256', SECRET)
      .update(`${t}.`)
      .update(posted?.rawBody ?? '')
      .digest('hex');
    expect(posted?.headers['x-service-signature']).toBe(`t=${t},v1=${v1}`);
    expect((await command.end('SIGINT')).exitCode).toBe(0);
  });

  test('distinguishes a regenerated summary and an announced change of a room from other changes', async () => {
    // Neither causes a webhook: a title, and the name of a room.
    await capture(
      database.db,
      {
        record: 'call',
        id: CALL,
        kind: 'demo',
        occurredAt: '2026-09-01',
        ownerId: 7,
        roomId: ROOM,
        title: 'Renamed',
      },
      { record: 'room', id: ROOM, name: 'Globex Ltd' },
    );
    await capture(database.db, { record: 'callSummary', callId: CALL, summary: { headline: 'regenerated' } });
    await receiver.waitFor(1);
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex Ltd', status: 'won' });
    await receiver.waitFor(2);
    await capture(database.db, {
      record: 'esign',
      id: 'contract-1',
      roomId: ROOM,
      vendor: 'penandink',
      envelopeId: 'env-1',
      status: 'sent',
    });
    const posted = await receiver.waitFor(3);
    const events = await Promise.all(
      posted.map(({ rawBody, headers }) => verifyWebhook(rawBody, headers, SECRET)),
    );
    const [summary, room, contract] = events;
    expect(events.map(({ type }) => type)).toEqual([
      'call.summary.created',
      'decision_room.updated',
      'decision_room.esign.updated',
    ]);
    const [shown] = [...(await servedRecords(api, key, 'esign-documents')).values()];
    expect(contract?.data).toEqual({ buyerSpaceId: ROOM, document: shown });
    expect(summary && isEvent(summary, 'call.summary.created') && summary.data.summary?.headline).toBe(
      'regenerated',
    );
    expect(room && isEvent(room, 'decision_room.updated') && room.data.status).toBe('won');
    await command.end('SIGINT');
  });

  test('posts a new room, a new call and a view, as the feeds show them', async () => {
    await capture(
      database.db,
      { record: 'room', id: uuid(70), name: 'Initech' },
      { record: 'call', id: uuid(71), kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, roomId: uuid(70) },
      {
        record: 'view',
        key: 'listened to',
        distributionId: LINK,
        startedAt: '2026-09-02T10:00Z',
        endedAt: '2026-09-02T10:05Z',
        segments: [[0, 60]],
      },
    );
    const posted = await receiver.waitFor(3);
    const events = await Promise.all(
      posted.map(({ rawBody, headers }) => verifyWebhook(rawBody, headers, SECRET)),
    );
    const dataOf = Object.fromEntries(events.map(({ type, data }) => [type, data]));
    expect(dataOf).toEqual({
      'decision_room.created': (await servedRecords(api, key, 'decision-rooms')).get(uuid(70)),
      'call.recorded': (await servedRecords(api, key, 'calls')).get(uuid(71)),
      'engagement.view.recorded': [...(await servedRecords(api, key, 'engagement/views')).values()].at(-1),
    });
    expect(Object.keys(dataOf)).toHaveLength(3);
    await command.end('SIGINT');
  });

  test('repeats a failed delivery with a new signature', async () => {
    receiver.respond([500, 200]);
    await captureEvents(database.db, ['fails once']);
    const [first, second] = await receiver.waitFor(2);
    expect(second?.rawBody.equals(first?.rawBody ?? Buffer.of())).toBe(true);
    await verifyWebhook(second?.rawBody ?? '', second?.headers ?? {}, SECRET);
    await command.untilWritten('-> 200');
    expect((await command.end('SIGINT')).stdout).toContain('-> 500; trying again in 1 s');
  });
});

test('tail prints new records', async () => {
  command = startCommand(['tail', '--poll-seconds', '0.1', '--json'], access());
  const readable = startCommand(['tail', '--poll-seconds', '0.1', '--feeds', 'engagement/events'], access());
  await command.untilWritten('Waiting for calls');
  await readable.untilWritten('Waiting for engagement/events');
  await captureEvents(database.db, ['tailed']);
  for (const one of [command, readable]) await one.untilWritten('trailer_view');
  const { stdout } = await command.end('SIGINT');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ feed }) => feed === 'engagement/events')).toMatchObject([
    { record: { type: 'trailer_view' } },
  ]);
  expect((await readable.end('SIGINT')).stdout).toMatch(
    /^\d\d:\d\d:\d\d {2}trailer_view by Bob: (First demo|Renamed)\n$/,
  );
});

describe('mcp', () => {
  async function connect(transport: Transport): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return client;
  }

  const stdioServer = (env: Record<string, string>) => ({
    command: process.execPath,
    args: [...COMMAND, 'mcp'],
    cwd: REPOSITORY_ROOT,
    env: { ...access(), ...env },
    stderr: 'pipe' as const,
  });
  const overStdio = (env: Record<string, string>) => new StdioClientTransport(stdioServer(env));

  const overHttp = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', api.baseUrl), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }) as Transport;

  test('offers the tools of the API over standard input and output', async () => {
    const clients = await Promise.all([connect(overStdio({})), connect(overHttp())]);
    const [stdio, http] = await Promise.all(
      clients.map(async (client) => {
        const { tools } = await client.listTools();
        const found = await client.callTool({ name: 'find_rooms', arguments: { name: 'glob' } });
        const wrong = await client.callTool({ name: 'get_room', arguments: { room_id: 'x' } });
        const { data } = found.structuredContent as { data: { id: string }[] };
        return { instructions: client.getInstructions(), tools, data, wrong };
      }),
    );
    expect(stdio).toEqual(http);
    expect(stdio?.data).toMatchObject([{ id: ROOM }]);
    expect(stdio?.wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('INVALID_REQUEST: room_id') }],
    });
    await Promise.all(clients.map((client) => client.close()));
  });

  test('offers the tools to a client of revision 2026-07-28, which needs no handshake', async () => {
    const client = new NewClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new NewStdioTransport(stdioServer({})));
    const { tools } = await client.listTools();
    const found = await client.callTool({ name: 'find_rooms', arguments: { name: 'glob' } });
    expect([client.getProtocolEra(), tools.length]).toEqual(['modern', 11]);
    expect(found.structuredContent).toMatchObject({ data: [{ id: ROOM }] });
    const wrong = await client.callTool({ name: 'get_room', arguments: { room_id: 'x' } });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('INVALID_REQUEST: room_id') }],
    });
    await client.close();
  });

  test('reports what is wrong with the key', async () => {
    const transport = overStdio({ DEAL_SIGNALS_API_KEY: 'dsk_live_wrong' });
    await expect(connect(transport)).rejects.toThrow('The key is wrong, was revoked or has expired.');
    await transport.close();
  });
});

test('verify accepts a delivery of the service itself', async () => {
  const { secret, data } = await manage(api, '/webhooks', { url: receiver.url, events: ['*'] });
  const ping = await manage(api, `/webhooks/${data.id}/ping`, {});
  expect(ping.data.status).toBe('delivered');
  const [posted] = await receiver.waitFor(1);
  const event = await verifyWebhook(posted?.rawBody ?? '', posted?.headers ?? {}, secret);
  expect(isEvent(event, 'integration.ping') && event.data.endpointId).toBe(data.id);
  await expect(verifyWebhook(posted?.rawBody ?? '', posted?.headers ?? {}, SECRET)).rejects.toMatchObject({
    code: 'SIGNATURE_MISMATCH',
  });
});
