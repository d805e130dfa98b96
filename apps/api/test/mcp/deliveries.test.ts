import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { capture, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

// The tools about webhooks. They return the figures and reasons of the console, without the parts that only admins may see.

/** A part of the URL of an endpoint. It works like a password: a caller that has it can post to the receiver. */
const SECRET_PATH = 'services/T0-not-for-assistants';

let api: TestApi;
let server: Server;
let crm: number;
let session: string;

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
  crm = await addEndpoint(api.db, {
    url: `https://user:password@hooks.example.com/${SECRET_PATH}?token=${SECRET_PATH}`,
    description: 'CRM',
  });
  await addEndpoint(api.db, { url: 'https://other.example.com/', events: ['call.recorded'] });
  session = sessionToken({ companyId: COMPANY });
  await api.patch(`/webhooks/${crm}`, session, { enabled: false }).expect(200);
  await capture(api.db, {
    record: 'event',
    key: 'while it is disabled',
    type: 'room_visit',
    occurredAt: new Date().toISOString(),
    distributionId: LINK,
  });
  await addDeliveries(api.db, crm, 3, {
    status: 'dead',
    attempts: 8,
    lastError: 'receiver responded with 500',
  });
  server = createServer(api.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await api.close();
});

/** Calls a tool in a new session, with a key of some scopes. */
async function call(name: string, given: Record<string, unknown> = {}, scopes = ['read']): Promise<any> {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const headers = { Authorization: `Bearer ${await addKey(api.db, COMPANY, { scopes })}` };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const result = (await client.callTool({ name, arguments: given })) as any;
  await client.close();
  return result.isError ? result.content[0].text : result.structuredContent;
}

test('delivery_health returns the figures of the console, and lists first what needs attention', async () => {
  const { data, hasMore } = await call('delivery_health');
  const { body: health } = await api.get('/console/api/endpoint-health?range=day', session).expect(200);
  const { body: overview } = await api.get('/console/api/overview', session).expect(200);
  expect(data.endpoints).toEqual(
    health.data.map(({ endpointId, totals, pendingDeliveries, deadDeliveries, oldestDueAt }: any) => ({
      endpointId,
      description: endpointId === crm ? 'CRM' : null,
      receiver: endpointId === crm ? 'hooks.example.com' : 'other.example.com',
      enabled: endpointId !== crm,
      delivered: totals.delivered,
      failed: totals.failed,
      successRate: totals.successRate,
      pendingDeliveries,
      deadDeliveries,
      oldestDueAt,
    })),
  );
  expect(data.endpoints[0]).toMatchObject({ deadDeliveries: 3 });
  const kinds = overview.attention.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('dead_letters');
  expect(data.attention.map(({ kind }: { kind: string }) => kind)).toEqual(
    kinds.filter((kind: string) => !kind.includes('key')),
  );
  expect([hasMore, JSON.stringify(data).includes(SECRET_PATH)]).toEqual([false, false]);
});

test('why_not_delivered returns the reasons of the console, each with an explanation', async () => {
  const { data, hasMore } = await call('why_not_delivered', { room_id: ROOM });
  const { body } = await api.get(`/console/api/why?buyer_space_id=${ROOM}`, session).expect(200);
  const codes = ({ verdicts }: any) => verdicts.map(({ code, count }: any) => [code, count]);
  expect([data.title, data.endpoints.map(codes)]).toEqual(['Globex', body.data.endpoints.map(codes)]);
  expect(JSON.stringify(body.data.endpoints)).toContain('"disabledBy":"admin","user":{"id":');
  const own = data.endpoints.find(({ endpointId }: any) => endpointId === crm);
  expect(own).toMatchObject({
    description: 'CRM',
    receiver: 'hooks.example.com',
    enabled: false,
  });
  for (const { verdicts } of data.endpoints) {
    for (const { code } of verdicts) expect(data.meanings[code]).toMatch(/.{20}/);
  }
  expect(Object.values(own.verdicts[0])).not.toContain(null);
  // Types are named where they are not those of everything that happened.
  const types = data.happened.map(({ eventType }: any) => eventType).toSorted();
  const named = body.data.endpoints.map(({ verdicts }: any) =>
    verdicts.map(({ eventTypes }: any) => (eventTypes.join() === types.join() ? undefined : eventTypes)),
  );
  expect(data.endpoints.map(({ verdicts }: any) => verdicts.map((one: any) => one.eventTypes))).toEqual(
    named,
  );
  expect(named.flat()).toContainEqual(['engagement.recorded']);
  const shown = JSON.stringify(data);
  const secrets = [SECRET_PATH, 'password', '"user"'].filter((secret) => shown.includes(secret));
  expect([hasMore, secrets]).toEqual([false, []]);
});

test('why_not_delivered counts removed endpoints without a delivery about the object', async () => {
  const removed = await addEndpoint(api.db, { enabled: false, removedAt: new Date() });
  const { data } = await call('why_not_delivered', { room_id: ROOM });
  expect(data.removedEndpoints).toBe(1);
  expect(data.endpoints.map(({ endpointId }: any) => endpointId)).not.toContain(removed);
  await api.db.webhookEndpoint.deleteMany({ where: { id: removed } });
});

test('why_not_delivered also explains an event or a delivery', async () => {
  const [delivery] = await api.db.webhookDelivery.findMany({ where: { endpointId: crm, status: 'dead' } });
  for (const given of [{ delivery_id: String(delivery!.id) }, { event_id: delivery!.eventId }]) {
    const { data } = await call('why_not_delivered', given, ['read:deliveries']);
    const [worst] = data.endpoints;
    expect(worst.verdicts[0]).not.toHaveProperty('eventTypes');
    expect([worst.endpointId, worst.verdicts[0]]).toMatchObject([
      crm,
      { code: 'dead', count: 1, error: 'receiver responded with 500', deliveryId: String(delivery!.id) },
    ]);
  }
});

test.each<[object, string]>([
  [{}, 'INVALID_REQUEST: room_id, call_id, event_id, delivery_id: pass exactly one of them.'],
  [{ room_id: ROOM, event_id: uuid(1) }, 'pass exactly one of them'],
  [{ room_id: uuid(99) }, 'NOT_FOUND: '],
  [{ delivery_id: 'x' }, 'delivery_id: must be the id of a delivery, such as 1789030800012000'],
  [{ delivery_id: '1' }, 'NOT_FOUND: '],
  [{ room_id: ROOM, since: 'last week' }, 'since: must be an ISO 8601 date-time'],
  [
    { room_id: ROOM, since: '2999-01-01T00:00:00Z' },
    'INVALID_REQUEST: since: must not be later than now, which is 20',
  ],
])('why_not_delivered with %j returns an error that tells the model what to do', async (given, text) => {
  expect(await call('why_not_delivered', { ...given })).toContain(text);
});

test('a key needs the scope of deliveries, and for a room or a call that of rooms or calls', async () => {
  expect(await call('delivery_health', {}, ['read:rooms'])).toContain('needs the scope read:deliveries');
  expect((await call('delivery_health', {}, ['read:deliveries'])).hasMore).toBe(false);
  const room = { room_id: ROOM };
  expect(await call('why_not_delivered', room, ['read:rooms'])).toContain('needs the scope read:deliveries');
  expect(await call('why_not_delivered', room, ['read:deliveries'])).toContain('needs the scope read:rooms');
  expect(await call('why_not_delivered', { call_id: ROOM }, ['read:deliveries'])).toContain(
    'needs the scope read:calls',
  );
  expect((await call('why_not_delivered', room, ['read:deliveries', 'read:rooms'])).data.title).toBe(
    'Globex',
  );
});
