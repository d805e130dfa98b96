import { randomUUID } from 'node:crypto';
import { captureBatch } from '@deal-signals/capture/transaction/capture-batch';
import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import { beginAttempt } from '@deal-signals/deliveries/attempts/begin-attempt';
import { recordOutcome } from '@deal-signals/deliveries/attempts/record-outcomes';
import { claimReady } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { FIRST_ENDPOINT, reconcileEndpoints } from '@deal-signals/deliveries/endpoints/reconcile';
import type { Why, WhyEndpoint, WhyVerdict } from '@deal-signals/serializers/console/why/schema';
import { TRACED_TYPES } from '@deal-signals/serializers/console/why/occasions';
import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { requireVerification } from '@deal-signals/deliveries/endpoints/change-state';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { NEIGHBOUR_ID, NEIGHBOUR_INTEGER, plantNeighbour } from '@deal-signals/test-kit/worlds/neighbour';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

// Rows are created by the same code as in production: capture, the functions of the worker, and the management routes.

const LEASE_MS = 3_600_000;
const RULES = { retryScheduleMs: [60_000], maxAttempts: 3, disableAfter: 2, disableMinOutageMs: 0 };
const NEIGHBOUR = 900;

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  await plantNeighbour(api.db, NEIGHBOUR);
});
afterAll(() => api.close());

