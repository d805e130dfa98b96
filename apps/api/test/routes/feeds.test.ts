import { firstIdAt } from '@deal-signals/db/feeds/position';
import { call } from '@deal-signals/serializers/calls/call';
import { callSummary } from '@deal-signals/serializers/calls/call-summary';
import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import {
  addCall,
  addCompany,
  addEvent,
  addKey,
  addRoom,
  addView,
} from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ROUTES } from '../../src/app.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;
let emptyKey: string;

const SUMMARY = callSummary.parse({ headline: 'It went well', topics: [] });

beforeAll(async () => {
  api = await openTestApi();
  const { db } = api;
  for (const company of [1, 2, 3]) await addCompany(db, company);
  key = await addKey(db, 1);
  emptyKey = await addKey(db, 3);
  // Ids fall while the sort key rises, and three rooms share one moment, so neither alone gives the order.
  const statuses = ['open', 'won', 'open', 'lost', 'dormant', 'open'] as const;
  for (const [index, status] of statuses.entries()) {
    await addRoom(db, 1, 60 - index, { status, lastActivityAt: second(index < 3 ? 1 : index) });
  }
  await addRoom(db, 2, 900, { lastActivityAt: second(2) });
  await addCall(db, 1, 20, { kind: 'demo', roomId: uuid(60), updatedAt: second(1), summary: SUMMARY });
  await addCall(db, 1, 19, { kind: 'meeting', roomId: uuid(60), updatedAt: second(2) });
  await addCall(db, 1, 18, { kind: 'demo', updatedAt: second(3), summary: SUMMARY });
  await addCall(db, 1, 17, {
    kind: 'qualifying_call',
    updatedAt: second(4),
    status: 'processing',
    // The summary of an earlier processing. It is hidden, so it does not count, until the call is completed again.
    summary: SUMMARY,
  });
  await addCall(db, 2, 901, { roomId: uuid(900), updatedAt: second(2), summary: SUMMARY });
  const links = [
    // Of equal times, the smaller id comes first.
    { companyId: 1, id: uuid(70), roomId: uuid(60), callId: uuid(20), updatedAt: second(1) },
    { companyId: 1, id: uuid(71), roomId: uuid(59), callId: null, updatedAt: second(1) },
    { companyId: 1, id: uuid(69), roomId: uuid(60), callId: uuid(18), updatedAt: second(2) },
    { companyId: 2, id: uuid(902), roomId: uuid(900), callId: uuid(901), updatedAt: second(1) },
  ];
  await db.distribution.createMany({ data: links.map((row) => ({ ...row, identity: `link:${row.id}` })) });
  const documents = [
    { companyId: 1, id: uuid(81), roomId: uuid(60), updatedAt: second(1) },
    { companyId: 1, id: uuid(80), roomId: uuid(59), updatedAt: second(2) },
    { companyId: 2, id: uuid(903), roomId: uuid(900), updatedAt: second(1) },
  ];
  await db.document.createMany({
    data: documents.map((row) => ({ ...row, title: 'Pricing', category: 'pricing' })),
  });
  const contracts = [
    { companyId: 1, id: 'b', roomId: uuid(60), updatedAt: second(1) },
    { companyId: 1, id: 'c/%?', roomId: uuid(59), updatedAt: second(1) },
    { companyId: 1, id: 'a', roomId: uuid(60), updatedAt: second(2) },
    { companyId: 2, id: 'b', roomId: uuid(900), updatedAt: second(1) },
  ];
  await db.esignDocument.createMany({
    data: contracts.map((row) => ({ ...row, vendor: 'v', envelopeId: 'e', status: 'sent' as const })),
  });
  // The links have created people by now, whose ids are computed.
  await db.person.deleteMany();
  const people = [
    { companyId: 1, id: uuid(91), roomId: uuid(60), updatedAt: second(1) },
    { companyId: 1, id: uuid(92), roomId: uuid(59), updatedAt: second(1) },
    { companyId: 1, id: uuid(90), roomId: uuid(60), updatedAt: second(3), removedAt: second(3) },
    { companyId: 2, id: uuid(904), roomId: uuid(900), updatedAt: second(1) },
  ];
  await db.person.createMany({
    data: people.map((row) => ({ ...row, identity: `name:${row.id}`, name: row.id, inCommittee: true })),
  });
  const events = [
    { type: 'room_visit', buyerSpaceId: uuid(60) },
    { type: 'trailer_view', buyerSpaceId: uuid(60), demoId: uuid(20) },
    { type: 'doc_open', buyerSpaceId: uuid(59) },
    { type: 'trailer_view', buyerSpaceId: uuid(59), demoId: uuid(18) },
    { type: 'comment', buyerSpaceId: uuid(60) },
  ];
  for (const [index, event] of events.entries()) {
    await addEvent(db, 1, index + 1, { ...event, id: idAt(index) });
  }
  await addEvent(db, 2, 3, { id: idAt(2), type: 'doc_open', buyerSpaceId: uuid(900), demoId: uuid(901) });
  const views = [
    { buyerSpaceId: uuid(60), distributionId: uuid(70), demoId: uuid(20) },
    { buyerSpaceId: uuid(60), distributionId: uuid(70), demoId: uuid(18) },
    { buyerSpaceId: uuid(59), distributionId: uuid(71) },
  ];
  for (const [index, view] of views.entries()) {
    await addView(db, 1, index + 1, { ...view, id: idAt(index) });
  }
  await addView(db, 2, 2, {
    id: idAt(1),
    buyerSpaceId: uuid(900),
    distributionId: uuid(902),
    demoId: uuid(901),
  });
});

