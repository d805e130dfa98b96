import type { ServerResponse } from 'node:http';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { CALL, capture, captureEvents, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScriptedApi } from '../../../../clients/typescript/test/feeds/scripted-api.ts';
import { manage } from '../client/api-world.ts';
import { type N8n, startN8n, type WorkflowNode } from '../client/n8n/n8n.ts';
import { type BuiltNodes, buildNodes, findN8n } from '../client/n8n/tools.ts';

/** More than one page. */
const ROOMS = 510;
const SUMMARY = { headline: 'They want it' };

const nodes: BuiltNodes | undefined = await buildNodes();
const found = nodes === undefined ? { missing: 'the nodes are not built' } : await findN8n();

test("the nodes pass n8n's linter", () => {
  expect(nodes?.complaints ?? '').toBe('');
});

const inN8n = 'folder' in found ? describe : describe.skip;
inN8n('folder' in found ? 'in n8n' : `IN N8N, WHICH IS NOT INSTALLED:  ${found.missing}`, () => {
  let database: TestDatabase;
  let api: RunningApp;
  let n8n: N8n;
  let receiver: Receiver;
  let apiKey: string;
  let credential: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await captureWorkspace(database.db);
    await capture(database.db, { record: 'callSummary', callId: CALL, summary: SUMMARY });
    await captureEvents(database.db, ['before']);
    const env = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() };
    // n8n is down for some seconds.
    const schedule = { WEBHOOK_RETRY_SCHEDULE_MS: '500,1000,2000,4000,8000,16000,32000' };
    [api] = await Promise.all([startApp('api', env), startApp('worker', { ...env, ...schedule })]);
    receiver = await startReceiver();
    n8n = await startN8n('folder' in found ? found.folder : '', nodes?.archive ?? '');
    apiKey = await createKey('read', 'webhooks');
    credential = (await n8n.addCredential({ baseUrl: api.baseUrl, apiKey })).id;
  }, 300_000);

  afterAll(async () => {
    await n8n?.close();
    await receiver?.close();
    await database?.drop();
  });

  const createKey = async (...scopes: string[]): Promise<string> =>
    (await manage(api, '/api-keys', { name: 'n8n', scopes })).key;

  const dealSignals = (type: string, parameters: object): WorkflowNode => ({
    name: 'Deal Signals',
    // An error becomes the output of the node.
    onError: 'continueRegularOutput',
    type: `n8n-nodes-deal-signals.${type}`,
    parameters,
  });

  /** Forwards the output of a trigger, so that the receiver of the test gets it. */
  const sendOn = (): WorkflowNode => ({
    name: 'Send on',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: receiver.url,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify($json) }}',
    },
  });

  /** Publishes a workflow that responds to its webhook with the result of an action, and calls it. */
  async function act(name: string, parameters: object, credentialId = credential): Promise<any> {
    const webhook: WorkflowNode = {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { path: name, responseMode: 'lastNode', responseData: 'allEntries', options: {} },
    };
    const { refusal } = await n8n.publish(
      name,
      credentialId,
      webhook,
      dealSignals('dealSignals', parameters),
    );
    expect(refusal).toBeNull();
    return n8n.webhook(name);
  }

  const events = (...types: string[]) => dealSignals('dealSignalsTrigger', { events: types });

  /** Returns the endpoints that the key has registered. */
  async function endpoints(): Promise<any[]> {
    const headers = { authorization: `Bearer ${apiKey}` };
    const body: any = await (await fetch(`${api.baseUrl}/webhooks`, { headers })).json();
    return body.data;
  }

  const sentOn = (): any[] => receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()));

  test('the test of a credential distinguishes a valid key from an invalid one', async () => {
    const right = await n8n.addCredential({ baseUrl: api.baseUrl, apiKey });
    expect(right).toMatchObject({ status: 'OK' });
    const wrong = await n8n.addCredential({ baseUrl: api.baseUrl, apiKey: 'dsk_live_no' });
    expect(wrong).toMatchObject({ status: 'Error' });
  });

  test.each([
    ['with a slash at its end', (url: string) => `${url}/`],
    ['without a path', (url: string) => new URL(url).origin],
    ['with spaces around it', (url: string) => ` ${url}\n`],
  ])('a base URL %s is completed', async (_name, given) => {
    const { id, status } = await n8n.addCredential({ baseUrl: given(api.baseUrl), apiKey });
    expect(status).toBe('OK');
    const name = `instant ${_name}`;
    const workflow = await n8n.publish(name, id, events('call.recorded'), sendOn());
    expect(workflow.refusal).toBeNull();
    expect(await endpoints()).toMatchObject([{ description: `n8n: ${name}` }]);
    await n8n.unpublish(workflow.id);
    await until('the endpoint to be removed', async () => (await endpoints()).length === 0);
    const read = { resource: 'room', operation: 'get', roomId: ROOM };
    expect(await act(`read ${_name}`.replaceAll(' ', '-'), read, id)).toMatchObject([
      { id: ROOM, metrics: { totals: {} } },
    ]);
  });

  describe('another server than the API', () => {
    const polling = dealSignals('dealSignalsPollingTrigger', { feed: 'engagement/events' });

    test.each([
      ['another version', (url: string) => url.replace('/v1', '/v2'), 'must end in /api/v1'],
      [
        'a host alone',
        (url: string) => new URL(url).host,
        'The base URL must begin with https:// or http://',
      ],
      ['another path of the API', (url: string) => url.replace('/api/v1', '/deals/v1'), 'not found'],
    ])('%s is rejected by the trigger and the test of the credential', async (name, given, refusal) => {
      const { id, status } = await n8n.addCredential({ baseUrl: given(api.baseUrl), apiKey });
      expect(status).toBe('Error');
      const published = await n8n.publish(name, id, events('call.recorded'), sendOn());
      expect(published.refusal).toContain(refusal);
    });

    test.each([
      ['responds with a page', (response: ServerResponse) => response.end('<html>Welcome</html>')],
      ['responds with other JSON', (response: ServerResponse) => response.end('{"hello":"world"}')],
      ['responds with 404', (response: ServerResponse) => response.writeHead(404).end('<html>404</html>')],
    ])('a server that %s is rejected by the instant trigger', async (name, respond) => {
      const other = await startScriptedApi(respond);
      const { id } = await n8n.addCredential({ baseUrl: other.url, apiKey });
      const { refusal } = await n8n.publish(name, id, events('call.recorded'), sendOn());
      expect(refusal).toEqual(expect.any(String));
      await other.close();
    });

    test('a server that responds with other JSON is rejected by the polling trigger', async () => {
      const other = await startScriptedApi((response) => response.end('{"hello":"world"}'));
      const { id } = await n8n.addCredential({ baseUrl: other.url, apiKey });
      const { refusal } = await n8n.publish('polls another server', id, polling, sendOn());
      expect(refusal).toContain('is the base URL right?');
      await other.close();
    });

    test('a redirect is not followed, so that no other server gets the key', async () => {
      const other = await startScriptedApi((response) => response.end('{"data":[],"company":{"id":1}}'));
      const location = other.url.replace('127.0.0.1', 'localhost');
      const redirecting = await startScriptedApi((response) =>
        response.writeHead(307, { location: `${location}/status` }).end(),
      );
      const { id, status } = await n8n.addCredential({ baseUrl: redirecting.url, apiKey });
      expect(status).toBe('Error');
      for (const trigger of [events('call.recorded'), polling]) {
        const { refusal } = await n8n.publish(`redirected ${trigger.type}`, id, trigger, sendOn());
        expect(refusal).toEqual(expect.any(String));
      }
      await act('redirected', { resource: 'room', operation: 'get', roomId: ROOM }, id).catch(() => null);
      expect(redirecting.requests.length).toBeGreaterThanOrEqual(4);
      expect(other.requests).toEqual([]);
      await other.close();
      await redirecting.close();
    });
  });

  test('actions get a room with its metrics, find rooms page by page, list people, and get a summary', async () => {
    const [room] = await act('room', { resource: 'room', operation: 'get', roomId: ROOM });
    expect(room).toMatchObject({
      id: ROOM,
      name: 'Globex',
      metrics: { totals: { events: expect.any(Number) } },
    });
    const bare = await act('bare', {
      resource: 'room',
      operation: 'get',
      roomId: ROOM,
      includeMetrics: false,
    });
    expect(bare[0]).not.toHaveProperty('metrics');
    await capture(
      database.db,
      ...Array.from({ length: ROOMS }, (_, n) => ({
        record: 'room' as const,
        id: uuid(100 + n),
        name: `${n}`,
      })),
    );
    const rooms = { resource: 'room', operation: 'getAll' };
    expect(await act('all', { ...rooms, returnAll: true })).toHaveLength(ROOMS + 1);
    expect(await act('some', { ...rooms, limit: 3, filters: { status: 'open' } })).toHaveLength(3);
    expect(await act('won', { ...rooms, returnAll: true, filters: { status: 'won' } })).toEqual([]);
    const since = { updatedSince: '2100-01-01T00:00:00' };
    expect(await act('late', { ...rooms, filters: since })).toEqual([]);
    const people = { resource: 'person', operation: 'getAll', returnAll: true };
    const inRoom = await act('people', { ...people, filters: { roomId: ROOM } });
    expect(inRoom.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'bob@globex.example',
      'eve@globex.example',
    ]);
    const call = { resource: 'call', callId: CALL };
    expect(await act('call', { ...call, operation: 'get' })).toMatchObject([{ title: 'First demo' }]);
    expect(await act('summary', { ...call, operation: 'getSummary' })).toMatchObject([SUMMARY]);
  });

  test('an action on an unknown object fails', async () => {
    const [item] = await act('none', { resource: 'room', operation: 'get', roomId: uuid(9) });
    expect(item.error).toContain('could not be found');
  });

  test('the instant trigger starts a workflow for each event, and removes its endpoint with the workflow', async () => {
    const { id, refusal } = await n8n.publish('instant', credential, events('engagement.recorded'), sendOn());
    expect(refusal).toBeNull();
    const [endpoint] = await until('the endpoint to be registered', async () => {
      const all = await endpoints();
      return all.length === 1 && all;
    });
    expect(endpoint).toMatchObject({
      events: ['engagement.recorded'],
      description: 'n8n: instant',
      enabled: true,
    });
    expect((await manage(api, `/webhooks/${endpoint.id}/ping`, {})).data.status).toBe('delivered');
    await captureEvents(database.db, ['instant']);
    await receiver.waitFor(1);
    expect(sentOn()).toMatchObject([{ type: 'engagement.recorded', data: { type: 'trailer_view' } }]);

    // Anyone can send a request to this URL.
    expect(await n8n.post(endpoint.url, { type: 'engagement.recorded', data: {} })).toBe(401);
    expect(await n8n.post(endpoint.url)).toBe(401);
    await n8n.stop();
    await captureEvents(database.db, ['while n8n is away']);
    await n8n.start();
    await receiver.waitFor(2, { timeoutMs: 120_000 });
    expect((await endpoints()).map((one) => one.id)).toEqual([endpoint.id]);
    await n8n.unpublish(id);
    await until('the endpoint to be removed', async () => (await endpoints()).length === 0);
    expect(sentOn()).toHaveLength(2);
  });

  test('with a read-only key, the instant trigger is rejected and the polling trigger misses nothing', async () => {
    const reader = (await n8n.addCredential({ baseUrl: api.baseUrl, apiKey: await createKey('read') })).id;
    const instant = await n8n.publish('refused', reader, events('call.recorded'), sendOn());
    expect(instant.refusal).toBe('the API key needs the scope webhooks');
    const polling = dealSignals('dealSignalsPollingTrigger', { feed: 'engagement/events' });
    const before = receiver.requests.length;
    const { id, refusal } = await n8n.publish('polling', reader, polling, sendOn());
    expect(refusal).toBeNull();
    await n8n.stop();
    const keys = Array.from({ length: 3 }, (_, n) => `polled ${n}`);
    await captureEvents(database.db, keys);
    // The trigger polls once when it starts, and then every minute at most.
    await n8n.start();
    await receiver.waitFor(before + keys.length, { timeoutMs: 120_000 });
    expect(sentOn().slice(before)).toMatchObject(keys.map(() => ({ type: 'trailer_view' })));
    expect(
      new Set(
        sentOn()
          .slice(before)
          .map((event) => event.id),
      ).size,
    ).toBe(keys.length);
    await n8n.unpublish(id);
  });
});
