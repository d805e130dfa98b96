import { deriveEventId } from '@deal-signals/outbox/event-id';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import {
  capture,
  captureEvents,
  captureWorkspace,
  CALL,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

const HOUR_MS = 3_600_000;
const token = sessionToken({ companyId: COMPANY });
const otherToken = sessionToken({ companyId: COMPANY + 1 });

let api: TestApi;
let key: string;
let endpointId: number;
/** The start of the test, by the clock of the workspace. */
let since: string;
let keys = 0;

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
  await addCompany(api.db, COMPANY + 1);
  key = await addKey(api.db, COMPANY);
});
beforeEach(async () => {
  await api.db.webhookEndpoint.updateMany({ data: { enabled: false } });
  const { at } = await api.db.feedClock.findUniqueOrThrow({ where: { companyId: COMPANY } });
  since = new Date(at.getTime() + 1).toISOString();
});
afterAll(() => api.close());

const newKeys = (count: number) => Array.from({ length: count }, () => `replayed ${(keys += 1)}`);
const replay = (body: object = {}, by = token, id = endpointId) =>
  api.post(`/webhooks/${id}/replay-missing`, by, { since, ...body });
const replayed = async (body: object = {}): Promise<object> => (await replay(body).expect(200)).body;
const ALL = { hasMore: false, nextSince: null };
const lastAudit = () => api.db.auditRecord.findFirstOrThrow({ orderBy: { id: 'desc' } });
/** Returns the pending deliveries of the endpoint in their order, with their payloads. */
const queued = () => api.db.$queryRaw<
  { type: string; requeued: boolean; ready: boolean; eventId: string; data: string }[]
>`
  SELECT e.type, d.requeued, d.ready, d.event_id AS "eventId", substr(e.body, strpos(e.body, ',"data":') + 8) AS data
  FROM pending_deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
  WHERE d.endpoint_id = ${endpointId} ORDER BY d.id`;
const feed = async (path: string) => (await api.get(`${path}?limit=500`, key).expect(200)).body.data;