/** Creates a workspace for a test, with a room, a call in it and a share link to the call. */
async function newWorld() {
  const companyId = (newWorld.last += 1);
  const [roomId, callId, linkId] = [randomUUID(), randomUUID(), randomUUID()];
  const token = sessionToken({ companyId });
  const now = () => new Date().toISOString();
  const parsed = (records: ShortRecord[]) =>
    records.map((record) => captureRecord.parse({ companyId, ...record }));
  const capture = (records: ShortRecord[]) => captureRecords(api.db, parsed(records));
  const switchApi = (apiEnabled: boolean) =>
    capture([{ record: 'company', id: companyId, name: 'Acme', apiEnabled }]);
  const addWebhook = async (events = ['*'], filter: object | null = null): Promise<number> => {
    const url = 'https://127.0.0.1:44300/';
    const { body } = await api.post('/webhooks', token, { url, events, filter }).expect(201);
    return body.data.id;
  };
  const visits = (count: number): ShortRecord[] =>
    Array.from({ length: count }, () => ({
      record: 'event',
      key: randomUUID(),
      type: 'room_visit',
      occurredAt: now(),
      distributionId: linkId,
    }));
  const visit = (count = 1) => capture(visits(count));
  const importVisit = () =>
    captureBatch(
      api.db,
      companyId,
      parsed(visits(1)).map((record, index) => ({ line: index + 1, record })),
      { noWebhooks: true },
    );
  /** Attempts every due delivery. An endpoint responds with the status given for it, or its deliveries stay claimed. */
  const attempt = async (statuses: Record<number, number>) => {
    await markDue(api.db);
    const { claims } = await claimReady(api.db, {
      batch: 50,
      endpointLimit: 50,
      workspaceLimit: 50,
      leaseMs: LEASE_MS,
    });
    for (const claim of claims) {
      const beginning = await beginAttempt(api.db, claim, { leaseMs: LEASE_MS, leaseNeededMs: 0 });
      if (beginning.kind !== 'begun') continue;
      const status = statuses[beginning.attempt.endpointId];
      if (status === undefined) continue;
      const result = { kind: 'responded', status, excerpt: '', durationMs: 1 } as const;
      await recordOutcome(api.db, RULES, beginning.attempt, result);
    }
  };
  const reconcile = () =>
    reconcileEndpoints(api.db, FIRST_ENDPOINT, (error) => {
      throw error;
    });
  const why = async (query: string): Promise<Why> => {
    const { body } = await api.get(`/console/api/why?${query}`, token).expect(200);
    return body.data;
  };
  const whyRoom = (more = '') => why(`buyer_space_id=${roomId}${more}`);
  await capture([
    { record: 'company', id: companyId, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', id: roomId, name: 'Globex', createdAt: '2026-01-01' },
    { record: 'call', id: callId, kind: 'demo', occurredAt: '2026-01-01', ownerId: 7, title: 'Demo', roomId },
    {
      record: 'distribution',
      id: linkId,
      roomId,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId,
    },
  ]);
  return {
    companyId,
    roomId,
    callId,
    token,
    now,
    capture,
    switchApi,
    addWebhook,
    visit,
    importVisit,
    attempt,
    reconcile,
    why,
    whyRoom,
  };
}
newWorld.last = 100;

/** Returns the verdicts on an endpoint. */
function verdictsOn({ endpoints }: Why, id: number): WhyVerdict[] {
  return entryOf(endpoints, id).verdicts;
}
function entryOf(endpoints: WhyEndpoint[], id: number): WhyEndpoint {
  return endpoints.find(({ endpoint }) => endpoint.id === id)!;
}
const BY_ADMIN = { disabledBy: 'admin', user: { id: 7, name: 'Ann' } };

const TYPE = 'engagement.recorded';

describe('deliveries', () => {
  test('have verdicts by status: delivered, waiting, in progress, dead', async () => {
    const world = await newWorld();
    const [good, bad, slow, gone] = [
      await world.addWebhook([TYPE]),
      await world.addWebhook([TYPE]),
      await world.addWebhook([TYPE]),
      await world.addWebhook([TYPE]),
    ];
    await world.visit();
    await world.attempt({ [good]: 200, [bad]: 500, [gone]: 410 });
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(answer).toMatchObject({
      object: { kind: 'room', id: world.roomId, title: 'Globex', roomId: world.roomId },
      code: null,
      lookedBackTo: null,
      happened: [
        {
          eventType: TYPE,
          count: 1,
          written: 1,
          isCountExact: true,
          isCertain: true,
          firstAt: expect.any(String),
          lastAt: expect.any(String),
          sources: ['webhook_events'],
        },
      ],
    });
    const rows = await api.db.delivery.findMany({ where: { companyId: world.companyId } });
    const of = (id: number) => rows.find(({ endpointId }) => endpointId === id)!;
    const one = {
      count: 1,
      isCountExact: true,
      isCertain: true,
      eventTypes: [TYPE],
      since: of(good).createdAt.toISOString(),
      maxAttempts: 8,
      maxPerMinute: null,
      disabledBy: null,
      user: null,
      timeIs: null,
    };
    expect(verdictsOn(answer, good)).toEqual([
      {
        ...one,
        code: 'delivered',
        at: of(good).deliveredAt!.toISOString(),
        until: null,
        attempts: 1,
        statusCode: 200,
        error: null,
        deliveryId: String(of(good).id),
      },
    ]);
    expect(verdictsOn(answer, bad)).toEqual([
      {
        ...one,
        code: 'waiting',
        at: of(bad).createdAt.toISOString(),
        until: of(bad).nextAttemptAt!.toISOString(),
        attempts: 1,
        statusCode: 500,
        error: 'receiver responded with 500',
        deliveryId: String(of(bad).id),
      },
    ]);
    expect(verdictsOn(answer, slow)).toMatchObject([{ code: 'in_progress', attempts: 0, error: null }]);
    expect(verdictsOn(answer, gone)).toMatchObject([{ code: 'dead', attempts: 1, statusCode: 410 }]);
    expect(entryOf(answer.endpoints, bad).deliveries).toMatchObject([
      { id: String(of(bad).id), endpointId: bad, status: 'pending' },
    ]);

    await api.patch(`/webhooks/${gone}`, world.token, { enabled: true }).expect(200);
    await api.post(`/webhooks/${gone}/dismiss-dead`, world.token).expect(200);
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), gone)).toMatchObject([
      { code: 'dismissed', count: 1 },
    ]);
  });
});

