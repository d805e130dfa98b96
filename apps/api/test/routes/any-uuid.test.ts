import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { repeatErasure } from '@deal-signals/capture/erasures/repeat-erasures';
import { checkAgainst } from '@deal-signals/test-kit/published-description';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { erasureExample } from '@deal-signals/serializers/examples/erasure';
import { ROUTES } from '../../src/app.ts';
import { describeApi } from '../../src/openapi/document.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

/** UUIDs that databases and products generate although RFC 9562 does not define them, and the smallest and the largest one. */
const IDS = {
  // SQL Server's NEWSEQUENTIALID.
  room: '852e395d-693e-ed11-809a-c971856d9437',
  // Oracle's SYS_GUID, split: it has neither a version nor a variant.
  call: 'e5c1f6b0-0a3d-09f7-0053-1a0fa8c0d7b2',
  link: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  forward: '00000000-0000-0000-0000-000000000000',
  // An unassigned version.
  document: '12345678-9abc-fdef-8123-456789abcdef',
  // The variant of Microsoft.
  item: '00020905-0000-0000-c000-000000000046',
  esign: '11111111-1111-1111-1111-111111111111',
};

let api: TestApi;
let key: string;
let client: Client;
const server = createServer((request, response) => api.app(request, response));

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db);
  key = await addKey(api.db, COMPANY);
  await addEndpoint(api.db, { events: ['*'] });
  const { room, call, link, forward, document, item, esign } = IDS;
  await capture(
    api.db,
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', id: room.toUpperCase(), name: 'Globex', ownerId: 7, dealValueCents: 100 },
    {
      record: 'call',
      id: call,
      kind: 'demo',
      occurredAt: '2026-09-01T12:00:00Z',
      ownerId: 7,
      roomId: room,
      durationSeconds: 60,
    },
    { record: 'callSummary', callId: call, summary: { headline: 'Went well' } },
    { record: 'document', id: document, roomId: room, title: 'Pricing', category: 'pricing' },
    ...[link, forward].map((id) => ({
      record: 'distribution' as const,
      id,
      roomId: room,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: call,
      ...(id === forward && { forwardedFromDistributionId: link }),
    })),
    { record: 'member', roomId: room, name: 'Carl', role: 'champion' },
    { record: 'actionItem', id: item, roomId: room, title: 'Review', dueDate: '2026-10-01' },
    {
      record: 'event',
      key: 'e',
      type: 'doc_open',
      occurredAt: '2026-09-02T12:00:00Z',
      distributionId: forward,
      docId: document,
    },
    {
      record: 'view',
      key: 'v',
      distributionId: link,
      startedAt: '2026-09-02T10:00:00Z',
      endedAt: '2026-09-02T10:05:00Z',
      segments: [[0, 30]],
    },
    { record: 'esign', id: esign, roomId: room, vendor: 'v', envelopeId: 'e', status: 'sent' },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  // The client checks results against the schemas of the tools that it has listed.
  await client.listTools();
});

afterAll(async () => {
  await client.close();
  server.close();
  server.closeAllConnections();
  await api.close();
});

describe('an id of any version', () => {
  const LISTS = ROUTES.filter(
    ({ method, path, access }) => method === 'GET' && access === 'key' && !path.includes(':'),
  ).map(({ path }) => path);

  // `close` fails if a response does not match its published schema.
  test.each(LISTS)('is in the list %s as captured, in lower case', async (path) => {
    await api.get(path, key).expect(200);
  });

  test.each([
    [`/decision-rooms/${IDS.room}`, IDS.room],
    [`/calls/${IDS.call}`, IDS.call],
    [`/documents/${IDS.document}`, IDS.document],
    [`/distributions/${IDS.link}`, IDS.link],
    [`/distributions/${IDS.forward}`, IDS.forward],
    [`/esign-documents/${IDS.esign}`, IDS.esign],
  ])('is found at %s, in upper case too', async (path, id) => {
    expect((await api.get(path, key).expect(200)).body.data.id).toBe(id);
    const upper = path.replace(id, id.toUpperCase());
    expect((await api.get(upper, key).expect(200)).body.data.id).toBe(id);
  });

  test.each([
    [`/calls?buyer_space_id=${IDS.room}`, [IDS.call]],
    [`/documents?buyer_space_id=${IDS.room.toUpperCase()}`, [IDS.document]],
    [`/engagement/events?demo_id=${IDS.call}`, [expect.stringMatching(/^\d+$/)]],
    [`/engagement/views?distribution_id=${IDS.link}`, [expect.stringMatching(/^\d+$/)]],
  ])('is a filter in %s', async (path, ids) => {
    const { body } = await api.get(path, key).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('does not stop a walk with cursors at either end of the order', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await api.get(`/distributions?limit=1${cursor}`, key).expect(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen.toSorted()).toEqual([IDS.forward, IDS.link]);
  });

  test('is in the metrics, the heat-map and the responses of the console', async () => {
    await api.get(`/decision-rooms/${IDS.room}/metrics`, key).expect(200);
    await api.get(`/distributions/${IDS.link}/heatmap`, key).expect(200);
    const session = sessionToken();
    for (const path of [
      'decision-rooms',
      'calls',
      'people',
      'engagement/events',
      'documents',
      `search?q=${IDS.room}`,
    ]) {
      await api.get(`/console/api/${path}`, session).expect(200);
    }
  });

  test('can be erased', async () => {
    const body = { buyerSpaceId: IDS.room.toUpperCase() };
    await api.post('/console/api/erasures/preview', sessionToken(), body).expect(200);
  });

  test('is in bodies of webhooks that match their schemas', async () => {
    const check = checkAgainst(describeApi(ROUTES));
    const events = await api.db.webhookEvent.findMany({ select: { type: true, body: true } });
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(4);
    for (const { type, body } of events) expect(check.problemsOfWebhook(type, JSON.parse(body))).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['pipeline_overview', {}, IDS.room],
    ['what_happened', { room_id: IDS.room }, IDS.room],
    ['find_rooms', {}, IDS.room],
    ['get_room', { room_id: IDS.room.toUpperCase() }, IDS.room],
    ['list_calls', { room_id: IDS.room }, IDS.call],
    ['get_call', { call_id: IDS.call }, IDS.call],
    ['list_events', { room_id: IDS.room }, IDS.forward],
    ['list_views', { share_link_id: IDS.link }, IDS.link],
    ['list_changes', { since: '2020-01-01', max_characters: 40_000 }, IDS.room],
  ])('matches the output schema of the tool %s', async (name, given, id) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: given });
    expect(isError ?? false).toBe(false);
    expect(JSON.stringify(structuredContent)).toContain(id);
  });

  test('is accepted in the file of erasures that an operator keeps', async () => {
    const kept = { ...erasureExample, companyId: COMPANY, buyerSpaceId: IDS.room, personIds: [IDS.item] };
    expect(await repeatErasure(api.db, JSON.stringify(kept))).toBe(1);
  });
});
