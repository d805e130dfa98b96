import { EVENTS } from '@deal-signals/serializers/events/events';
import {
  startReceiver,
  type ReceivedRequest,
  type Receiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { startApp, type RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { adminToken, descriptionOf, createKey, request } from '../published-api.ts';

const ROOM = uuid(1);
const CALL = uuid(2);
const LINK = uuid(3);
const NEW_ROOM = uuid(4);
const NEW_CALL = uuid(5);

let database: TestDatabase;
let api: RunningApp;
let key: string;
let receivers: [Receiver, Receiver];
let secrets: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    WEBHOOK_RETRY_SCHEDULE_MS: '100,100,100,100,100,100,100,100',
  };
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    {
      record: 'room',
      id: ROOM,
      name: 'Globex',
      ownerId: 7,
      slug: 'globex',
      dealValueCents: 9_007_199_254_740_991,
    },
    {
      record: 'call',
      id: CALL,
      kind: 'demo',
      occurredAt: '2026-09-01T12:00:00+02:00',
      ownerId: 7,
      title: 'First demo',
      durationSeconds: 600,
      roomId: ROOM,
      participants: [
        {
          name: 'Bob',
          email: 'bob@globex.example',
          talkSeconds: 60,
          talkPercent: 10.5,
          sources: ['calendar'],
        },
      ],
      talkTime: { source: 'transcript', totalSpeakerSeconds: 570 },
    },
    {
      record: 'distribution',
      id: LINK,
      roomId: ROOM,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: CALL,
    },
  );
  let worker: RunningApp;
  [api, worker] = await Promise.all([startApp('api', env), startApp('worker', env)]);
  expect(worker.pid).not.toBe(api.pid);
  key = await createKey(api.baseUrl);
  receivers = [await startReceiver(), await startReceiver()];
  secrets = [];
  for (const { url } of receivers) {
    const { status, body } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
      method: 'POST',
      body: { url, events: ['*'] },
    });
    expect(status).toBe(201);
    secrets.push(body.secret);
  }
});

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await database.drop();
});

const envelopeOf = ({ rawBody }: ReceivedRequest) => JSON.parse(rawBody.toString('utf8'));

async function pull(path: string, token = key): Promise<any> {
  const { status, body } = await request(`${api.baseUrl}${path}`, token);
  expect(status).toBe(200);
  return body.data;
}

/** Reads an object from the feed that a consumer polls. */
async function pullFrom(feed: string, id: string): Promise<unknown> {
  const page: { id: string }[] = await pull(feed);
  return page.find((item) => item.id === id);
}

interface Case {
  type: string;
  change: ShortRecord;
  pulled: (envelope: any) => Promise<unknown>;
}

const cases: Case[] = [
  {
    type: 'engagement.recorded',
    change: {
      record: 'event',
      key: 'e1',
      type: 'trailer_view',
      occurredAt: '2026-09-02T08:00:00.123Z',
      distributionId: LINK,
      metadata: { nested: { list: [1, 2.5, null, 'ü'] }, flag: true },
    },
    pulled: (envelope) => pullFrom('/engagement/events', envelope.data.id),
  },
  {
    type: 'engagement.view.recorded',
    change: {
      record: 'view',
      key: 'v1',
      distributionId: LINK,
      startedAt: '2026-09-02T08:00:00.123Z',
      endedAt: '2026-09-02T08:10:00Z',
      segments: [
        [0.4, 61.7],
        [30, 90],
      ],
    },
    pulled: (envelope) => pullFrom('/engagement/views', envelope.data.id),
  },
  {
    type: 'decision_room.created',
    change: { record: 'room', id: NEW_ROOM, name: 'Initech “AG”', ownerId: 7, dealValueCents: 1 },
    pulled: () => pullFrom('/decision-rooms', NEW_ROOM),
  },
  {
    type: 'call.recorded',
    change: {
      record: 'call',
      id: NEW_CALL,
      kind: 'meeting',
      occurredAt: '2026-09-01T12:00:00+02:00',
      ownerId: 7,
      roomId: NEW_ROOM,
      status: 'processing',
      participants: [{ name: 'Bob', sources: ['calendar'] }],
    },
    pulled: () => pullFrom('/calls', NEW_CALL),
  },
  {
    type: 'call.summary.created',
    change: {
      record: 'callSummary',
      callId: CALL,
      summary: {
        headline: 'A good fit — “yes”',
        painPoints: ['manual work'],
        topics: [{ label: 'Pricing', startSeconds: 10 }],
      },
    },
    pulled: () => pull(`/calls/${CALL}`),
  },
  {
    type: 'decision_room.updated',
    change: { record: 'room', id: ROOM, name: 'Globex', status: 'won', expectedCloseDate: '2026-12-18' },
    pulled: () => pull(`/decision-rooms/${ROOM}`),
  },
  {
    type: 'decision_room.esign.updated',
    change: {
      record: 'esign',
      id: 'contract-1',
      roomId: ROOM,
      vendor: 'penandink',
      envelopeId: 'env-1',
      status: 'viewed',
      recipientCount: 2,
      sentAt: '2026-09-03T10:00:00Z',
    },
    pulled: async (envelope) => {
      const document = await pull(`/esign-documents/${envelope.data.document.id}`);
      expect(await pull('/esign-documents')).toEqual([document]);
      expect((await pull(`/decision-rooms/${ROOM}/metrics`)).esign.documents).toEqual([document]);
      return { buyerSpaceId: ROOM, document };
    },
  },
];