afterAll(() => api.close());

/** Returns all ids of a list, read in pages of the given size. Every page except the last must be full. */
async function walk(path: string, limit: number, by = key): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 50; pages += 1) {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const { body } = await api.get(path + query, by).expect(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
    if (!body.hasMore) return ids;
    expect(body.data).toHaveLength(limit);
  }
  throw new Error(`${path} has no end`);
}

/** Returns the id of an event that occurred this many seconds after the first, and was recorded immediately. */
const idAt = (offset: number) => firstIdAt(second(offset + 1));
const feedIds = (...offsets: number[]) => offsets.map((offset) => String(idAt(offset)));

const FEEDS = [
  { path: '/decision-rooms', ids: [58, 59, 60, 57, 56, 55].map(uuid), foreign: uuid(900) },
  { path: '/room-scores', ids: [58, 59, 60, 57, 56, 55].map(uuid) },
  { path: '/calls', ids: [20, 19, 18, 17].map(uuid), foreign: uuid(901) },
  { path: '/engagement/events', ids: feedIds(0, 1, 2, 3, 4) },
  { path: '/engagement/views', ids: feedIds(0, 1, 2) },
  { path: '/distributions', ids: [70, 71, 69].map(uuid), foreign: uuid(902) },
  { path: '/people', ids: [91, 92, 90].map(uuid), foreign: uuid(904) },
  { path: '/documents', ids: [81, 80].map(uuid), foreign: uuid(903) },
  { path: '/esign-documents', ids: ['b', 'c/%?', 'a'], foreign: 'of-nobody' },
];
/** The feeds whose objects can also be read one at a time. */
const READABLE = FEEDS.filter(({ path }) => ROUTES.some((route) => route.path === `${path}/:id`));

/** The feeds of the route table. Erasures and the delivery log have tests of their own. */
const routes = ROUTES.filter(
  ({ method, access, path, query }) =>
    method === 'GET' &&
    access === 'key' &&
    query !== undefined &&
    'cursor' in query.shape &&
    !['/erasures', '/webhook-deliveries'].includes(path),
);

test('covers the feeds of the route table', () => {
  expect(FEEDS.map(({ path }) => path).toSorted()).toEqual(routes.map(({ path }) => path).toSorted());
});