test('a delivery that has failed explains waiting ones, and its endpoint comes before one with first attempts only', async () => {
  const world = await newWorld();
  const [fresh, failing] = [await world.addWebhook([TYPE]), await world.addWebhook([TYPE])];
  await world.visit();
  await world.attempt({ [fresh]: 200, [failing]: 500 });
  await world.visit();
  const { endpoints } = await world.whyRoom(`&event_type=${TYPE}`);
  expect(endpoints.map(({ endpoint }) => endpoint.id)).toEqual([failing, fresh]);
  const [failed] = await api.db.delivery.findMany({
    where: { companyId: world.companyId, endpointId: failing, attempts: 1 },
  });
  expect(entryOf(endpoints, failing).verdicts).toMatchObject([
    {
      code: 'waiting',
      count: 2,
      attempts: 1,
      statusCode: 500,
      deliveryId: String(failed!.id),
      until: failed!.nextAttemptAt!.toISOString(),
    },
  ]);
});

describe('deliveries that wait for their endpoint', () => {
  test('report since when an admin has disabled it, and who did', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE]);
    await world.visit(2);
    await api.patch(`/webhooks/${id}`, world.token, { enabled: false }).expect(200);
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(verdictsOn(answer, id)).toMatchObject([
      { ...BY_ADMIN, code: 'parked_disabled', count: 2, attempts: 0, since: expect.any(String), until: null },
    ]);
    const { changes } = entryOf(answer.endpoints, id);
    expect(changes).toMatchObject([
      { action: 'webhook.updated', user: BY_ADMIN.user, details: { enabled: false } },
      { action: 'webhook.created', user: BY_ADMIN.user },
    ]);
    expect(verdictsOn(answer, id)[0]!.since).toBe(changes[0]!.at);
    await api.patch(`/webhooks/${id}`, world.token, { enabled: true }).expect(200);
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id)).toMatchObject([{ code: 'waiting' }]);
  });

  test('report that the endpoint awaits verification', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE]);
    await world.visit();
    await api.db.transaction((tx) => requireVerification(tx, world.companyId, id));
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id)).toMatchObject([
      { code: 'awaiting_verification', count: 1 },
    ]);
  });
});

