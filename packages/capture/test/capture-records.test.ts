import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { findHeatmap } from '@deal-signals/serializers/engagement/heatmap';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { captureRecords } from '../src/capture-records.ts';
import { type CaptureInput, captureRecord } from '../src/record.ts';
import {
  CALL,
  capture,
  captureWorkspace,
  DOCUMENT,
  FORWARD,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
});
afterEach(() => database.drop());

/** The types of the recorded events, oldest first. */
async function recordedTypes(): Promise<string[]> {
  const deliveries = await database.db.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
  return deliveries.map(({ eventType }) => eventType);
}

/** All rows of the feeds and of the outbox. */
async function snapshot() {
  const { db } = database;
  return {
    rooms: await db.room.findMany(),
    members: await db.roomMember.findMany(),
    calls: await db.call.findMany(),
    events: await db.engagementEvent.findMany({ orderBy: { id: 'asc' } }),
    views: await db.engagementView.findMany({ orderBy: { id: 'asc' } }),
    messages: await db.message.findMany(),
    actionItems: await db.actionItem.findMany(),
    esigns: await db.esignDocument.findMany(),
    deliveries: await db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }),
  };
}

const everything = [
  {
    record: 'room',
    id: ROOM,
    name: 'Globex',
    status: 'won',
    expectedCloseDate: '2026-12-01',
    sourceCallId: CALL,
  },
  { record: 'member', roomId: ROOM, email: 'Bob@globex.example', name: 'Bob', role: 'Champion' },
  { record: 'member', roomId: ROOM, name: 'Legal desk' },
  { record: 'callSummary', callId: CALL, summary: { headline: 'Good fit', painPoints: ['manual work'] } },
  { record: 'event', key: 'e1', type: 'trailer_view', occurredAt: '2026-09-02', distributionId: LINK },
  {
    record: 'event',
    key: 'e2',
    type: 'doc_open',
    occurredAt: '2026-09-02',
    distributionId: FORWARD,
    docId: DOCUMENT,
  },
  {
    record: 'view',
    key: 'v1',
    distributionId: LINK,
    startedAt: '2026-09-02T10:00:00Z',
    endedAt: '2026-09-02T10:05:00Z',
    segments: [
      [0, 100],
      [50, 200],
    ],
  },
  {
    record: 'view',
    key: 'v2',
    distributionId: LINK,
    docId: DOCUMENT,
    startedAt: '2026-09-02',
    endedAt: '2026-09-02',
    seconds: 30,
  },
  { record: 'actionItem', id: uuid(6), roomId: ROOM, title: 'Security review', dueDate: '2026-10-01' },
  {
    record: 'message',
    key: 'm1',
    roomId: ROOM,
    side: 'prospect',
    sentAt: '2026-09-03',
    distributionId: LINK,
    text: 'Hello',
  },
  { record: 'message', key: 'm2', roomId: ROOM, side: 'seller', sentAt: '2026-09-03', text: 'Hi' },
  { record: 'esign', id: 'contract-1', roomId: ROOM, vendor: 'penandink', envelopeId: 'x-1', status: 'sent' },
] satisfies ShortRecord[];

describe('idempotence', () => {
  test('writing everything again changes no row, moves nothing in a feed and causes no event', async () => {
    await addEndpoint(database.db);
    await capture(database.db, ...everything);
    const before = await snapshot();
    expect(before.deliveries.length).toBeGreaterThan(0);
    await capture(database.db, ...everything);
    expect(await snapshot()).toEqual(before);
  });

  test('a list that tells a history and ends where things stand causes nothing when captured again', async () => {
    await addEndpoint(database.db);
    const history = [
      { record: 'room', id: ROOM, name: 'Globex', status: 'open', dealValueCents: 100 },
      { record: 'room', id: ROOM, name: 'Globex', status: 'won', dealValueCents: 200 },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, status: 'processing' },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, status: 'completed' },
      { record: 'callSummary', callId: CALL, summary: { headline: 'first' } },
      { record: 'callSummary', callId: CALL, summary: { headline: 'second' } },
      { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' },
      { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'completed' },
    ] satisfies ShortRecord[];
    await capture(database.db, ...history);
    expect(await recordedTypes()).toEqual([
      'decision_room.updated',
      'decision_room.updated',
      'call.summary.created',
      'call.summary.created',
      'decision_room.esign.updated',
      'decision_room.esign.updated',
    ]);
    const before = await snapshot();
    await capture(database.db, ...history);
    expect(await snapshot()).toEqual(before);
  });

  test('a key that is taken keeps its first record, within one list too', async () => {
    const event = { record: 'event', key: 'same', occurredAt: '2026-09-02', distributionId: LINK } as const;
    await capture(database.db, { ...event, type: 'room_visit' }, { ...event, type: 'comment' });
    await capture(database.db, { ...event, type: 'forward' });
    const events = await database.db.engagementEvent.findMany();
    expect(events.map(({ type }) => type)).toEqual(['room_visit']);
  });
});