describe.each(FEEDS)('$path', ({ path, ids }) => {
  test.each([1, 2, 3, 500])(
    'returns every row of the workspace once and in order, in pages of %d',
    async (limit) => {
      expect(await walk(path, limit)).toEqual(ids);
    },
  );

  test('has no more after exactly the last row', async () => {
    const full = await api.get(`${path}?limit=${ids.length}`, key).expect(200);
    expect([full.body.data.length, full.body.hasMore]).toEqual([ids.length, false]);
    const rest = await api.get(`${path}?cursor=${full.body.nextCursor}`, key).expect(200);
    expect(rest.body).toEqual({ data: [], nextCursor: full.body.nextCursor, hasMore: false });
  });

  test('returns a usable cursor when it is empty', async () => {
    const { body } = await api.get(path, emptyKey).expect(200);
    expect(body).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
    const again = await api.get(`${path}?cursor=${body.nextCursor}`, emptyKey).expect(200);
    expect(again.body).toEqual(body);
    expect(
      await api.get(`${path}?cursor=${body.nextCursor}`, key).then((response) => response.body.data.length),
    ).toBe(ids.length);
  });

  const others = ['/decision-rooms', '/calls', '/engagement/events', '/documents', '/esign-documents'].filter(
    // The engagement feeds have the same form of cursor.
    (other) => other !== path && !(path === '/engagement/views' && other === '/engagement/events'),
  );
  test.each(others)('rejects a cursor of %s', async (other) => {
    const { nextCursor } = (await api.get(`${other}?limit=1`, key)).body;
    const response = await api.get(`${path}?cursor=${nextCursor}`, key);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });
});