describe('an endpoint without deliveries', () => {
  test('was disabled at that time, by failures, with start and end', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE]);
    await world.visit(2);
    await world.attempt({ [id]: 500 });
    await world.visit(3);
    const at = new Date(Date.now() + 60_000).toISOString();
    const before = await world.whyRoom(`&event_type=${TYPE}&until=${at}`);
    expect(before.happened).toMatchObject([
      { count: 5, written: 2, isCertain: true, sources: ['webhook_events', 'engagement_events'] },
    ]);
    expect(verdictsOn(before, id)).toMatchObject([
      { code: 'parked_disabled', count: 2, disabledBy: 'failures', user: null },
      {
        code: 'disabled_then',
        count: 3,
        disabledBy: 'failures',
        user: null,
        until: null,
        timeIs: 'occurred',
      },
    ]);
    await api.patch(`/webhooks/${id}`, world.token, { enabled: true }).expect(200);
    await world.attempt({ [id]: 200 });
    const after = verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id);
    const disabling = await api.db.auditRecord.findFirstOrThrow({
      where: { companyId: world.companyId, action: 'webhook.disabled' },
    });
    const enabling = await api.db.auditRecord.findFirstOrThrow({
      where: { companyId: world.companyId, action: 'webhook.updated' },
    });
    expect(after).toMatchObject([
      { code: 'disabled_then', since: disabling.at.toISOString(), until: enabling.at.toISOString() },
      { code: 'delivered', count: 2 },
    ]);
  });

  test('was disabled at that time, by a 410 or by an admin, while another endpoint got the event', async () => {
    const world = await newWorld();
    const [good, gone, off] = [
      await world.addWebhook([TYPE]),
      await world.addWebhook([TYPE]),
      await world.addWebhook([TYPE]),
    ];
    await world.visit();
    await world.attempt({ [good]: 200, [gone]: 410, [off]: 200 });
    await api.patch(`/webhooks/${off}`, world.token, { enabled: false }).expect(200);
    await world.visit();
    await world.attempt({ [good]: 200 });
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(verdictsOn(answer, good)).toMatchObject([{ code: 'delivered', count: 2 }]);
    expect(verdictsOn(answer, gone)).toMatchObject([
      { code: 'dead', count: 1, statusCode: 410 },
      { code: 'disabled_then', count: 1, disabledBy: 'gone', timeIs: 'recorded' },
    ]);
    expect(verdictsOn(answer, off)).toMatchObject([
      { ...BY_ADMIN, code: 'disabled_then', count: 1, timeIs: 'recorded' },
      { code: 'delivered', count: 1 },
    ]);
  });

  test('did not subscribe to the types, or not at that time', async () => {
    const world = await newWorld();
    const never = await world.addWebhook(['call.recorded']);
    const later = await world.addWebhook(['call.recorded']);
    await world.visit();
    await api.patch(`/webhooks/${later}`, world.token, { events: [TYPE] }).expect(200);
    await world.visit();
    await world.attempt({ [later]: 200 });
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(verdictsOn(answer, never)).toMatchObject([
      { code: 'not_subscribed', count: 1, eventTypes: [TYPE], timeIs: 'recorded', until: null },
      { code: 'not_subscribed', count: 1, eventTypes: [TYPE], timeIs: 'occurred', until: null },
    ]);
    const { changes, verdicts } = entryOf(answer.endpoints, later);
    expect(verdicts).toMatchObject([
      { code: 'delivered', count: 1 },
      { code: 'not_subscribed', count: 1, until: changes[0]!.at },
    ]);
    expect(changes[0]!.details).toEqual({
      changed: ['events'],
      oldEvents: ['call.recorded'],
      events: [TYPE],
    });
  });

  test('has a filter that does not match, whether or not another endpoint received the event', async () => {
    const world = await newWorld();
    const other = await world.addWebhook([TYPE], { type: 'doc_open' });
    await world.visit();
    const all = await world.addWebhook([TYPE]);
    const matching = await world.addWebhook([TYPE], { type: 'room_visit' });
    await world.visit(2);
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    const { changes, endpoint, verdicts } = entryOf(answer.endpoints, other);
    expect(endpoint).toMatchObject({ filter: { type: 'doc_open' } });
    const since = changes[0]!.at;
    expect(verdicts).toMatchObject(
      [
        { code: 'filtered', count: 1, since, until: null, timeIs: 'occurred', user: BY_ADMIN.user },
        { code: 'filtered', count: 2, since, until: null, timeIs: 'recorded' },
      ].toSorted((a, b) => (a.timeIs < b.timeIs ? 1 : -1)),
    );
    expect(changes[0]!.details).toMatchObject({ hasFilter: true });
    for (const id of [all, matching]) {
      expect(
        verdictsOn(answer, id)
          .map(({ code }) => code)
          .toSorted(),
      ).toEqual(['created_later', 'waiting']);
    }
    // A question about one of the events that the other endpoint lacks.
    const eventId = entryOf(answer.endpoints, all).deliveries[0]!.eventId;
    expect(verdictsOn(await world.why(`event_id=${eventId}`), other)).toMatchObject([
      { code: 'filtered', count: 1 },
    ]);
  });

  test('had another filter, for which no verdict is returned', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE], { type: 'doc_open' });
    await world.visit();
    await api.patch(`/webhooks/${id}`, world.token, { filter: { type: 'trailer_view' } }).expect(200);
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id)).toMatchObject([
      { code: 'unknown', count: 1 },
    ]);
    await world.visit();
    const codes = verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id).map(({ code }) => code);
    expect(codes).toEqual(['unknown', 'filtered']);
  });

  test('has a filter that does not match the current room or call', async () => {
    const world = await newWorld();
    const { roomId, callId } = world;
    const id = await world.addWebhook(['decision_room.updated', 'call.summary.created'], { a: 1 });
    await world.capture([
      { record: 'room', id: roomId, name: 'Globex', status: 'won' },
      { record: 'callSummary', callId, summary: { headline: 'Good fit' } },
    ]);
    expect(verdictsOn(await world.whyRoom('&event_type=decision_room.updated'), id)).toMatchObject([
      { code: 'filtered', isCertain: false, timeIs: 'changed', eventTypes: ['decision_room.updated'] },
    ]);
    expect(
      verdictsOn(await world.why(`call_id=${callId}&event_type=call.summary.created`), id),
    ).toMatchObject([{ code: 'filtered', eventTypes: ['call.summary.created'] }]);
  });

  test('has a filter, and more events happened than are compared with it', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE], { type: 'doc_open' });
    await world.visit(105);
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), id)).toMatchObject([
      { code: 'filtered', count: 100, isCountExact: false },
    ]);
  });

  test('was created later, or removed before', async () => {
    const world = await newWorld();
    const removed = await world.addWebhook([TYPE]);
    await world.visit();
    await api.delete(`/webhooks/${removed}`, world.token).expect(204);
    await world.reconcile();
    await world.visit();
    const late = await world.addWebhook([TYPE]);
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    const { removedAt } = entryOf(answer.endpoints, removed).endpoint;
    expect(verdictsOn(answer, removed)).toMatchObject([
      { code: 'removed', count: 1, since: removedAt, deliveryId: null },
      { code: 'removed', count: 1, since: removedAt, error: 'the endpoint was removed' },
    ]);
    const { createdAt } = entryOf(answer.endpoints, late).endpoint;
    const after = { code: 'created_later', count: 1, until: createdAt };
    expect(verdictsOn(answer, late)).toMatchObject([
      { ...after, timeIs: 'occurred' },
      { ...after, timeIs: 'recorded' },
    ]);
    const since = new Date(Date.parse(removedAt!) + 1).toISOString();
    const { endpoints } = await world.whyRoom(`&since=${since}`);
    expect(endpoints.map(({ endpoint }) => endpoint.id)).toEqual([late]);
  });

  test('was not sent events while the API was switched off for the workspace', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE]);
    await world.switchApi(false);
    await world.visit(2);
    await world.switchApi(true);
    await world.visit();
    await world.attempt({ [id]: 200 });
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(answer.workspaceChanges).toMatchObject([
      { action: 'workspace.api_enabled', user: null },
      { action: 'workspace.api_disabled', user: null },
    ]);
    const [on, off] = answer.workspaceChanges;
    expect(verdictsOn(answer, id)).toMatchObject([
      { code: 'workspace_off', count: 2, since: off!.at, until: on!.at, timeIs: 'occurred' },
      { code: 'delivered', count: 1 },
    ]);
  });

  test('has no guessed explanation, neither for records captured without webhooks nor for an old change', async () => {
    const world = await newWorld();
    const id = await world.addWebhook([TYPE]);
    await world.importVisit();
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(answer.happened).toMatchObject([{ count: 1, written: 0, isCertain: true }]);
    expect(verdictsOn(answer, id)).toMatchObject([{ code: 'unknown', count: 1, timeIs: 'occurred' }]);

    const old = await world.addWebhook(['call.recorded']);
    await world.visit();
    await api.patch(`/webhooks/${old}`, world.token, { events: [TYPE] }).expect(200);
    // The record as written by a version of the product that did not record the types, together with the creation.
    await api.db.auditRecord.updateMany({
      where: { companyId: world.companyId, objectId: String(old) },
      data: { details: { changed: ['events'] } },
    });
    expect(verdictsOn(await world.whyRoom(`&event_type=${TYPE}`), old)).toMatchObject([
      { code: 'created_later', count: 1 },
      { code: 'unknown', count: 1, timeIs: 'recorded' },
    ]);
  });
});