describe('upserts', () => {
  test('a field that is left out keeps its value and null clears it', async () => {
    await capture(database.db, {
      record: 'room',
      id: ROOM,
      name: 'Globex',
      primaryContactEmail: 'bob@globex.example',
    });
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex Corp', dealValueCents: null });
    expect(await database.db.room.findFirst()).toMatchObject({
      name: 'Globex Corp',
      primaryContactEmail: 'bob@globex.example',
      ownerId: 7,
      dealValueCents: null,
    });
  });

  test('a person is one per room and address, whatever the letter case, or per room and name without one', async () => {
    await capture(
      database.db,
      { record: 'member', roomId: ROOM, email: 'Bob@Globex.example', name: 'Bob' },
      { record: 'member', roomId: ROOM, email: 'bob@globex.example', title: 'CTO' },
      { record: 'member', roomId: ROOM, name: 'Bob' },
      { record: 'member', roomId: ROOM, name: 'Bob', role: 'Signer' },
    );
    const members = await database.db.roomMember.findMany({ orderBy: { identity: 'asc' } });
    expect(members).toMatchObject([
      { email: 'bob@globex.example', name: 'Bob', title: 'CTO' },
      { email: null, name: 'Bob', role: 'Signer' },
    ]);
  });

  test('the same id in another workspace is another row', async () => {
    await captureRecords(
      database.db,
      [
        { record: 'company', id: 2, name: 'Other' },
        { record: 'room', companyId: 2, id: ROOM, name: 'Elsewhere', status: 'lost' },
      ].map((record) => captureRecord.parse(record)),
    );
    const rooms = await database.db.room.findMany({ orderBy: { companyId: 'asc' } });
    expect(rooms.map(({ companyId, name, status }) => [companyId, name, status])).toEqual([
      [1, 'Globex', 'open'],
      [2, 'Elsewhere', 'lost'],
    ]);
  });
});