describe('an endpoint that was disabled', () => {
  beforeEach(async () => {
    endpointId = await addEndpoint(api.db);
  });

  test('receives only what its filter matches, and a dry run returns the same number', async () => {
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: false }).expect(200);
    await captureEvents(api.db, newKeys(3));
    await capture(api.db, { record: 'room', id: ROOM, name: 'Globex', status: 'dormant' });
    const change = { enabled: true, filter: { status: 'dormant' } };
    await api.patch(`/webhooks/${endpointId}`, token, change).expect(200);
    expect(await replayed({ dryRun: true })).toEqual({ count: 1, ...ALL });
    expect(await replayed()).toEqual({ count: 1, ...ALL });
    expect(await queued()).toMatchObject([{ type: 'decision_room.updated' }]);
    await api.patch(`/webhooks/${endpointId}`, token, { filter: null }).expect(200);
    // The three events, and the call, which contains the status of its room.
    expect(await replayed()).toEqual({ count: 4, ...ALL });
  });

  test('receives each object once, as the feed returns it, after all new events', async () => {
    await api.db.webhookEndpoint.update({
      where: { companyId_id: { companyId: COMPANY, id: endpointId } },
      data: { enabled: false },
    });
    const [first = '', second = ''] = newKeys(2);
    await captureEvents(api.db, [first]);
    await capture(
      api.db,
      {
        record: 'view',
        key: first,
        distributionId: LINK,
        startedAt: '2026-09-01T12:00:00Z',
        endedAt: '2026-09-01T12:01:00Z',
      },
      { record: 'room', id: ROOM, name: 'Globex', status: 'won' },
      { record: 'callSummary', callId: CALL, summary: { headline: first } },
      {
        record: 'esign',
        id: 'c1',
        roomId: ROOM,
        vendor: 'v',
        envelopeId: 'e',
        status: 'sent',
        subject: first,
      },
    );
    await capture(api.db, { record: 'room', id: ROOM, name: 'Globex', status: 'lost' });
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: true }).expect(200);
    await captureEvents(api.db, [second]);

    expect(await replayed({ dryRun: true })).toEqual({ count: 5, ...ALL });
    expect(await queued()).toHaveLength(1);
    expect(await replayed()).toEqual({ count: 5, ...ALL });
    const [fresh, ...missed] = await queued();
    expect(fresh).toMatchObject({ type: 'engagement.recorded', requeued: false });
    expect(missed.every(({ requeued, ready }) => requeued && ready)).toBe(true);
    const [event, view, contract] = [
      (await feed('/engagement/events')).at(-2),
      (await feed('/engagement/views')).at(-1),
      (await feed('/esign-documents')).at(-1),
    ];
    expect(missed.map(({ type, data }) => [type, data])).toEqual([
      ['engagement.recorded', `${JSON.stringify(event)}}`],
      ['engagement.view.recorded', `${JSON.stringify(view)}}`],
      ['decision_room.esign.updated', `${JSON.stringify({ buyerSpaceId: ROOM, document: contract })}}`],
      ['call.summary.created', `${JSON.stringify((await feed('/calls')).at(-1))}}`],
      ['decision_room.updated', `${JSON.stringify((await feed('/decision-rooms')).at(-1))}}`],
    ]);
    expect(missed[0]?.eventId).toBe(
      deriveEventId(COMPANY, { type: 'engagement.recorded', objectId: event.id, position: BigInt(event.id) }),
    );
    expect(await lastAudit()).toMatchObject({
      userId: 7,
      action: 'deliveries.replayed',
      objectId: String(endpointId),
      details: { count: 5, since, until: null, eventTypes: null },
    });
    // They are found by the subjects of their events.
    const found = await feed(`/webhook-deliveries`).then((rows: any[]) =>
      rows.filter((row) => row.endpointId === endpointId),
    );
    const ofRoom = (
      await api
        .get(`/webhook-deliveries?limit=500&buyer_space_id=${ROOM}&endpoint_id=${endpointId}`, key)
        .expect(200)
    ).body.data;
    expect(found).toHaveLength(6);
    expect(ofRoom).toEqual(found);

    const { id } = await lastAudit();
    expect(await replayed()).toEqual({ count: 0, ...ALL });
    expect((await lastAudit()).id).toBe(id);
  });

  test('shares the event of another endpoint', async () => {
    const other = endpointId;
    const [once = ''] = newKeys(1);
    await captureEvents(api.db, [once]);
    endpointId = await addEndpoint(api.db);
    const events = await api.db.webhookEvent.count();
    const type = { eventTypes: ['engagement.recorded'] };
    expect(await replayed({ eventTypes: Array(4_000).fill('engagement.recorded') })).toEqual({
      count: 1,
      ...ALL,
    });
    expect((await lastAudit()).details).toMatchObject(type);
    expect(await api.db.webhookEvent.count()).toBe(events);
    const eventId = (await queued())[0]?.eventId;
    const ofEvent = (await api.get(`/webhook-deliveries?limit=500&event_id=${eventId}`, key).expect(200)).body
      .data;
    expect(ofEvent.map((row: { endpointId: number }) => row.endpointId)).toEqual([other, endpointId]);
    expect((await replay(type, token, other).expect(200)).body).toEqual({ count: 0, ...ALL });
  });

  test('receives what its subscription, the types and the times select', async () => {
    await captureEvents(api.db, newKeys(1));
    const { at } = await api.db.feedClock.findUniqueOrThrow({ where: { companyId: COMPANY } });
    const until = new Date(at.getTime() + 1);
    await api.db.$executeRaw`UPDATE feed_clocks SET at = at + interval '2 ms' WHERE company_id = ${COMPANY}`;
    await captureEvents(api.db, newKeys(2));
    endpointId = await addEndpoint(api.db, { events: ['engagement.recorded', 'call.summary.created'] });
    expect(await replayed({ dryRun: true })).toEqual({ count: 3, ...ALL });
    expect(await replayed({ eventTypes: ['call.summary.created'] })).toEqual({ count: 0, ...ALL });
    expect(await replayed({ eventTypes: ['decision_room.updated'] })).toEqual({ count: 0, ...ALL });
    expect(await replayed({ dryRun: true, nextSince: until.toISOString() })).toEqual({ count: 2, ...ALL });
    expect(await replayed({ until: until.toISOString() })).toEqual({ count: 1, ...ALL });
    expect(await replayed()).toEqual({ count: 2, ...ALL });
  });

  test('does not receive again what it received as an event of another type', async () => {
    await capture(api.db, { record: 'room', id: uuid(73), name: 'Initech' });
    expect(await queued()).toMatchObject([{ type: 'decision_room.created' }]);
    expect(await replayed()).toEqual({ count: 0, ...ALL });
  });

  test('receives only new objects if it subscribes to nothing else', async () => {
    endpointId = await addEndpoint(api.db, { events: ['decision_room.created', 'call.recorded'] });
    await api.db.webhookEndpoint.updateMany({ data: { enabled: false } });
    const now = new Date(Date.now() + 1_000).toISOString();
    const call = { record: 'call', kind: 'demo', ownerId: 7 } as const;
    await capture(
      api.db,
      { record: 'room', id: ROOM, name: 'Globex', slug: 'moved' },
      { record: 'room', id: uuid(71), name: 'Initech', createdAt: now },
      { ...call, id: CALL, occurredAt: '2026-09-01T12:00:00+02:00', title: 'moved' },
      { ...call, id: uuid(72), occurredAt: now },
    );
    await api.patch(`/webhooks/${endpointId}`, token, { enabled: true }).expect(200);
    expect(await replayed()).toEqual({ count: 2, ...ALL });
    expect((await queued()).map(({ type, data }) => [type, JSON.parse(data.slice(0, -1)).id])).toEqual([
      ['call.recorded', uuid(72)],
      ['decision_room.created', uuid(71)],
    ]);
  });

  test('receives them once it has been verified', async () => {
    await captureEvents(api.db, newKeys(1));
    endpointId = await addEndpoint(api.db, { awaitingVerification: true, events: ['engagement.recorded'] });
    expect(await replayed()).toEqual({ count: 1, ...ALL });
    expect(await queued()).toMatchObject([{ requeued: true, ready: false }]);
  });
});

