import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { NOTHING } from '@deal-signals/outbox/about';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { type Filter, matchesFilter, UNFILTERED_TYPES } from '@deal-signals/outbox/filter/filter';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { EVENTS } from '@deal-signals/serializers/events/events';
import { findNewestObjects } from '@deal-signals/serializers/events/shown-objects';
import { watchStatements } from '@deal-signals/test-kit/databases/watched-statements';
import {
  CALL,
  capture,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';
import { eventsInOrder } from './records.ts';

const database = capturedDatabase();

const addFiltered = (filter: Filter, events = ['*']) =>
  addEndpoint(database.db, { events, filter: filter as object });

let keys = 0;
const event = (type: string, metadata: Record<string, number> = {}): ShortRecord => ({
  record: 'event',
  key: `filtered ${(keys += 1)}`,
  type,
  occurredAt: '2026-09-02T10:00:00Z',
  distributionId: LINK,
  metadata,
});

/** Returns the endpoint and the event type of each delivery, in the order of the delivery ids. */
async function sent(): Promise<[number, string][]> {
  const deliveries = await database.db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
  return deliveries.map(({ endpointId, eventType }) => [endpointId, eventType]);
}

test('an endpoint receives the events that its filter matches, and endpoints without a filter receive all events', async () => {
  const all = await addEndpoint(database.db);
  const opens = await addFiltered({ type: { $eq: 'doc_open' } });
  const bob = await addFiltered({
    actor: { email: { $startsWith: 'bob@' } },
    metadata: { page: { $gte: 3 } },
  });
  const eve = await addFiltered({ actor: { email: { $startsWith: 'eve@' } } });
  const calls = await addFiltered({ type: 'doc_open' }, ['call.recorded']);
  await capture(database.db, event('doc_open'), event('room_visit', { page: 3 }));
  const type = 'engagement.recorded';
  expect(await sent()).toEqual([
    [all, type],
    [opens, type],
    [all, type],
    [bob, type],
  ]);
  expect([eve, calls].every((id) => id > bob)).toBe(true);
  // All endpoints share one event, as without a filter.
  expect(new Set((await eventsInOrder(database.db)).map(({ id }) => id)).size).toBe(2);
  const subjects = await database.db.webhookDeliverySubject.findMany({ where: { kind: 'type' } });
  expect(subjects.map(({ deliveries }) => deliveries)).toEqual([2, 2]);
});

test('the filters of a transaction share their steps, and events are sent when none are left', async () => {
  // Each evaluation searches 16,000 characters seven times: 1,750 steps, which is less than one evaluation may take.
  const conditions = Array.from({ length: 7 }, (_, n) => ({ metadata: { text: { $in: `missing ${n}` } } }));
  await addFiltered({ $or: conditions });
  const text = 'x'.repeat(16_000);
  const searched = (count: number) =>
    Array.from(
      { length: count },
      (): ShortRecord => ({ ...event('doc_open'), metadata: { text } }) as ShortRecord,
    );
  await capture(database.db, ...searched(300));
  expect(await sent()).toHaveLength(300 - Math.floor(500_000 / (7 * 250)));
  // The next transaction has its own steps.
  await capture(database.db, ...searched(200));
  expect(await sent()).toHaveLength(300 - Math.floor(500_000 / (7 * 250)));
});

test('an event that no filter matches is not recorded, but its record is captured', async () => {
  await addFiltered({ type: 'doc_open' });
  await capture(database.db, event('room_visit'));
  expect(await database.db.webhookEvent.count()).toBe(0);
  expect(await database.db.pendingDelivery.count()).toBe(0);
  expect(await database.db.webhookDeliverySubject.count()).toBe(0);
  expect(await database.db.engagementEvent.count()).toBe(1);
});

/** For each event type, a change that causes an event, and a filter that matches its data. */
const CASES: [string, ShortRecord, Filter][] = [
  ['engagement.recorded', event('doc_open'), { type: 'doc_open', demoId: CALL }],
  [
    'engagement.view.recorded',
    {
      record: 'view',
      key: 'filtered',
      distributionId: LINK,
      docId: DOCUMENT,
      startedAt: '2026-09-02',
      endedAt: '2026-09-02',
      seconds: 30,
    },
    { kind: 'document', watchSeconds: { $gte: 30 } },
  ],
  [
    'call.recorded',
    {
      record: 'call',
      id: uuid(90),
      kind: 'demo',
      occurredAt: '2026-09-02',
      ownerId: 7,
      title: 'Ü',
      roomId: ROOM,
    },
    { title: { $startsWith: 'Ü' }, deal: { valueCents: { $gt: 1_000 } } },
  ],
  [
    'call.summary.created',
    {
      record: 'callSummary',
      callId: CALL,
      summary: { headline: 'Good fit', painPoints: ['manual work', 'cost'] },
    },
    { summary: { painPoints: 'cost' }, hasSummary: true },
  ],
  [
    'decision_room.created',
    { record: 'room', id: uuid(91), name: 'Initech', ownerId: 7, dealValueCents: 7 },
    { owner: { email: 'ann@acme.example' }, dealValueCents: { $lt: 8 } },
  ],
  [
    'decision_room.updated',
    { record: 'room', id: ROOM, name: 'Globex', status: 'won' },
    { status: { $in: ['won'] } },
  ],
  [
    'decision_room.esign.updated',
    { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e', status: 'sent' },
    { buyerSpaceId: ROOM, document: { status: { $nin: ['signed'] } } },
  ],
];

test.each(CASES)('%s is filtered by the object that is sent', async (type, record, filter) => {
  const got = await addFiltered(filter);
  await addFiltered({ $not: filter });
  await capture(database.db, record);
  expect(await sent()).toEqual([[got, type]]);
  const [recorded] = await eventsInOrder(database.db);
  const { data } = JSON.parse(recorded!.body);
  expect(matchesFilter(filter, data)).toBe(true);
  // The dry run of a filter uses the same data as a delivery.
  const [newest] = await findNewestObjects(database.db, COMPANY, type as 'call.recorded', { limit: 1 });
  expect(newest).toEqual({ id: expect.any(String), at: expect.any(String), data });
});

test('every event type is filtered except those that are not about the data of the workspace', async () => {
  const filtered = EVENT_TYPES.filter((type) => !UNFILTERED_TYPES.has(type));
  expect(filtered.toSorted()).toEqual(CASES.map(([type]) => type).toSorted());
  for (const type of UNFILTERED_TYPES) expect([null, 'erasure']).toContain(EVENTS[type].object);

  const id = await addFiltered({ type: 'doc_open' });
  const unfiltered = [...UNFILTERED_TYPES];
  await inFeedTransaction(database.db, COMPANY, async (feed) => {
    const events = unfiltered.map((type) => ({
      type,
      objectId: type,
      position: feed.at,
      data: {},
      about: NOTHING,
    }));
    await recordEvents(feed, events, await findSubscribers(feed.tx, COMPANY));
  });
  expect(await sent()).toEqual(unfiltered.map((type) => [id, type]));
});

test('a filter takes no additional statement', async () => {
  const countOf = async (...records: ShortRecord[]): Promise<number> => {
    let count = 0;
    await capture(
      watchStatements(database.db, () => void (count += 1)),
      ...records,
    );
    return count;
  };
  await addEndpoint(database.db);
  const without = await countOf(event('doc_open'));
  await addFiltered({ type: 'doc_open' });
  await addFiltered({ type: 'room_visit' });
  expect(await countOf(event('doc_open'))).toBe(without);
  expect(await sent()).toHaveLength(3);
});

test('the data of an event is parsed only for an endpoint with a filter that subscribes to it', async () => {
  await addEndpoint(database.db);
  await addFiltered({ type: 'doc_open' }, ['call.recorded']);
  const subscribers = await findSubscribers(database.db, COMPANY);
  const recordText = (data: string) =>
    inFeedTransaction(database.db, COMPANY, (feed) =>
      recordEvents(
        feed,
        [{ type: 'engagement.recorded', objectId: '1', position: 1n, data, about: NOTHING }],
        subscribers,
      ),
    );
  // Invalid JSON shows who parses the data.
  await recordText('not JSON');
  expect((await eventsInOrder(database.db)).map(({ body }) => body.endsWith('"data":not JSON}'))).toEqual([
    true,
  ]);
  subscribers[1]!.events = ['*'];
  await expect(recordText('nor this')).rejects.toThrow(SyntaxError);
});

test('only an object can be stored as a filter', async () => {
  for (const filter of ['[]', '1', '"x"', 'null']) {
    const id = await addEndpoint(database.db);
    const stored = database.db
      .$executeRaw`UPDATE webhook_endpoints SET filter = ${filter}::json WHERE id = ${id}`;
    await expect(stored).rejects.toThrow('webhook_endpoints_filter_check');
  }
});