describe('webhook events', () => {
  test.each([
    ['status', { status: 'won' }],
    ['deal value', { dealValueCents: 7 }],
    ['close date', { expectedCloseDate: '2027-01-31' }],
    ['primary contact', { primaryContactEmail: 'eve@globex.example' }],
  ] as const)('a room tells of a change of its %s', async (_field, change) => {
    await addEndpoint(database.db);
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', ...change });
    expect(await recordedTypes()).toEqual(['decision_room.updated']);
  });

  test('a new room, a renamed one and one that is written unchanged tell nothing', async () => {
    await addEndpoint(database.db);
    await capture(
      database.db,
      { record: 'room', id: uuid(9), name: 'Initech', status: 'won' },
      { record: 'room', id: ROOM, name: 'Globex Corp', slug: 'globex' },
      { record: 'room', id: ROOM, name: 'Globex Corp', status: 'open', dealValueCents: 5_000_000_000 },
    );
    expect(await recordedTypes()).toEqual([]);
  });

  test('a first summary and a regenerated one tell, the same one does not', async () => {
    await addEndpoint(database.db);
    for (const headline of ['first', 'first', 'second']) {
      await capture(database.db, { record: 'callSummary', callId: CALL, summary: { headline } });
    }
    expect(await recordedTypes()).toEqual(['call.summary.created', 'call.summary.created']);
  });

  test('a contract tells of its first status and of every other one, not of a new subject', async () => {
    await addEndpoint(database.db);
    const contract = { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e' } as const;
    await capture(database.db, { ...contract, status: 'sent' });
    await capture(database.db, { ...contract, status: 'sent', subject: 'Order form' });
    await capture(database.db, { ...contract, status: 'viewed' });
    expect(await recordedTypes()).toEqual(['decision_room.esign.updated', 'decision_room.esign.updated']);
  });

  test("a prospect's message is engagement, a seller's is not", async () => {
    await addEndpoint(database.db);
    await capture(database.db, everything[9] as never, everything[10] as never);
    expect(await recordedTypes()).toEqual(['engagement.recorded']);
    const [event] = await database.db.engagementEvent.findMany();
    expect(event).toMatchObject({ type: 'message', actorEmail: 'bob@globex.example', buyerSpaceId: ROOM });
  });

  test('only enabled endpoints that subscribe get a delivery, and all get the same event', async () => {
    const all = await addEndpoint(database.db);
    const rooms = await addEndpoint(database.db, { events: ['decision_room.updated'] });
    const disabled = await addEndpoint(database.db);
    await database.db.webhookEndpoint.updateMany({ where: { id: disabled }, data: { enabled: false } });
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', status: 'lost' });
    await capture(database.db, everything[4] as never);
    const deliveries = await database.db.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
    expect(deliveries.map(({ endpointId, eventType }) => [endpointId, eventType])).toEqual([
      [all, 'decision_room.updated'],
      [rooms, 'decision_room.updated'],
      [all, 'engagement.recorded'],
    ]);
    expect(new Set(deliveries.slice(0, 2).map(({ eventId }) => eventId)).size).toBe(1);
    for (const { createdAt, nextAttemptAt, ready, status } of deliveries) {
      expect({ nextAttemptAt, ready, status }).toEqual({
        nextAttemptAt: createdAt,
        ready: true,
        status: 'pending',
      });
    }
  });

  test('a workspace whose API is switched off sends nothing', async () => {
    await addEndpoint(database.db);
    await capture(
      database.db,
      { record: 'company', id: COMPANY, name: 'Acme', apiEnabled: false },
      { record: 'room', id: ROOM, name: 'Globex', status: 'lost' },
    );
    expect(await recordedTypes()).toEqual([]);
  });
});

describe('what an engagement event or view shows is fixed when it is recorded', () => {
  test('link, recipient and recording are copied, and a forward names its origin', async () => {
    await capture(database.db, ...everything);
    await capture(
      database.db,
      {
        record: 'distribution',
        id: LINK,
        roomId: ROOM,
        recipientName: 'Robert',
        recipientEmail: 'r@globex.example',
      },
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, title: 'Renamed' },
    );
    const [first, second] = await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
    expect(first).toMatchObject({
      actorName: 'Bob',
      actorEmail: 'bob@globex.example',
      demoId: CALL,
      demoTitle: 'First demo',
      distributionId: LINK,
      forwardedFromDistributionId: null,
      buyerSpaceId: ROOM,
    });
    expect(second).toMatchObject({
      distributionId: FORWARD,
      forwardedFromDistributionId: LINK,
      docId: DOCUMENT,
    });
  });

  test('a view of a recording counts seconds, a view of a document takes them', async () => {
    await capture(database.db, ...everything);
    const [recording, document] = await database.db.engagementView.findMany({ orderBy: { id: 'asc' } });
    expect(recording).toMatchObject({
      kind: 'trailer',
      demoId: CALL,
      docId: null,
      watchSeconds: 250,
      uniqueSeconds: 200,
      durationSeconds: 600,
      completionPercent: 33,
    });
    expect(document).toMatchObject({
      kind: 'document',
      demoId: null,
      docId: DOCUMENT,
      watchSeconds: 30,
      uniqueSeconds: null,
      durationSeconds: null,
      completionPercent: null,
    });
  });
});

