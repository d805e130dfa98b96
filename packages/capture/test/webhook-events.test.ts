import { deriveEventId } from '@deal-signals/outbox/event-id';
import { EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { findRooms, roomText } from '@deal-signals/serializers/rooms/room';
import {
  CALL,
  capture,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { watchStatements } from '@deal-signals/test-kit/databases/watched-statements';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';
import { eventsInOrder, recordedTypes, recordWithKey } from './records.ts';

const database = capturedDatabase();

test.each([
  ['status', { status: 'won' }],
  ['deal value', { dealValueCents: 7 }],
  ['close date', { expectedCloseDate: '2027-01-31' }],
  ['primary contact', { primaryContactEmail: 'eve@globex.example' }],
] as const)('a room whose %s changes records an event', async (_field, change) => {
  await addEndpoint(database.db);
  await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', ...change });
  expect(await recordedTypes(database.db)).toEqual(['decision_room.updated']);
});

test('a renamed room and an unchanged one record no event', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'room', id: ROOM, name: 'Globex Corp', slug: 'globex' },
    { record: 'room', id: ROOM, name: 'Globex Corp', status: 'open', dealValueCents: 5_000_000_000 },
  );
  expect(await recordedTypes(database.db)).toEqual([]);
});

test('the first summary of a call and every different one record an event', async () => {
  await addEndpoint(database.db);
  for (const headline of ['first', 'first', 'second']) {
    await capture(database.db, { record: 'callSummary', callId: CALL, summary: { headline } });
  }
  expect(await recordedTypes(database.db)).toEqual(['call.summary.created', 'call.summary.created']);
});

