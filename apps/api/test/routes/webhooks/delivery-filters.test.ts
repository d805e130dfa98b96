import { createHash } from 'node:crypto';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { addDelivery, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import {
  CALL,
  capture,
  captureEvents,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { announceDisabling } from '@deal-signals/deliveries/endpoints/announce-disabling';
import { resendBatch } from '@deal-signals/deliveries/admin-actions/resend';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import type { WebhookDelivery } from '@deal-signals/serializers/webhooks/delivery';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

const OTHER_ROOM = uuid(11);
const OTHER_CALL = uuid(12);
const ERASED_ROOM = uuid(13);
const UNKNOWN = uuid(99);
const BOB = 'Bob@Globex.example';
const SUMMARY = { schema: 'demo', headline: 'Wants it' };

let api: TestApi;
let key: string;
let endpoints: number[];
/** The last delivery before the tests add others. */
let last: bigint;

/** Returns the subject for a text. */
function hashOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Captures all causes of events, in a workspace whose objects have the same ids as those of the others. */
async function captureStory(companyId: number): Promise<void> {
  const at = '2026-09-01T12:00:00Z';
  await capture(api.db, { record: 'company', id: companyId, name: 'Acme' });

  const ours = (...records: ShortRecord[]) =>
    capture(api.db, ...records.map((record) => ({ companyId, ...record })));
  await ours({ record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' });
  for (const _endpoint of [1, 2]) await addEndpoint(api.db, { companyId });
  await ours(
    { record: 'room', id: ROOM, name: 'Globex' },
    { record: 'room', id: OTHER_ROOM, name: 'Initech' },
  );
  const call = { record: 'call', kind: 'demo', occurredAt: at, ownerId: 7 } as const;
  await ours({ ...call, id: CALL, roomId: ROOM, durationSeconds: 600 }, { ...call, id: OTHER_CALL });
  await ours({ record: 'callSummary', callId: CALL, summary: SUMMARY });
  await ours(
    {
      record: 'distribution',
      id: LINK,
      roomId: ROOM,
      callId: CALL,
      recipientName: 'Bob',
      recipientEmail: BOB,
    },
    { record: 'document', id: DOCUMENT, roomId: ROOM, title: 'Pricing', category: 'pricing' },
  );
  const moments = { startedAt: at, endedAt: at };
  await ours(
    { record: 'event', key: 'e1', type: 'trailer_view', occurredAt: at, distributionId: LINK },
    { record: 'view', key: 'v1', distributionId: LINK, ...moments, segments: [[0, 60]] },
    { record: 'view', key: 'v2', distributionId: LINK, ...moments, docId: DOCUMENT, seconds: 9 },
    { record: 'message', key: 'm1', roomId: OTHER_ROOM, side: 'prospect', sentAt: at },
  );
  await ours({ record: 'room', id: OTHER_ROOM, status: 'won' });
  await ours({ record: 'esign', id: 'x', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' });
  await ours({ record: 'room', id: ERASED_ROOM, name: 'Hooli' });
  await ours({ record: 'erasePerson', email: 'gavin@hooli.example' });
  await finishErasures(api.db);
  await ours({ record: 'eraseRoom', roomId: ERASED_ROOM });
  await finishErasures(api.db);
  const [first] = await api.db.webhookEndpoint.findMany({ where: { companyId }, orderBy: { id: 'asc' } });
  const disabling = { reason: 'gone', disabledReason: '410', consecutiveFailures: 1 } as const;
  await inFeedTransaction(api.db, companyId, (feed) => announceDisabling(feed, first!.id, disabling));
  await addDelivery(api.db, first!.id, { companyId, eventType: 'integration.ping', createdAt: new Date() });
}

beforeAll(async () => {
  api = await openTestApi();
  for (const companyId of [1, 2]) await captureStory(companyId);
  key = await addKey(api.db, 1);
  const own = await api.db.webhookEndpoint.findMany({ where: { companyId: 1 }, orderBy: { id: 'asc' } });
  endpoints = own.map(({ id }) => id);
  last = (await api.db.delivery.aggregate({ _max: { id: true } }))._max.id!;
});
afterAll(() => api.close());

async function deliveriesOf(companyId: number) {
  const where = { companyId, id: { lte: last } };
  const rows = await api.db.delivery.findMany({ where, orderBy: { id: 'asc' } });
  const events = await api.db.webhookEvent.findMany({ where: { companyId } });
  const byId = new Map(events.map((event) => [event.id, event]));
  return rows.map((row) => ({ ...row, event: byId.get(row.eventId)! }));
}

/** Returns the subjects of each delivery of a workspace. */
const subjectsOf = (companyId: number) => api.db.$queryRaw<
  { deliveryId: bigint; kind: string; subject: string }[]
>`
  SELECT id AS "deliveryId", s.kind::text, s.subject::text FROM webhook_delivery_subjects s
  CROSS JOIN LATERAL generate_series(s.first_delivery_id, s.first_delivery_id + s.deliveries - 1) AS id
  WHERE s.company_id = ${companyId} ORDER BY id, s.kind`;

async function list(query: Record<string, string> = {}): Promise<WebhookDelivery[]> {
  const { body } = await api
    .get(`/webhook-deliveries?${new URLSearchParams(query).toString()}`, key)
    .expect(200);
  return body.data;
}
const idsOf = (rows: { id: string | bigint }[]) => rows.map(({ id }) => String(id));

test('each event is stored with its subjects, for each of its deliveries, and the list contains them', async () => {
  const expected = [
    ['decision_room.created', ROOM, null, null],
    ['decision_room.created', OTHER_ROOM, null, null],
    ['call.recorded', ROOM, CALL, null],
    ['call.recorded', null, OTHER_CALL, null],
    ['call.summary.created', ROOM, CALL, null],
    ['engagement.recorded', ROOM, CALL, `email:${BOB.toLowerCase()}`],
    ['engagement.view.recorded', ROOM, CALL, `email:${BOB.toLowerCase()}`],
    ['engagement.view.recorded', ROOM, null, `email:${BOB.toLowerCase()}`],
    ['engagement.recorded', OTHER_ROOM, null, null],
    ['decision_room.updated', OTHER_ROOM, null, null],
    ['decision_room.esign.updated', ROOM, null, null],
    ['decision_room.created', ERASED_ROOM, null, null],
    ['person.erased', null, null, null],
    ['room.erased', ERASED_ROOM, null, null],
    ['webhook.endpoint.disabled', null, null, null],
  ] as const;
  const twice = expected.flatMap((about) => [about, about]);
  const stored = await deliveriesOf(1);
  const about = stored.map(({ event }) => [event.type, event.buyerSpaceId, event.callId, event.identity]);
  expect(about).toEqual([...twice, ['integration.ping', null, null, null]]);
  expect(new Set(about.map(([type]) => type))).toEqual(new Set(EVENT_TYPES));
  for (const [companyId, log] of [
    [1, stored],
    [2, await deliveriesOf(2)],
  ] as const) {
    const rows = await subjectsOf(companyId);
    const wanted = log.flatMap(({ id, event }) =>
      [
        { kind: 'event', subject: event.id, deliveryId: id },
        { kind: 'type', subject: hashOf(event.type), deliveryId: id },
        { kind: 'room', subject: event.buyerSpaceId, deliveryId: id },
        { kind: 'call', subject: event.callId, deliveryId: id },
        { kind: 'person', subject: event.identity && hashOf('email:bob@globex.example'), deliveryId: id },
      ].filter(({ subject }) => subject !== null),
    );
    expect(rows).toEqual(wanted);
  }
  expect(
    (await list()).map(({ eventType, buyerSpaceId, callId }) => [eventType, buyerSpaceId, callId]),
  ).toEqual(stored.map(({ event }) => [event.type, event.buyerSpaceId, event.callId]));
});

describe('filters', () => {
  /** Every filter, with an independent condition for the rows of the database. */
  type Row = Awaited<ReturnType<typeof deliveriesOf>>[number];
  const filters = async (): Promise<[string, string, (row: Row) => boolean][]> => {
    const rows = await deliveriesOf(1);
    const middle = rows[10]!.createdAt;
    const after = new Date(middle.getTime() + 1);
    return [
      ['buyer_space_id', ROOM, ({ event }) => event.buyerSpaceId === ROOM],
      ['buyer_space_id', OTHER_ROOM, ({ event }) => event.buyerSpaceId === OTHER_ROOM],
      ['buyer_space_id', UNKNOWN, () => false],
      ['call_id', CALL, ({ event }) => event.callId === CALL],
      ['call_id', OTHER_CALL, ({ event }) => event.callId === OTHER_CALL],
      ['person', BOB.toUpperCase(), ({ event }) => event.identity === `email:${BOB.toLowerCase()}`],
      ['person', 'eve@globex.example', () => false],
      ['event_type', 'engagement.view.recorded', ({ eventType }) => eventType === 'engagement.view.recorded'],
      ['event_id', rows[3]!.eventId, ({ eventId }) => eventId === rows[3]!.eventId],
      ['endpoint_id', String(endpoints[1]), ({ endpointId }) => endpointId === endpoints[1]],
      ['status', 'pending', ({ status }) => status === 'pending'],
      ['status', 'dead', () => false],
      ['since', middle.toISOString(), ({ createdAt }) => createdAt >= middle],
      ['since', after.toISOString(), ({ createdAt }) => createdAt >= after],
      ['since', '2000-01-01', () => true],
      ['since', '9999-12-31', () => false],
      ['until', middle.toISOString(), ({ createdAt }) => createdAt < middle],
      ['until', after.toISOString(), ({ createdAt }) => createdAt < after],
      ['until', '9999-12-31', () => true],
    ];
  };

  test('alone, in pairs and all together return the matching deliveries of the workspace in both orders', async () => {
    const all = await filters();
    const rows = await deliveriesOf(1);
    const tried = all.flatMap((first, n) => [[first], ...all.slice(n + 1).map((second) => [first, second])]);
    const room = all.filter(([, value]) =>
      [ROOM, CALL, BOB.toUpperCase(), String(endpoints[1])].includes(value),
    );
    const counts = new Set<number>();
    for (const [n, chosen] of [...tried, room, room].entries()) {
      const isNewestFirst = n % 2 === 0;
      const query: Record<string, string> = Object.fromEntries(chosen.map(([name, value]) => [name, value]));
      if (Object.keys(query).length < chosen.length) continue;
      if (isNewestFirst) query['order'] = 'desc';
      const matching = idsOf(rows.filter((row) => chosen.every(([, , matches]) => matches(row))));
      const ids = isNewestFirst ? matching.toReversed() : matching;
      counts.add(ids.length);
      expect([query, idsOf(await list(query))]).toEqual([query, ids]);
    }
    expect(counts.size).toBeGreaterThan(8);
  });

  test('fill a page with deliveries of the workspace, although others have the same rooms and people', async () => {
    const rows = await deliveriesOf(1);
    for (const [name, value, matches] of await filters()) {
      const newest = idsOf(rows.filter((row) => matches(row)).toReversed()).slice(0, 2);
      const query = { [name]: value, order: 'desc', limit: '2' };
      expect([query, idsOf(await list(query))]).toEqual([query, newest]);
    }
  });

  test('of the list of an endpoint are the same', async () => {
    const rows = await deliveriesOf(1);
    for (const [name, value, matches] of await filters()) {
      if (name === 'endpoint_id') continue;
      const query = new URLSearchParams({ [name]: value, order: 'desc' }).toString();
      const { body } = await api
        .get(`/webhooks/${endpoints[0]}/deliveries?${query}`, sessionToken())
        .expect(200);
      const expected = rows.filter((row) => row.endpointId === endpoints[0] && matches(row)).toReversed();
      expect([query, idsOf(body.data)]).toEqual([query, idsOf(expected)]);
    }
  });

  test('by time include or exclude all deliveries with the same time', async () => {
    const rows = await deliveriesOf(1);
    const moments = [...new Set(rows.map(({ createdAt }) => createdAt.toISOString()))];
    expect(moments.length).toBeLessThan(rows.length / 2);
    for (const since of moments) {
      const [from, before] = [await list({ since }), await list({ until: since })];
      expect(from[0]?.createdAt).toBe(since);
      expect(idsOf([...before, ...from])).toEqual(idsOf(rows));
    }
  });

  test('by time find nothing in a workspace without deliveries, despite its neighbours in the index', async () => {
    for (const companyId of [53, 51, 52])
      await capture(api.db, { record: 'company', id: companyId, name: 'x' });
    for (const companyId of [53, 51]) {
      const endpointId = await addEndpoint(api.db, { companyId });
      await addDelivery(api.db, endpointId, {
        companyId,
        eventType: 'integration.ping',
        createdAt: new Date(),
      });
    }
    const empty = await addKey(api.db, 52);
    for (const filter of ['since=2020-01-01', 'since=2100-01-01', 'until=2020-01-01', 'until=2100-01-01']) {
      const { body } = await api.get(`/webhook-deliveries?${filter}&order=desc`, empty).expect(200);
      expect([filter, body.data]).toEqual([filter, []]);
    }
  });

  test.each([
    'buyer_space_id=1',
    'call_id=x',
    'person=',
    'person=%00',
    'since=yesterday',
    'until=x',
    'order=down',
  ])('reject %s, and the error names the parameter', async (query) => {
    const { status, body } = await api.get(`/webhook-deliveries?${query}`, key);
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.error).toContain(query.split('=')[0]);
  });
});

describe('one delivery of the workspace', () => {
  test('equals the one of the endpoint, for keys and in the console', async () => {
    for (const row of [(await deliveriesOf(1))[0]!, (await deliveriesOf(1)).at(-1)!]) {
      const path = `/webhooks/${row.endpointId}/deliveries/${row.id}`;
      const { body } = await api.get(path, sessionToken()).expect(200);
      expect(JSON.stringify(body.data.payload)).toBe(row.event.body);
      expect((await api.get(`/webhook-deliveries/${row.id}`, key).expect(200)).body).toEqual(body);
      const inConsole = await api
        .get(`/console/api/webhook-deliveries/${row.id}`, sessionToken())
        .expect(200);
      expect(inConsole.body).toEqual(body);
    }
  });

  test('is not found under a foreign, unknown or malformed id, with the same response', async () => {
    const foreign = (await deliveriesOf(2))[0]!.id;
    const bodies = new Set<string>();
    for (const id of [foreign, '1', '0', '01', 'x', '9'.repeat(18), '9'.repeat(19), '%00', UNKNOWN]) {
      const responses = [
        await api.get(`/webhook-deliveries/${id}`, key).expect(404),
        await api.get(`/console/api/webhook-deliveries/${id}`, sessionToken()).expect(404),
      ];
      for (const { text } of responses) bodies.add(text);
    }
    expect(bodies.size).toBe(1);
  });

  test('needs the scope of the object in its payload', async () => {
    const onlyLog = await addKey(api.db, 1, { scopes: ['read:deliveries'] });
    const withRooms = await addKey(api.db, 1, { scopes: ['read:deliveries', 'read:rooms'] });
    const seen: [string, number, number][] = [];
    for (const { id, eventType, endpointId } of await deliveriesOf(1)) {
      if (endpointId !== endpoints[0]) continue;
      const [few, more] = [
        await api.get(`/webhook-deliveries/${id}`, onlyLog),
        await api.get(`/webhook-deliveries/${id}`, withRooms),
      ];
      if (few.status === 403) expect(few.body.code).toBe('PERMISSION_DENIED');
      seen.push([eventType, few.status, more.status]);
    }
    expect(Object.fromEntries(seen.map(([type, ...statuses]) => [type, statuses]))).toEqual({
      'engagement.recorded': [403, 403],
      'call.summary.created': [403, 403],
      'decision_room.updated': [403, 200],
      'decision_room.esign.updated': [403, 200],
      'decision_room.created': [403, 200],
      'call.recorded': [403, 403],
      'engagement.view.recorded': [403, 403],
      'person.erased': [403, 200],
      'room.erased': [200, 200],
      'webhook.endpoint.disabled': [200, 200],
      'integration.ping': [200, 200],
    });
  });
});

test.each([
  ['person', 'ada@example.com', 'read:engagement'],
  ['buyer_space_id', UNKNOWN, 'read:rooms'],
  ['call_id', UNKNOWN, 'read:calls'],
])('the filter %s needs the scope that its objects need', async (name, value, scope) => {
  const path = `/webhook-deliveries?${name}=${value}`;
  const onlyLog = await addKey(api.db, 1, { scopes: ['read:deliveries'] });
  const others = ['read:engagement', 'read:rooms', 'read:calls'].filter((other) => other !== scope);
  const withOthers = await addKey(api.db, 1, { scopes: ['read:deliveries', ...others] });
  const withScope = await addKey(api.db, 1, { scopes: ['read:deliveries', scope] });
  for (const denied of [onlyLog, withOthers]) {
    const { body } = await api.get(path, denied).expect(403);
    expect(body).toEqual({ code: 'PERMISSION_DENIED', error: `the API key needs the scope ${scope}` });
  }
  await api.get(path, withScope).expect(200);
  await api.get(path, key).expect(200);
  await api.get(`/console/api${path}`, sessionToken()).expect(200);
  await api.get('/webhook-deliveries', onlyLog).expect(200);
});

describe('cursors', () => {
  test('continue in both orders while deliveries are added, without duplicates or gaps', async () => {
    const before = idsOf(await list({ limit: '500' }));
    for (const [order, expected] of [
      ['desc', before.toReversed()],
      ['asc', null],
    ] as const) {
      const seen: string[] = [];
      let [cursor, hasMore, n] = ['', true, 0];
      while (hasMore) {
        const query = new URLSearchParams({ order, limit: '5', ...(cursor !== '' && { cursor }) });
        const { body } = await api.get(`/webhook-deliveries?${query.toString()}`, key).expect(200);
        seen.push(...idsOf(body.data));
        ({ nextCursor: cursor, hasMore } = body);
        if (n < 3) await captureEvents(api.db, [`${order} ${n}`]);
        n += 1;
      }
      expect(n).toBeGreaterThan(3);
      expect(seen).toEqual(expected ?? idsOf(await list({ limit: '500' })));
    }
  });

  test('a reader of the newest first can continue in ascending order with the id of the newest delivery', async () => {
    const [newest] = await list({ order: 'desc', limit: '1' });
    await captureEvents(api.db, ['later']);
    const added = await list({ cursor: newest!.id });
    expect(added).toHaveLength(2);
    expect(idsOf(await list({ order: 'desc', limit: '2' }))).toEqual(idsOf(added).toReversed());
  });

  test('of one order are rejected in the other', async () => {
    for (const path of ['/webhook-deliveries', `/webhooks/${endpoints[0]}/deliveries`]) {
      const token = path.includes('webhooks') ? sessionToken() : key;
      const cursorOf = async (order: string, query = ''): Promise<string> =>
        (await api.get(`${path}?order=${order}&limit=1${query}`, token).expect(200)).body.nextCursor;
      const cursors = { asc: await cursorOf('asc'), desc: await cursorOf('desc') };
      for (const [order, cursor] of Object.entries(cursors)) {
        await api.get(`${path}?order=${order}&cursor=${cursor}`, token).expect(200);
        const other = order === 'asc' ? 'desc' : 'asc';
        const { body } = await api.get(`${path}?order=${other}&cursor=${cursor}`, token).expect(400);
        expect(body.code).toBe('INVALID_CURSOR');
      }
      for (const cursor of [
        'before-',
        'before-x',
        'before-1234567890123456789',
        'before--1',
        ' before-1',
        '-1',
      ]) {
        const query = new URLSearchParams({ order: 'desc', cursor }).toString();
        expect((await api.get(`${path}?${query}`, token).expect(400)).body.code).toBe('INVALID_CURSOR');
      }
      // A page without records returns the cursor that it was read with; the cursor of an empty first page is also valid.
      const empty = await cursorOf('desc', '&status=dead');
      expect(await cursorOf('desc', `&status=dead&cursor=${empty}`)).toBe(empty);
      expect(await cursorOf('desc', `&cursor=${empty}`)).toBe(cursors.desc);
    }
  });
});

test('a resent delivery has the same subjects, alone or with many', async () => {
  const about = async (id: bigint) =>
    (await subjectsOf(1))
      .filter(({ deliveryId }) => deliveryId === id)
      .map(({ kind, subject }) => ({ kind, subject }));
  const rows = await deliveriesOf(1);
  const viewed = rows.find(({ eventType }) => eventType === 'engagement.view.recorded')!;
  const path = `/webhooks/${viewed.endpointId}/deliveries/${viewed.id}`;
  const { body } = await api.post(`${path}/resend`, sessionToken()).expect(201);
  expect(body.data).toMatchObject({ buyerSpaceId: ROOM, callId: CALL });
  expect(await about(BigInt(body.data.id))).toEqual(await about(viewed.id));
  expect(await about(viewed.id)).toHaveLength(5);

  await api.db.$executeRaw`
    WITH ended AS (DELETE FROM pending_deliveries RETURNING *)
    INSERT INTO webhook_deliveries
      (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at)
    SELECT company_id, id, endpoint_id, event_id, event_type, 'delivered', 1, created_at, now() FROM ended`;
  const { id: newest } = (await list({ order: 'desc', limit: '1' }))[0]!;
  const everything = { since: null, until: null, eventTypes: null, cursor: 0n };
  await inFeedTransaction(api.db, 1, (feed) => resendBatch(feed, endpoints[0]!, everything));
  const resent = await list({ cursor: newest, limit: '500' });
  expect(resent.length).toBeGreaterThan(10);
  for (const { id, eventId } of resent) {
    const original = await api.db.delivery.findFirstOrThrow({
      where: { companyId: 1, eventId, endpointId: endpoints[0]! },
      orderBy: { id: 'asc' },
    });
    expect([id, await about(BigInt(id))]).toEqual([id, await about(original.id)]);
  }
});

test('pages of each filter continue inside an event, across removed deliveries, in both orders', async () => {
  const { eventId } = (await deliveriesOf(1)).find(
    ({ eventType }) => eventType === 'engagement.view.recorded',
  )!;
  for (const place of [1, 2]) await addEndpoint(api.db, { url: `https://127.0.0.1:1/${place}` });
  await captureEvents(api.db, ['to four endpoints', 'to four endpoints, too']);
  const { id } = (await list({ order: 'desc', limit: '1' }))[0]!;
  const removed = [BigInt(id) - 6n, BigInt(id)];
  const where = { companyId: 1, id: { in: removed } };
  expect(await api.db.pendingDelivery.deleteMany({ where })).toEqual({ count: 2 });
  const filters: Record<string, string>[] = [
    {},
    { endpoint_id: String(endpoints[0]) },
    { event_type: 'engagement.recorded' },
    { event_id: eventId },
    { buyer_space_id: ROOM },
    { call_id: CALL },
    { person: BOB },
    { event_type: 'engagement.recorded', endpoint_id: String(endpoints[1]) },
  ];
  for (const filter of filters) {
    const all = idsOf(await list({ ...filter, limit: '500' }));
    expect(all.length).toBeGreaterThan(1);
    for (const order of ['asc', 'desc']) {
      for (const limit of ['2', '3']) {
        const seen: string[] = [];
        let [cursor, hasMore] = ['', true];
        while (hasMore) {
          const query = new URLSearchParams({ ...filter, order, limit, ...(cursor !== '' && { cursor }) });
          const { body } = await api.get(`/webhook-deliveries?${query.toString()}`, key).expect(200);
          expect(body.data).not.toEqual([]);
          seen.push(...idsOf(body.data));
          ({ nextCursor: cursor, hasMore } = body);
        }
        const expected = order === 'asc' ? all : all.toReversed();
        expect([filter, order, limit, seen]).toEqual([filter, order, limit, expected]);
      }
    }
  }
});