test('one call queues 10,000, and the next one continues in the same millisecond', async () => {
  await captureEvents(api.db, newKeys(1));
  // Ten in each millisecond.
  await api.db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT company_id, id + n / 10 * 1000 + n % 10 + 1, source, key || ' ' || n, type, occurred_at, buyer_space_id,
      jsonb_set(object_text::jsonb, '{id}', to_jsonb((id + n / 10 * 1000 + n % 10 + 1)::text))::text
    FROM (SELECT * FROM engagement_events WHERE company_id = ${COMPANY} ORDER BY id DESC LIMIT 1) AS last,
      generate_series(0, 10049) AS n`;
  await api.db.$executeRaw`
    UPDATE feed_clocks SET at = at + interval '2 s' WHERE company_id = ${COMPANY}`;
  endpointId = await addEndpoint(api.db, { events: ['engagement.recorded'] });
  // Counting is fast enough to finish before the time limit.
  expect(await replayed({ dryRun: true })).toEqual({
    count: 10_000,
    hasMore: true,
    nextSince: expect.any(String),
  });
  let sum = 0;
  for (let nextSince = null, hasMore = true, calls = 0; hasMore && calls < 20; calls += 1) {
    const { body }: { body: any } = await replay(nextSince === null ? {} : { nextSince }).expect(200);
    expect(body.count).toBeLessThanOrEqual(10_000);
    expect(body.hasMore).toBe(body.nextSince !== null);
    ({ nextSince, hasMore } = body);
    sum += body.count;
  }
  expect(sum).toBe(10_051);
  const [rows] = await api.db.$queryRaw<object[]>`
    SELECT count(*)::int AS all, count(DISTINCT event_id)::int AS events FROM pending_deliveries
    WHERE endpoint_id = ${endpointId}`;
  expect(rows).toEqual({ all: 10_051, events: 10_051 });
}, 120_000);

test('concurrent calls queue each event once', async () => {
  await captureEvents(api.db, newKeys(1_200));
  endpointId = await addEndpoint(api.db, { events: ['engagement.recorded'] });
  const counts = await Promise.all([1, 2, 3].map(async () => (await replay().expect(200)).body.count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_200);
  expect(new Set((await queued()).map(({ eventId }) => eventId)).size).toBe(1_200);
});

test('a page of large objects is a separate batch, and the rest follows', async () => {
  const text = 'x'.repeat(15_000);
  await capture(
    api.db,
    ...newKeys(300).map((name) => ({
      record: 'event' as const,
      key: name,
      type: 'comment',
      occurredAt: '2026-09-01T12:00:00Z',
      distributionId: LINK,
      metadata: { text },
    })),
  );
  endpointId = await addEndpoint(api.db, { events: ['engagement.recorded'] });
  const before = await api.db.auditRecord.count();
  expect(await replayed()).toEqual({ count: 300, ...ALL });
  expect(await api.db.auditRecord.count()).toBe(before + 2);
});

test('an endpoint that is unknown, foreign, disabled or removed', async () => {
  await captureEvents(api.db, newKeys(1));
  endpointId = await addEndpoint(api.db);
  expect((await replay({}, otherToken).expect(404)).body.code).toBe('NOT_FOUND');
  expect((await replay({}, token, endpointId + 1_000).expect(404)).body.code).toBe('NOT_FOUND');
  await api.patch(`/webhooks/${endpointId}`, token, { enabled: false }).expect(200);
  for (const dryRun of [true, false]) {
    expect((await replay({ dryRun }).expect(409)).body).toMatchObject({
      code: 'INVALID_STATE',
      error: expect.stringContaining('enable it'),
    });
  }
  await api.delete(`/webhooks/${endpointId}`, token).expect(204);
  expect((await replay().expect(409)).body.code).toBe('INVALID_STATE');
  expect(await queued()).toEqual([]);
});

test('rejects a start time before the oldest kept deliveries', async () => {
  endpointId = await addEndpoint(api.db);
  const days = (count: number) => new Date(Date.now() - count * 24 * HOUR_MS).toISOString();
  const { body } = await replay({ since: days(90.1) }).expect(400);
  expect(body).toEqual({
    error: expect.stringMatching(
      /^since: must be at or after 2\d{3}-.*Z, because deliveries are kept for 90 days$/,
    ),
    code: 'INVALID_REQUEST',
    field: 'since',
  });
  await replay({ since: days(89.9), dryRun: true }).expect(200);
});

test.each<[string, object, string]>([
  ['no time', { since: undefined }, 'since'],
  ['no date', { since: 'yesterday' }, 'since'],
  ['null', { until: null }, 'until'],
  ['a test event', { eventTypes: ['integration.ping'] }, 'eventTypes.0'],
  ['no types', { eventTypes: [] }, 'eventTypes'],
  ['a position that is not a time', { nextSince: 'x' }, 'nextSince'],
  ['a word', { dryRun: 'yes' }, 'dryRun'],
])('rejects %s and queues nothing', async (_name, body, field) => {
  await captureEvents(api.db, newKeys(1));
  endpointId = await addEndpoint(api.db);
  const response = await replay(body).expect(400);
  expect(response.body).toEqual({
    error: expect.stringMatching(`^${field}: must `),
    code: 'INVALID_REQUEST',
    field,
  });
  expect(await queued()).toEqual([]);
});