const FILTERED: [string, string[]][] = [
  ['/decision-rooms?status=open', [58, 60, 55].map(uuid)],
  ['/decision-rooms?status=dormant', [56].map(uuid)],
  ['/room-scores?status=open', [58, 60, 55].map(uuid)],
  [`/room-scores?updated_since=${second(3).toISOString()}`, [57, 56, 55].map(uuid)],
  [`/decision-rooms?updated_since=${second(3).toISOString()}`, [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T01:00:03%2B01:00', [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T01:00:03%2B0100', [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T01:00:03%2B01', [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01', [58, 59, 60, 57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T01:00%2B01:00', [58, 59, 60, 57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T00:01Z', []],
  ['/decision-rooms?updated_since=2026-01-02', []],
  [`/decision-rooms?status=open&updated_since=${second(2).toISOString()}`, [55].map(uuid)],
  ['/calls?kind=demo', [20, 18].map(uuid)],
  ['/calls?kind=qualifying_call', [17].map(uuid)],
  ['/calls?has_summary=true', [20, 18].map(uuid)],
  ['/calls?has_summary=false', [20, 19, 18, 17].map(uuid)],
  [`/calls?buyer_space_id=${uuid(60)}`, [20, 19].map(uuid)],
  [`/calls?buyer_space_id=${uuid(900)}`, []],
  [`/calls?updated_since=${second(2).toISOString()}`, [19, 18, 17].map(uuid)],
  [`/calls?updated_since=${second(2).toISOString()}&kind=demo&has_summary=true`, [18].map(uuid)],
  ['/engagement/events?types=trailer_view', feedIds(1, 3)],
  ['/engagement/events?types=trailer_view,comment', feedIds(1, 3, 4)],
  ['/engagement/events?types=comment,%20trailer_view,comment', feedIds(1, 3, 4)],
  ['/engagement/events?types=hologram', []],
  ['/engagement/events?types=hologram,doc_open', feedIds(2)],
  ['/engagement/events?types=', []],
  [`/engagement/events?types=${Array.from({ length: 19 }, (_, n) => `t${n}`).join()},doc_open`, feedIds(2)],
  [`/engagement/events?since=${second(3).toISOString()}`, feedIds(2, 3, 4)],
  [`/engagement/events?types=trailer_view&since=${second(3).toISOString()}`, feedIds(3)],
  [`/engagement/events?buyer_space_id=${uuid(60).toUpperCase()}`, feedIds(0, 1, 4)],
  [`/engagement/events?buyer_space_id=${uuid(60)}&types=comment,doc_open`, feedIds(4)],
  [`/engagement/events?demo_id=${uuid(20)}`, feedIds(1)],
  [`/engagement/events?demo_id=${uuid(901)}`, []],
  [`/engagement/views?since=${second(2).toISOString()}`, feedIds(1, 2)],
  [`/engagement/views?buyer_space_id=${uuid(59)}`, feedIds(2)],
  [`/engagement/views?demo_id=${uuid(18)}`, feedIds(1)],
  [`/engagement/views?distribution_id=${uuid(70)}`, feedIds(0, 1)],
  [`/engagement/views?distribution_id=${uuid(902)}`, []],
  [`/distributions?updated_since=${second(2).toISOString()}`, [69].map(uuid)],
  [`/distributions?updated_since=${second(1).toISOString()}&demo_id=${uuid(20)}`, [70].map(uuid)],
  [`/distributions?buyer_space_id=${uuid(60)}`, [70, 69].map(uuid)],
  [`/distributions?buyer_space_id=${uuid(60)}&demo_id=${uuid(18)}`, [69].map(uuid)],
  [`/distributions?buyer_space_id=${uuid(900)}`, []],
  [`/distributions?demo_id=${uuid(901)}`, []],
  [`/people?updated_since=${second(2).toISOString()}`, [90].map(uuid)],
  [`/people?buyer_space_id=${uuid(59)}`, [92].map(uuid)],
  [`/people?buyer_space_id=${uuid(900)}`, []],
  [`/documents?updated_since=${second(2).toISOString()}`, [80].map(uuid)],
  [`/documents?buyer_space_id=${uuid(60)}`, [81].map(uuid)],
  [`/documents?buyer_space_id=${uuid(900)}`, []],
  [`/esign-documents?updated_since=${second(1).toISOString()}`, ['b', 'c/%?', 'a']],
  [`/esign-documents?updated_since=${second(2).toISOString()}`, ['a']],
  [`/esign-documents?buyer_space_id=${uuid(59)}`, ['c/%?']],
  [`/esign-documents?buyer_space_id=${uuid(900)}`, []],
];

test.each(FILTERED)('%s returns the matching rows in pages of any size', async (path, ids) => {
  for (const limit of [1, 2, 500]) expect({ limit, ids: await walk(path, limit) }).toEqual({ limit, ids });
});

test.each(routes.map((route) => ({ ...route })))('covers each filter of $path', ({ path, query }) => {
  const filters = Object.keys(query?.shape ?? {}).filter((name) => !['cursor', 'limit'].includes(name));
  const tested = FILTERED.filter(([one]) => one.startsWith(`${path}?`)).flatMap(([one]) => [
    ...new URL(one, 'http://x').searchParams.keys(),
  ]);
  expect(filters.filter((name) => !tested.includes(name))).toEqual([]);
});

test('the engagement feed accepts any cursor of up to 18 digits', async () => {
  const { body } = await api.get(`/engagement/events?cursor=${'9'.repeat(18)}`, key).expect(200);
  expect(body).toEqual({ data: [], nextCursor: '9'.repeat(18), hasMore: false });
});

test('a changed row is returned again after a stored cursor', async () => {
  const { body } = await api.get('/decision-rooms', key).expect(200);
  await api.db.room.update({
    where: { companyId_id: { companyId: 1, id: uuid(60) } },
    data: { lastActivityAt: second(100) },
  });
  const later = await api.get(`/decision-rooms?cursor=${body.nextCursor}`, key).expect(200);
  expect(later.body.data.map(({ id }: { id: string }) => id)).toEqual([uuid(60)]);
});

test.each(routes.map((route) => ({ ...route })))(
  'every object of $path matches its schema',
  async (route) => {
    const { path } = route;
    const { shape } = (route as unknown as { response: z.ZodObject<{ data: z.ZodArray<z.ZodObject> }> })
      .response;
    const { body } = await api.get(path, key).expect(200);
    expect(body.data.length).toBeGreaterThan(0);
    for (const item of body.data) expect(shape.data.element.strict().parse(item)).toEqual(item);
  },
);

test('a call matches its schema and contains its deal', async () => {
  const { body } = await api.get(`/calls/${uuid(19)}`, key).expect(200);
  expect(call.strict().parse(body.data)).toEqual(body.data);
  expect(body.data.deal).toEqual({ status: 'open', valueCents: null });
});

test.each(READABLE)(
  'an unknown id of $path gets the same response as one of another workspace',
  async ({ path, foreign }) => {
    for (const id of [String(foreign), uuid(999), 'x', '%00']) {
      const { status, body } = await api.get(`${path}/${id}`, key);
      expect([id, status, body.code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  },
);

test.each(READABLE)('an object is the same in $path and by id', async ({ path }) => {
  const { body } = await api.get(path, key).expect(200);
  expect(body.data.length).toBeGreaterThan(0);
  for (const item of body.data) {
    const single = await api.get(`${path}/${encodeURIComponent(item.id)}`, key).expect(200);
    expect(single.body).toEqual({ data: item });
  }
});