describe('places in the feeds', () => {
  const room = () => database.db.room.findFirstOrThrow({ where: { id: ROOM } });
  const call = () => database.db.call.findFirstOrThrow({ where: { id: CALL } });

  test.each(everything.map((record) => [record.record, record] as const))(
    '%s moves its room',
    async (_kind, record) => {
      const before = await room();
      await capture(database.db, record);
      expect((await room()).lastActivityAt.getTime()).toBeGreaterThan(before.lastActivityAt.getTime());
    },
  );

  test('whatever changes the call object moves the call: itself, its summary, its deal, its owner', async () => {
    const changes = [
      { record: 'call', id: CALL, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, title: 'Second demo' },
      { record: 'callSummary', callId: CALL, summary: { headline: 'h' } },
      { record: 'room', id: ROOM, name: 'Globex', status: 'won' },
      { record: 'room', id: ROOM, name: 'Globex', dealValueCents: 1 },
      { record: 'user', id: 7, name: 'Anna', email: 'ann@acme.example' },
    ] satisfies ShortRecord[];
    for (const change of changes) {
      const before = await call();
      await capture(database.db, change);
      expect((await call()).updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    }
    const before = await call();
    await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', slug: 'globex' });
    expect((await call()).updatedAt).toEqual(before.updatedAt);
  });

  test('a renamed owner moves the rooms that show the name', async () => {
    const before = await room();
    await capture(database.db, { record: 'user', id: 7, name: 'Anna', email: 'ann@acme.example' });
    expect((await room()).lastActivityAt.getTime()).toBeGreaterThan(before.lastActivityAt.getTime());
  });
});

describe('a record that does not fit', () => {
  const faulty: [string, Parameters<typeof capture>[1], string][] = [
    ['unknown owner', { record: 'room', id: ROOM, name: 'x', ownerId: 99 }, 'ownerId'],
    ['unknown source call', { record: 'room', id: ROOM, name: 'x', sourceCallId: uuid(99) }, 'sourceCallId'],
    ['unknown room', { record: 'member', roomId: uuid(99), name: 'x' }, 'roomId'],
    ['unknown call', { record: 'callSummary', callId: uuid(99), summary: {} }, 'callId'],
    [
      'unknown link',
      { record: 'event', key: 'k', type: 't', occurredAt: '2026-01-01', distributionId: uuid(99) },
      'distributionId',
    ],
    [
      'unknown document',
      {
        record: 'event',
        key: 'k',
        type: 't',
        occurredAt: '2026-01-01',
        distributionId: LINK,
        docId: uuid(99),
      },
      'docId',
    ],
    [
      'unknown origin',
      {
        record: 'distribution',
        id: uuid(20),
        roomId: ROOM,
        recipientName: 'x',
        recipientEmail: null,
        forwardedFromDistributionId: uuid(99),
      },
      'forwardedFromDistributionId',
    ],
    [
      'done by somebody, never done',
      { record: 'actionItem', id: uuid(21), roomId: ROOM, title: 'x', completedBy: 'seller' },
      'completedBy',
    ],
  ];

  test.each(faulty)(
    '%s: names the place and the field, keeps what came before',
    async (_name, record, field) => {
      const list = [
        {
          record: 'event',
          key: 'before',
          type: 'room_visit',
          occurredAt: '2026-01-01',
          distributionId: LINK,
        },
        record,
        { record: 'event', key: 'after', type: 'room_visit', occurredAt: '2026-01-01', distributionId: LINK },
      ] satisfies ShortRecord[];
      await expect(capture(database.db, ...list)).rejects.toMatchObject({ line: 2, field });
      const events = await database.db.engagementEvent.findMany();
      expect(events.map(({ key }) => key)).toEqual(['before']);
    },
  );

  test('a view of more seconds than can be counted is refused, and many long ones still add up', async () => {
    const long = [0, 2_147_483_647] as [number, number];
    const view = {
      record: 'view',
      key: 'long',
      distributionId: LINK,
      startedAt: '2026-09-02',
      endedAt: '2026-09-02',
    } as const;
    expect(() => capture(database.db, { ...view, segments: [long, long] })).toThrow(
      'expected fewer than 2^31',
    );
    await capture(database.db, { ...view, segments: [long] }, { ...view, key: 'again', segments: [long] });
    const heatmap = await findHeatmap(database.db, COMPANY, LINK);
    expect(heatmap?.watchSeconds).toBe(2 * 2_147_483_647);
    const metrics = await findRoomMetrics(database.db, COMPANY, ROOM, new Date());
    expect(metrics?.watches[0]?.watchSeconds).toBe(2 * 2_147_483_647);
  });

  test('a summary needs a completed call', async () => {
    const call = {
      record: 'call',
      id: uuid(30),
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
    } as const;
    await capture(database.db, { ...call, status: 'processing' });
    const summary = { record: 'callSummary', callId: uuid(30), summary: {} } as const;
    await expect(capture(database.db, summary)).rejects.toThrow(
      'expected a completed call, but its status is processing',
    );
    await capture(database.db, { ...call, status: 'completed' }, summary);
  });

  test('engagement stays in the room where it happened', async () => {
    await capture(database.db, { record: 'room', id: uuid(40), name: 'Initech' });
    const moved = {
      record: 'document',
      id: DOCUMENT,
      roomId: uuid(40),
      title: 'Pricing',
      category: 'pricing',
    } as const;
    await expect(capture(database.db, moved)).rejects.toMatchObject({ field: 'roomId' });
    const link = {
      record: 'distribution',
      id: uuid(41),
      roomId: uuid(40),
      recipientName: 'x',
      recipientEmail: null,
    } as const;
    await capture(database.db, link);
    await expect(
      capture(database.db, {
        record: 'event',
        key: 'k',
        type: 't',
        occurredAt: '2026-01-01',
        distributionId: uuid(41),
        docId: DOCUMENT,
      }),
    ).rejects.toMatchObject({ field: 'docId' });
  });

  test('a workspace must be captured first', async () => {
    const record = captureRecord.parse({
      record: 'user',
      companyId: 77,
      id: 1,
      name: 'x',
      email: 'x@x.example',
    });
    await expect(captureRecords(database.db, [record])).rejects.toMatchObject({
      field: 'companyId',
      line: 1,
    });
  });
});

test('a failure in the middle of a transaction leaves neither the change nor a delivery', async () => {
  await addEndpoint(database.db);
  const before = await snapshot();
  // The outbox is written last: a constraint that breaks there must take the business change back with it.
  await database.db.$executeRaw`ALTER TABLE webhook_deliveries ADD CONSTRAINT broken CHECK (id < 0)`;
  await expect(capture(database.db, ...everything)).rejects.toThrow(/broken/);
  expect(await snapshot()).toEqual(before);
});

test('records of several workspaces and more than a batch are all written, in order within a workspace', async () => {
  const records: CaptureInput[] = [
    { record: 'company', id: 2, name: 'Other' },
    { record: 'room', companyId: 2, id: ROOM, name: 'Elsewhere' },
    {
      record: 'distribution',
      companyId: 2,
      id: LINK,
      roomId: ROOM,
      recipientName: 'x',
      recipientEmail: null,
    },
  ];
  for (let n = 0; n < 1_500; n += 1) {
    for (const companyId of [1, 2]) {
      records.push({
        record: 'event',
        companyId,
        key: `k${n}`,
        type: 't',
        occurredAt: '2026-01-01',
        distributionId: LINK,
      });
    }
  }
  const commits: number[] = [];
  await captureRecords(
    database.db,
    records.map((record) => captureRecord.parse(record)),
    (count) => commits.push(count),
  );
  expect(commits).toEqual([1, 1_000, 1_000, 502, 500]);
  for (const companyId of [1, 2]) {
    const events = await database.db.engagementEvent.findMany({
      where: { companyId },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ key }) => key)).toEqual(Array.from({ length: 1_500 }, (_, n) => `k${n}`));
  }
});

test('a company that is there already is captured while somebody has taken its feed clock', async () => {
  const { db } = database;
  await inFeedTransaction(db, COMPANY, async () => {
    // Whoever holds the clock may want the company's row next: waiting for the clock with that row locked would be a deadlock.
    await captureRecords(db, [captureRecord.parse({ record: 'company', id: COMPANY, name: 'Acme Renamed' })]);
  });
  expect(await db.company.findUnique({ where: { id: COMPANY } })).toMatchObject({ name: 'Acme Renamed' });
});