describe('the occurrences', () => {
  test('are empty for another period or another type', async () => {
    const world = await newWorld();
    const id = await world.addWebhook();
    await world.visit();
    for (const more of ['&since=2026-02-01&until=2026-02-02', '&event_type=call.summary.created']) {
      const answer = await world.whyRoom(more);
      expect(answer).toMatchObject({ code: 'no_event', happened: [], lastChangedAt: expect.any(String) });
      expect(verdictsOn(answer, id)).toMatchObject([
        { code: 'no_event', count: 0, at: answer.lastChangedAt },
      ]);
    }
  });

  test('can be of an unknown event type', async () => {
    const world = await newWorld();
    const id = await world.addWebhook();
    const answer = await world.whyRoom('&event_type=room.visited');
    expect(answer.code).toBe('no_such_event_type');
    expect(verdictsOn(answer, id)).toMatchObject([{ code: 'no_such_event_type' }]);
  });

  test('are returned without any endpoint', async () => {
    const world = await newWorld();
    await world.visit();
    const answer = await world.whyRoom(`&event_type=${TYPE}`);
    expect(answer).toMatchObject({
      code: 'no_endpoint',
      endpoints: [],
      happened: [{ count: 1, written: 0 }],
    });
  });

  test('may be a change of the room or of a contract without a delivery, which is only possible', async () => {
    const world = await newWorld();
    const other = await world.addWebhook([TYPE]);
    const contract = {
      record: 'esign' as const,
      id: 'c',
      roomId: world.roomId,
      vendor: 'v',
      envelopeId: 'e',
    };
    await world.capture([
      { record: 'room', id: world.roomId, status: 'won' },
      { ...contract, status: 'sent' },
    ]);
    const answer = await world.whyRoom();
    expect(answer.code).toBe('no_event');
    expect(answer.happened).toMatchObject([
      {
        eventType: 'decision_room.esign.updated',
        isCertain: false,
        written: 0,
        sources: ['esign_documents'],
      },
      { eventType: 'decision_room.updated', isCertain: false, written: 0, sources: ['rooms'] },
    ]);
    expect(verdictsOn(answer, other)).toMatchObject([
      {
        code: 'not_subscribed',
        isCertain: false,
        count: 2,
        eventTypes: ['decision_room.esign.updated', 'decision_room.updated'],
        timeIs: 'changed',
      },
    ]);
  });

  test('include no change of the room if an endpoint that receives every event received none', async () => {
    const world = await newWorld();
    const { companyId } = world;
    const filtered = { companyId, createdAt: new Date('2026-01-01'), filter: { a: 1 } };
    await addEndpoint(api.db, filtered);
    await world.visit();
    expect((await world.whyRoom()).happened).toHaveLength(2);
    const id = await addEndpoint(api.db, { companyId, createdAt: new Date('2026-01-01') });
    expect((await world.whyRoom()).happened).toMatchObject([{ eventType: TYPE, isCertain: true }]);
    await api.patch(`/webhooks/${id}`, world.token, { enabled: false }).expect(200);
    expect((await world.whyRoom()).happened).toMatchObject([
      { eventType: expect.any(String) },
      { eventType: expect.any(String) },
    ]);
  });

  test('include views, new calls and rooms, and summaries, each once', async () => {
    const world = await newWorld();
    const [roomId, callId, linkId] = [randomUUID(), randomUUID(), randomUUID()];
    const occurredAt = world.now();
    const call = {
      record: 'call' as const,
      id: callId,
      kind: 'demo' as const,
      ownerId: 7,
      roomId,
      occurredAt,
    };
    const records: ShortRecord[] = [
      { record: 'room', id: roomId, name: 'New', createdAt: world.now() },
      call,
      {
        record: 'distribution',
        id: linkId,
        roomId,
        recipientName: 'Al',
        recipientEmail: 'a@b.example',
        callId,
      },
      { record: 'callSummary', callId, summary: { schema: '1', headline: 'Good' } },
      {
        record: 'view',
        key: 'v',
        distributionId: linkId,
        startedAt: world.now(),
        endedAt: world.now(),
        segments: [[0, 10]],
      },
    ];
    await world.capture(records);
    const types = [
      'call.recorded',
      'call.summary.created',
      'decision_room.created',
      'engagement.view.recorded',
    ];
    const seen = async (query: string, ask = world.why) =>
      (await ask(query)).happened
        .toSorted((a, b) => a.eventType.localeCompare(b.eventType))
        .map(({ eventType, count, written, isCertain }) => [eventType, count, written, isCertain]);
    // Without deliveries, the facts come from the tables.
    expect(await seen(`buyer_space_id=${roomId}`)).toEqual(types.map((type) => [type, 1, 0, true]));
    expect(await seen(`call_id=${callId}`)).toEqual(
      types.filter((type) => !type.includes('room')).map((type) => [type, 1, 0, true]),
    );
    // The same with an endpoint.
    const other = await newWorld();
    const id = await other.addWebhook();
    await other.capture(records);
    const written = (query: string) => seen(query, other.why);
    expect(await written(`buyer_space_id=${roomId}`)).toEqual(types.map((type) => [type, 1, 1, true]));
    expect(await written(`call_id=${callId}`)).toEqual(
      types.filter((type) => !type.includes('room')).map((type) => [type, 1, 1, true]),
    );
    expect(verdictsOn(await other.why(`call_id=${callId}`), id)).toMatchObject([
      { code: 'waiting', count: 3 },
    ]);
  });
});

