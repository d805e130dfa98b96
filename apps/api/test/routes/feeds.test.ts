import { call } from '@deal-signals/serializers/calls/call';
import { engagementEvent } from '@deal-signals/serializers/engagement/event';
import { engagementView } from '@deal-signals/serializers/engagement/view';
import { room } from '@deal-signals/serializers/rooms/room';
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
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;
let emptyKey: string;

const SUMMARY = { headline: 'It went well', topics: [] };

beforeAll(async () => {
  api = await openTestApi();
  const { db } = api;
  for (const company of [1, 2, 3]) await addCompany(db, company);
  key = await addKey(db, 1);
  emptyKey = await addKey(db, 3);
  // Ids fall while the sort key rises, and three rooms share one moment: neither alone gives the order.
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
    // Of an earlier processing: not shown, and so not counted, until the call is completed again.
    summary: SUMMARY,
  });
  await addCall(db, 2, 901, { roomId: uuid(900), updatedAt: second(2), summary: SUMMARY });
  const links = [
    { companyId: 1, id: uuid(70), roomId: uuid(60), callId: uuid(20) },
    { companyId: 1, id: uuid(71), roomId: uuid(59), callId: null },
    { companyId: 2, id: uuid(902), roomId: uuid(900), callId: uuid(901) },
  ];
  await db.distribution.createMany({ data: links });
  const events = [
    { type: 'room_visit', buyerSpaceId: uuid(60) },
    { type: 'trailer_view', buyerSpaceId: uuid(60), demoId: uuid(20) },
    { type: 'doc_open', buyerSpaceId: uuid(59) },
    { type: 'trailer_view', buyerSpaceId: uuid(59), demoId: uuid(18) },
    { type: 'comment', buyerSpaceId: uuid(60) },
  ];
  for (const [index, event] of events.entries()) await addEvent(db, 1, index + 1, event);
  await addEvent(db, 2, 3, { type: 'doc_open', buyerSpaceId: uuid(900), demoId: uuid(901) });
  const views = [
    { buyerSpaceId: uuid(60), distributionId: uuid(70), demoId: uuid(20) },
    { buyerSpaceId: uuid(60), distributionId: uuid(70), demoId: uuid(18) },
    { buyerSpaceId: uuid(59), distributionId: uuid(71) },
  ];
  for (const [index, view] of views.entries()) await addView(db, 1, index + 1, view);
  await addView(db, 2, 2, { buyerSpaceId: uuid(900), distributionId: uuid(902), demoId: uuid(901) });
});

afterAll(() => api.close());

/** All ids that a list gives, walked in pages of the given size; every page but the last is full. */
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

const feedIds = (...offsets: number[]) =>
  offsets.map((offset) => String(1_000_000_000_000n + BigInt(offset)));

describe.each([
  { path: '/decision-rooms', ids: [58, 59, 60, 57, 56, 55].map(uuid) },
  { path: '/calls', ids: [20, 19, 18, 17].map(uuid) },
  { path: '/engagement/events', ids: feedIds(0, 1, 2, 3, 4) },
  { path: '/engagement/views', ids: feedIds(0, 1, 2) },
])('$path', ({ path, ids }) => {
  test.each([1, 2, 3, 500])(
    'gives every row of the workspace once and in order, in pages of %d',
    async (limit) => {
      expect(await walk(path, limit)).toEqual(ids);
    },
  );

  test('says that there is no more exactly at the last row', async () => {
    const full = await api.get(`${path}?limit=${ids.length}`, key).expect(200);
    expect([full.body.data.length, full.body.hasMore]).toEqual([ids.length, false]);
    const rest = await api.get(`${path}?cursor=${full.body.nextCursor}`, key).expect(200);
    expect(rest.body).toEqual({ data: [], nextCursor: full.body.nextCursor, hasMore: false });
  });

  test('gives a usable cursor when there is nothing', async () => {
    const { body } = await api.get(path, emptyKey).expect(200);
    expect(body).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
    const again = await api.get(`${path}?cursor=${body.nextCursor}`, emptyKey).expect(200);
    expect(again.body).toEqual(body);
    expect(
      await api.get(`${path}?cursor=${body.nextCursor}`, key).then((response) => response.body.data.length),
    ).toBe(ids.length);
  });

  test('refuses a cursor of every other feed', async () => {
    for (const other of ['/decision-rooms', '/calls', '/engagement/events']) {
      if (other === path || (path === '/engagement/views' && other === '/engagement/events')) continue;
      const { nextCursor } = (await api.get(`${other}?limit=1`, key)).body;
      const response = await api.get(`${path}?cursor=${nextCursor}`, key);
      expect([response.status, response.body.code]).toEqual([400, 'INVALID_CURSOR']);
    }
    const empty = await api.get(`${path}?cursor=`, key);
    expect([empty.status, empty.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });
});

test.each([
  ['/decision-rooms?status=open', [58, 60, 55].map(uuid)],
  ['/decision-rooms?status=dormant', [56].map(uuid)],
  [`/decision-rooms?updated_since=${second(3).toISOString()}`, [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01T01:00:03%2B01:00', [57, 56, 55].map(uuid)],
  ['/decision-rooms?updated_since=2026-01-01', [58, 59, 60, 57, 56, 55].map(uuid)],
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
])('%s', async (path, ids) => {
  for (const limit of [1, 2, 500]) expect(await walk(path, limit)).toEqual(ids);
});

test('an engagement event of any id up to 18 digits can be passed', async () => {
  const { body } = await api.get(`/engagement/events?cursor=${'9'.repeat(18)}`, key).expect(200);
  expect(body).toEqual({ data: [], nextCursor: '9'.repeat(18), hasMore: false });
});

test('a row that changed comes again, behind the cursor that was stored', async () => {
  const { body } = await api.get('/decision-rooms', key).expect(200);
  await api.db.room.update({
    where: { companyId_id: { companyId: 1, id: uuid(60) } },
    data: { lastActivityAt: second(100) },
  });
  const later = await api.get(`/decision-rooms?cursor=${body.nextCursor}`, key).expect(200);
  expect(later.body.data.map(({ id }: { id: string }) => id)).toEqual([uuid(60)]);
});

test('every object is as its schema says', async () => {
  for (const [path, schema] of [
    ['/decision-rooms', room],
    ['/engagement/events', engagementEvent],
    ['/engagement/views', engagementView],
  ] as const) {
    const { body } = await api.get(path, key).expect(200);
    for (const item of body.data) expect(schema.strict().parse(item)).toEqual(item);
  }
  const { body } = await api.get(`/calls/${uuid(19)}`, key).expect(200);
  expect(call.strict().parse(body.data)).toEqual(body.data);
  expect(body.data.deal).toEqual({ status: 'open', valueCents: null });
});

test('one object is the same alone and in its list', async () => {
  for (const path of ['/decision-rooms', '/calls']) {
    const { body } = await api.get(path, key).expect(200);
    for (const item of body.data) {
      expect((await api.get(`${path}/${item.id}`, key).expect(200)).body).toEqual({ data: item });
    }
  }
});