test('the first status of a contract and every change of it record an event, but a new subject does not', async () => {
  await addEndpoint(database.db);
  const contract = { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e' } as const;
  await capture(database.db, { ...contract, status: 'sent' });
  await capture(database.db, { ...contract, status: 'sent', subject: 'Order form' });
  await capture(database.db, { ...contract, status: 'viewed' });
  expect(await recordedTypes(database.db)).toEqual([
    'decision_room.esign.updated',
    'decision_room.esign.updated',
  ]);
});

test("a prospect's message is engagement, but a seller's message is not", async () => {
  await addEndpoint(database.db);
  await capture(database.db, recordWithKey('m1'), recordWithKey('m2'));
  expect(await recordedTypes(database.db)).toEqual(['engagement.recorded']);
  const [event] = await database.db.engagementEvent.findMany();
  expect(event).toMatchObject({ type: 'message', actorEmail: 'bob@globex.example', buyerSpaceId: ROOM });
});

test('each enabled endpoint that subscribes gets a delivery of the same event', async () => {
  const all = await addEndpoint(database.db);
  const rooms = await addEndpoint(database.db, { events: ['decision_room.updated'] });
  await addEndpoint(database.db, { enabled: false });
  await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', status: 'lost' });
  await capture(database.db, recordWithKey('e1'));
  const deliveries = await database.db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
  expect(deliveries.map(({ endpointId, eventType }) => [endpointId, eventType])).toEqual([
    [all, 'decision_room.updated'],
    [rooms, 'decision_room.updated'],
    [all, 'engagement.recorded'],
  ]);
  expect(new Set(deliveries.slice(0, 2).map(({ eventId }) => eventId)).size).toBe(1);
  for (const { createdAt, nextAttemptAt, ready } of deliveries) {
    expect({ nextAttemptAt, ready }).toEqual({ nextAttemptAt: createdAt, ready: true });
  }
});

test('each subject of an event has one row with the first delivery and the number of deliveries', async () => {
  const { db } = database;
  await addEndpoint(db);
  await addEndpoint(db);
  await capture(db, recordWithKey('e1'), recordWithKey('m1'));
  const deliveries = await db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
  expect(deliveries).toHaveLength(4);
  const events = await db.webhookEvent.findMany();
  const expected = await Promise.all(
    events.map(async ({ id, type, buyerSpaceId, callId, identity }) => {
      const firstDeliveryId = deliveries.find(({ eventId }) => eventId === id)!.id;
      expect([buyerSpaceId, callId, identity]).toEqual([ROOM, CALL, expect.any(String)]);
      const [hashes] = await db.$queryRaw<[{ type: string; person: string }]>`
        SELECT text_subject(${type})::text AS type, text_subject(${identity!})::text AS person`;
      const subjects = { event: id, type: hashes.type, room: ROOM, call: CALL, person: hashes.person };
      return Object.entries(subjects).map(([kind, subject]) => ({
        companyId: COMPANY,
        kind,
        subject,
        firstDeliveryId,
        deliveries: 2,
      }));
    }),
  );
  const rows = await db.webhookDeliverySubject.findMany();
  expect(rows).toHaveLength(expected.flat().length);
  expect(rows).toEqual(expect.arrayContaining(expected.flat()));
});

/** For each event type added to the contract's, the record that causes it. */
const FIRST: [string, ShortRecord][] = [
  [
    'decision_room.created',
    { record: 'room', id: uuid(40), name: 'Initech', ownerId: 7, dealValueCents: 9_007_199_254_740_991 },
  ],
  [
    'call.recorded',
    {
      record: 'call',
      id: uuid(41),
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
      roomId: ROOM,
      status: 'processing',
      participants: [{ name: 'Bob' }],
    },
  ],
  [
    'engagement.view.recorded',
    {
      record: 'view',
      key: 'first',
      distributionId: LINK,
      startedAt: '2026-09-02T10:00Z',
      endedAt: '2026-09-02T10:05Z',
      segments: [[0, 90.5]],
    },
  ],
];

/** Two changes of the objects of `FIRST` that are not announced as new, and the events that announce them. */
const LATER: [ShortRecord, string[]][] = [
  [{ record: 'room', id: uuid(40), status: 'won' }, ['decision_room.updated']],
  [{ record: 'call', id: uuid(41), status: 'completed' }, []],
  [{ record: 'callSummary', callId: uuid(41), summary: { headline: 'Good' } }, ['call.summary.created']],
  [{ ...FIRST[2]![1], segments: [[0, 1]] } as ShortRecord, []],
];

test.each(FIRST)(
  '%s is recorded once, only for endpoints that subscribe to it or to all',
  async (type, record) => {
    const { db } = database;
    const others = EVENT_TYPES.filter((one) => one !== type);
    const [all, named] = [await addEndpoint(db), await addEndpoint(db, { events: [type] })];
    await addEndpoint(db, { events: others });
    await addEndpoint(db, { events: ['*'], enabled: false });
    await capture(db, record);
    await capture(db, record, record);
    const deliveries = await db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
    expect(deliveries.map(({ endpointId, eventType }) => [endpointId, eventType])).toEqual([
      [all, type],
      [named, type],
    ]);
    expect(await db.webhookEvent.count()).toBe(1);
  },
);

test('later changes of a room, a call and a view are not announced as new objects', async () => {
  await addEndpoint(database.db);
  await capture(database.db, ...FIRST.map(([, record]) => record));
  const before = FIRST.map(([type]) => type);
  expect(await recordedTypes(database.db)).toEqual(before);
  await capture(database.db, ...LATER.map(([record]) => record));
  expect(await recordedTypes(database.db)).toEqual([...before, ...LATER.flatMap(([, types]) => types)]);
});

/** Returns the types and the data of all events, in the order of their deliveries. */
async function recordedEvents(): Promise<{ type: string; data: any }[]> {
  const events = await eventsInOrder(database.db);
  return events.map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
}

test('each event of a batch shows its object as the transaction leaves it', async () => {
  await addEndpoint(database.db);
  await capture(database.db, ...FIRST.map(([, record]) => record), ...LATER.map(([record]) => record));
  const events = await recordedEvents();
  expect(events).toMatchObject([
    { type: 'decision_room.created', data: { id: uuid(40), status: 'won', owner: { name: 'Ann' } } },
    {
      type: 'call.recorded',
      data: { id: uuid(41), status: 'completed', summary: { headline: 'Good' }, deal: { status: 'open' } },
    },
    {
      type: 'engagement.view.recorded',
      data: {
        id: expect.stringMatching(/^\d{16}$/),
        watchSeconds: 90,
        segments: [{ startSeconds: 0, endSeconds: 90 }],
      },
    },
    { type: 'call.summary.created', data: { id: uuid(41), summary: { headline: 'Good' } } },
  ]);
  expect(events[3]!.data).toEqual(events[1]!.data);
  const room = await database.db.room.findFirst({ where: { id: uuid(40) } });
  expect(events[0]!.data.lastActivityAt).toBe(room?.lastActivityAt.toISOString());
});

/** Returns the id of the object of an event, and its position as the pulled object shows it. */
const positionOf = (type: EventType, data: any): [objectId: string, position: bigint | Date] => {
  if (type.startsWith('engagement.')) return [data.id, BigInt(data.id)];
  if (type === 'decision_room.esign.updated') return [data.document.id, new Date(data.document.updatedAt)];
  return [data.id, new Date(data.lastActivityAt ?? data.updatedAt)];
};

test('the id of an event is derived from its workspace, type, object and feed position', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    ...FIRST.map(([, record]) => record),
    { record: 'room', id: ROOM, status: 'won' },
    { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' },
    { record: 'callSummary', callId: CALL, summary: { headline: 'First' } },
    recordWithKey('e1'),
  );
  const events = await eventsInOrder(database.db);
  expect(new Set(events.map(({ type }) => type)).size).toBe(7);
  for (const { id, type, body } of events) {
    const [objectId, position] = positionOf(type as EventType, JSON.parse(body).data);
    expect([type, id]).toEqual([
      type,
      deriveEventId(COMPANY, { type: type as EventType, objectId, position }),
    ]);
  }
});