test('rows reveal every event of their types, even without a delivery', async () => {
  const world = await newWorld();
  const [roomId, callId, distributionId] = [randomUUID(), randomUUID(), randomUUID()];
  const occurredAt = world.now();
  const moments = { startedAt: occurredAt, endedAt: occurredAt };
  await world.capture([
    { record: 'room', id: roomId, name: 'New', createdAt: occurredAt },
    { record: 'room', id: world.roomId, status: 'won' },
    { record: 'call', id: callId, kind: 'demo', ownerId: 7, roomId, occurredAt },
    { record: 'callSummary', callId, summary: { schema: '1', headline: 'Good' } },
    { record: 'distribution', id: distributionId, roomId, callId, recipientName: 'Al', recipientEmail: null },
    { record: 'event', key: 'e', type: 'room_visit', occurredAt, distributionId },
    { record: 'view', key: 'v', distributionId, ...moments, segments: [[0, 10]] },
    { record: 'esign', id: 'c', roomId, vendor: 'v', envelopeId: 'e', status: 'sent' },
  ]);
  const answers = [await world.whyRoom(), await world.why(`buyer_space_id=${roomId}`)];
  const found = answers.flatMap(({ happened }) => happened.map(({ eventType }) => eventType));
  expect(new Set(found)).toEqual(new Set(TRACED_TYPES));
});