// The tests of erasures compare pushed and pulled erasures.
test('every event type with an object of a feed has a case', () => {
  const types = Object.entries(EVENTS).filter(([, { object }]) => object !== null && object !== 'erasure');
  expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(types.map(([type]) => type)));
});

describe.each(cases)('$type', ({ type, change, pulled }) => {
  test('reaches two endpoints and a retry with the same bytes, each signed with its secret, and equals the pulled data', async () => {
    const [first, second] = receivers;
    const [before, beforeSecond] = [first.requests.length, second.requests.length];
    first.respond([500, 200]);
    await capture(database.db, change);

    const attempts = (await first.waitFor(before + 2)).slice(before);
    const others = (await second.waitFor(beforeSecond + 1)).slice(beforeSecond);
    const all = [...attempts, ...others];
    const [failed, retried] = attempts as [ReceivedRequest, ReceivedRequest];
    for (const { rawBody } of all) expect(rawBody.equals(failed.rawBody)).toBe(true);

    const envelope = envelopeOf(failed);
    expect(envelope).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type,
      apiVersion: '2026-09-01',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      companyId: COMPANY,
      data: expect.any(Object),
    });
    // A consumer that polls now finds the object: its position is the reading of the transaction that recorded the event.
    const { updatedAt, lastActivityAt = updatedAt } = envelope.data;
    expect([envelope.createdAt, undefined]).toContain(lastActivityAt);
    const object = await pulled(envelope);
    expect(envelope.data).toEqual(object);
    expect(failed.rawBody.toString().endsWith(`,"data":${JSON.stringify(object)}}`)).toBe(true);
    expect((await descriptionOf(api.baseUrl)).problemsOfWebhook(type, envelope)).toEqual([]);

    for (const { headers, method } of all) {
      expect(method).toBe('POST');
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        'x-service-event': type,
        'x-service-event-id': envelope.id,
      });
    }
    expect(retried.headers['x-service-delivery']).toBe(failed.headers['x-service-delivery']);
    expect(others[0]?.headers['x-service-delivery']).not.toBe(failed.headers['x-service-delivery']);

    const verify = ({ rawBody, headers }: ReceivedRequest, secret: string) =>
      new Stripe('unused').webhooks.constructEvent(rawBody, headers['x-service-signature'] as string, secret);
    for (const attempt of attempts) expect(verify(attempt, secrets[0] as string)).toEqual(envelope);
    for (const other of others) expect(verify(other, secrets[1] as string)).toEqual(envelope);
    expect(() => verify(failed, secrets[1] as string)).toThrow();
  });
});

test('webhook.endpoint.disabled reaches the other endpoints, and matches the endpoint and the audit log', async () => {
  const failing = await startReceiver();
  try {
    failing.respond(410);
    const { body } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
      method: 'POST',
      body: { url: `${failing.url}hooks?token=of-this-receiver`, events: ['*'] },
    });
    const [before, beforeSecond] = receivers.map(({ requests }) => requests.length) as [number, number];
    await capture(database.db, {
      record: 'event',
      key: 'gone',
      type: 'room_visit',
      occurredAt: '2026-09-02T08:00:00Z',
      distributionId: LINK,
    });
    const others = [
      ...(await receivers[0].waitFor(before + 2)).slice(before),
      ...(await receivers[1].waitFor(beforeSecond + 2)).slice(beforeSecond),
    ].filter(({ headers }) => headers['x-service-event'] === 'webhook.endpoint.disabled');
    const envelopes = others.map((one) => envelopeOf(one));
    const [envelope] = envelopes;
    expect(envelopes).toEqual([envelope, envelope]);
    const description = await descriptionOf(api.baseUrl);
    expect(description.problemsOfWebhook('webhook.endpoint.disabled', envelope)).toEqual([]);

    const { id } = body.data;
    const endpoint = await pull(`/webhooks/${id}`, adminToken());
    const [record] = await pull(
      `/audit-log?object_type=webhook&object_id=${id}&action=webhook.disabled`,
      adminToken(),
    );
    expect(endpoint.enabled).toBe(false);
    expect(envelope.data).toEqual({
      endpointId: id,
      host: new URL(failing.url).host,
      disabledReason: endpoint.disabledReason,
      disabledAt: record.at,
      ...record.details,
    });
    expect(envelope.data).toMatchObject({
      reason: 'gone',
      consecutiveFailures: endpoint.consecutiveFailures,
    });
    expect(others[0]?.rawBody.toString()).not.toContain('of-this-receiver');
    // A consumer that reads the delivery log after the webhook finds the delivery there.
    const log: { eventId: string; endpointId: number }[] = await pull('/webhook-deliveries?limit=500');
    const logged = log.filter(({ eventId }) => eventId === envelope.id);
    expect(logged).toHaveLength(2);
    expect(logged.map(({ endpointId }) => endpointId)).not.toContain(id);
    expect(failing.requests).toHaveLength(1);
  } finally {
    await failing.close();
  }
});