test('several changes of an object in a transaction cause one event per type with the last state', async () => {
  await capture(database.db, {
    record: 'esign',
    id: 'c',
    roomId: ROOM,
    vendor: 'v',
    envelopeId: 'e',
    status: 'sent',
  });
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'room', id: ROOM, status: 'lost' },
    { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'viewed' },
    { record: 'callSummary', callId: CALL, summary: { headline: 'First' } },
    { record: 'room', id: ROOM, status: 'open', dealValueCents: 7 },
    { record: 'callSummary', callId: CALL, summary: { headline: 'Second' } },
    { record: 'call', id: CALL, title: 'New title' },
    { record: 'room', id: ROOM, slug: 'last' },
    { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'completed' },
  );
  expect(await recordedEvents()).toMatchObject([
    {
      type: 'call.summary.created',
      data: { id: CALL, title: 'New title', summary: { headline: 'Second' }, deal: { valueCents: 7 } },
    },
    { type: 'decision_room.updated', data: { id: ROOM, status: 'open', dealValueCents: 7, slug: 'last' } },
    { type: 'decision_room.esign.updated', data: { document: { id: 'c', status: 'completed' } } },
  ]);
});

test('a room is announced with the latest engagement, recorded by its own or an earlier transaction', async () => {
  await addEndpoint(database.db, { events: ['decision_room.updated'] });
  const event = (key: string, occurredAt: string): ShortRecord => ({
    record: 'event',
    key,
    type: 'room_visit',
    occurredAt,
    distributionId: LINK,
  });
  const times = { startedAt: '2026-09-03T10:00:00Z', endedAt: '2026-09-03T10:05:00Z' };
  const view: ShortRecord = { record: 'view', key: 'v', distributionId: LINK, docId: DOCUMENT, ...times };
  const latest: [ShortRecord[], string | null][] = [
    [[], null],
    [
      [event('first', '2026-09-02T10:00:00Z'), event('earlier', '2026-09-01T10:00:00Z')],
      '2026-09-02T10:00:00.000Z',
    ],
    [[view], '2026-09-03T10:05:00.000Z'],
    [[event('before it', '2026-09-03T10:01:00Z')], '2026-09-03T10:05:00.000Z'],
  ];
  for (const [n, [engagement, lastEngagementAt]] of latest.entries()) {
    await capture(database.db, { record: 'room', id: ROOM, dealValueCents: n }, ...engagement);
    const { data } = (await recordedEvents()).at(-1)!;
    const [pulled] = await findRooms(database.db, COMPANY, { ids: [ROOM] });
    expect(data).toEqual(JSON.parse(roomText(pulled!)));
    expect(data).toMatchObject({ dealValueCents: n, lastEngagementAt });
  }
});