describe('an event and a delivery', () => {
  test('are explained for every endpoint, regardless of the time', async () => {
    const world = await newWorld();
    const [good, other] = [await world.addWebhook([TYPE]), await world.addWebhook(['call.recorded'])];
    await world.visit(2);
    await world.attempt({ [good]: 200 });
    const { id, eventId } = await api.db.delivery.findFirstOrThrow({
      where: { companyId: world.companyId },
    });
    for (const query of [`event_id=${eventId}`, `delivery_id=${id}&since=2020-01-01&until=2020-01-02`]) {
      const answer = await world.why(query);
      expect(answer).toMatchObject({
        object: { roomId: world.roomId, callId: world.callId, eventId, eventType: TYPE },
        happened: [{ eventType: TYPE, count: 1, written: 1 }],
        lastChangedAt: null,
      });
      expect(verdictsOn(answer, good)).toMatchObject([
        { code: 'delivered', count: 1, deliveryId: String(id) },
      ]);
      expect(verdictsOn(answer, other)).toMatchObject([
        { code: 'not_subscribed', count: 1, timeIs: 'recorded', isCertain: true },
      ]);
    }
  });
});

test('returns 404 for objects of other workspaces, and requires exactly one object', async () => {
  const { token } = await newWorld();
  const unknown = randomUUID();
  const bodies = new Set<string>();
  for (const query of [
    `buyer_space_id=${NEIGHBOUR_ID}`,
    `buyer_space_id=${unknown}`,
    `call_id=${NEIGHBOUR_ID}`,
    `call_id=${unknown}`,
    `event_id=${NEIGHBOUR_ID}`,
    `event_id=${unknown}`,
    `delivery_id=${NEIGHBOUR_INTEGER}`,
    'delivery_id=999999999999999999',
  ]) {
    const { body } = await api.get(`/console/api/why?${query}`, token).expect(404);
    bodies.add(JSON.stringify(body));
  }
  expect(bodies.size).toBe(1);
  for (const query of [
    '',
    `call_id=${unknown}&event_id=${unknown}`,
    'call_id=1',
    'delivery_id=0',
    `call_id=${unknown}&event_type=`,
    `call_id=${unknown}&since=yesterday`,
  ]) {
    const { body } = await api.get(`/console/api/why?${query}`, token).expect(400);
    expect(body.code).toBe('INVALID_REQUEST');
  }
});