test('a change that the transaction reverts is not announced', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'room', id: ROOM, status: 'lost' },
    { record: 'room', id: ROOM, status: 'open', slug: 'another' },
  );
  expect(await recordedEvents()).toEqual([]);
});

test('a consumer that keeps the newer of two states ends with the state of the API, in any order of arrival', async () => {
  await addEndpoint(database.db);
  const random = randomNumbers(11);
  const statuses = ['open', 'won', 'lost', 'dormant'] as const;
  for (let batch = 0; batch < 30; batch += 1) {
    await capture(
      database.db,
      ...Array.from({ length: 1 + random(4) }, (): ShortRecord => {
        if (random(3) === 0)
          return { record: 'callSummary', callId: CALL, summary: { headline: `${random(5)}` } };
        return { record: 'room', id: ROOM, status: statuses[random(4)]!, slug: `slug-${random(5)}` };
      }),
    );
  }
  const events = (await recordedEvents()).map(({ type, data }) => ({
    key: type.startsWith('call') ? 'call' : 'room',
    at: (data.updatedAt ?? data.lastActivityAt) as string,
    data,
  }));
  expect(events.length).toBeGreaterThan(20);
  for (let delivery = 0; delivery < 20; delivery += 1) {
    // Some arrive twice, and in any order.
    const arrivals = [...events, ...events.filter(() => random(3) === 0)]
      .map((event) => ({ event, place: random(1_000_000) }))
      .toSorted((a, b) => a.place - b.place);
    const held = new Map<string, (typeof events)[number]>();
    for (const { event } of arrivals) {
      const known = held.get(event.key);
      if (known === undefined || known.at <= event.at) held.set(event.key, event);
    }
    for (const key of ['room', 'call']) {
      const last = events.filter((event) => event.key === key).at(-1)!;
      expect(held.get(key)!.data).toEqual(last.data);
    }
  }
});

test('a captured record takes no additional statements for an endpoint that subscribes to something else', async () => {
  const countOf = async (...records: ShortRecord[]): Promise<number> => {
    let count = 0;
    const counted = watchStatements(database.db, () => void (count += 1));
    await capture(counted, ...records);
    return count;
  };
  const records = (id: number): ShortRecord[] => [
    { ...FIRST[0]![1], id: uuid(id) } as ShortRecord,
    { ...FIRST[1]![1], id: uuid(id + 1) } as ShortRecord,
    { ...FIRST[2]![1], key: String(id) } as ShortRecord,
  ];
  const [room, call, view] = [0, 1, 2].map((n) => records(50)[n]!);
  // The clock, the owner, the stored room, and the new one.
  expect(await countOf(room!)).toBe(4);
  // The clock, the owner, the room, the stored call, the new one, and the room again, which moves in its feed.
  expect(await countOf(call!)).toBe(6);
  // The clock with the link, and the view with its room and its webhook.
  expect(await countOf(view!)).toBe(2);
  const unsubscribed = await countOf(...records(60));
  await addEndpoint(database.db, { events: ['integration.ping'] });
  expect(await countOf(...records(70))).toBe(unsubscribed);
  await addEndpoint(database.db);
  // Two more statements read the texts of the room and of the call.
  expect(await countOf(...records(80))).toBe(unsubscribed + 2);
});

test('a workspace whose API is switched off records no event', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme', apiEnabled: false },
    { record: 'room', id: ROOM, name: 'Globex', status: 'lost' },
    ...FIRST.map(([, record]) => record),
  );
  expect(await recordedTypes(database.db)).toEqual([]);
});
