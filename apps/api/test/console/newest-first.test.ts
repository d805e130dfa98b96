import { firstIdAt } from '@deal-signals/db/feeds/position';
import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import {
  addCall,
  addCompany,
  addEvent,
  addLink,
  addRoom,
  addView,
} from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

let api: TestApi;
const token = sessionToken();
const SUMMARY = { headline: 'It went well', topics: [] };
/** Returns the id of an event that occurred this many seconds after the first, and was recorded immediately. */
const idAt = (offset: number) => firstIdAt(second(offset + 1));
const feedIds = (...offsets: number[]) => offsets.map((offset) => String(idAt(offset)));

beforeAll(async () => {
  api = await openTestApi();
  const { db } = api;
  for (const company of [1, 2, 3]) await addCompany(db, company);
  // Ids fall while the sort key rises, and three rooms share one moment, so neither alone gives the order.
  for (const [index, status] of (['open', 'won', 'open', 'lost', 'dormant', 'open'] as const).entries()) {
    await addRoom(db, 1, 60 - index, { status, lastActivityAt: second(index < 3 ? 1 : index) });
  }
  await addRoom(db, 2, 900, { lastActivityAt: second(2) });
  await addCall(db, 1, 20, { roomId: uuid(60), updatedAt: second(1), summary: SUMMARY });
  await addCall(db, 1, 19, { kind: 'meeting', roomId: uuid(60), updatedAt: second(1) });
  await addCall(db, 1, 21, { updatedAt: second(1) });
  await addCall(db, 1, 18, { updatedAt: second(3), summary: SUMMARY });
  await addCall(db, 1, 17, { kind: 'qualifying_call', updatedAt: second(4) });
  await addCall(db, 2, 901, { roomId: uuid(900), updatedAt: second(2), summary: SUMMARY });
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
  await db.$executeRaw`
    INSERT INTO audit_records (company_id, id, at, user_id, request_id, action, object_type, object_id, details)
    SELECT company, ${firstIdAt(new Date('2026-01-01T00:00:00Z'))} + n * 60_000_000::bigint, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute',
           CASE n % 3 WHEN 0 THEN company WHEN 1 THEN 99 END, 'request',
           CASE WHEN n % 2 = 0 THEN 'webhook.updated' ELSE 'request.refused' END, 'webhook', (n % 2)::text, '{}'
    FROM generate_series(0, 9) n, unnest('{1,2}'::int[]) company ORDER BY n, company`;
});

afterAll(() => api.close());

/** Returns all ids of a list in an order, read in pages of the given size. Every page except the last must be full. */
async function walk(path: string, order: string, limit = 500): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 50; pages += 1) {
    const query = `${path.includes('?') ? '&' : '?'}order=${order}&limit=${limit}${cursor}`;
    const { body } = await api.get(path + query, token).expect(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.hasMore) return ids;
    expect(body.data).toHaveLength(limit);
    cursor = `&cursor=${body.nextCursor}`;
  }
  throw new Error(`${path} has no end`);
}

test.each([
  ['/console/api/decision-rooms', [55, 56, 57, 60, 59, 58].map(uuid)],
  ['/console/api/decision-rooms?status=open', [55, 60, 58].map(uuid)],
  [`/console/api/decision-rooms?updated_since=${second(3).toISOString()}`, [55, 56, 57].map(uuid)],
  ['/console/api/calls', [17, 18, 21, 20, 19].map(uuid)],
  ['/console/api/calls?kind=demo', [18, 21, 20].map(uuid)],
  ['/console/api/calls?has_summary=true', [18, 20].map(uuid)],
  [`/console/api/calls?buyer_space_id=${uuid(60)}`, [20, 19].map(uuid)],
  [`/console/api/calls?updated_since=${second(2).toISOString()}`, [17, 18].map(uuid)],
  ['/console/api/engagement/events', feedIds(4, 3, 2, 1, 0)],
  ['/console/api/engagement/events?types=trailer_view', feedIds(3, 1)],
  ['/console/api/engagement/events?types=trailer_view,comment', feedIds(4, 3, 1)],
  [`/console/api/engagement/events?buyer_space_id=${uuid(60)}`, feedIds(4, 1, 0)],
  [`/console/api/engagement/events?buyer_space_id=${uuid(60)}&types=comment,room_visit`, feedIds(4, 0)],
  [`/console/api/engagement/events?demo_id=${uuid(20)}`, feedIds(1)],
])('%s returns the newest first, and each row once in pages of any size', async (path, ids) => {
  for (const limit of [1, 2, 500]) {
    expect({ limit, ids: await walk(path, 'desc', limit) }).toEqual({ limit, ids });
  }
  expect(await walk(path, 'asc', 2)).toEqual(ids.toReversed());
});

test.each([
  ['', 10],
  ['action=request.refused', 5],
  ['object_type=webhook&object_id=1', 5],
  ['since=2026-01-01T00:04:00Z', 6],
  ['until=2026-01-01T00:04:00Z', 4],
  ['since=2026-01-01T00:02:00Z&until=2026-01-01T00:08:00Z&action=webhook.updated', 3],
])('the audit log with "%s" is the reverse of itself', async (query, total) => {
  const ascending = await walk(`/audit-log?${query}`, 'asc');
  expect(ascending).toHaveLength(total);
  for (const limit of [1, 3, 500]) {
    expect(await walk(`/audit-log?${query}`, 'desc', limit)).toEqual(ascending.toReversed());
    expect(await walk(`/console/api/audit-log?${query}`, 'desc', limit)).toEqual(ascending.toReversed());
  }
  const { text } = await api
    .get(`/audit-log?order=desc&${query}`, token)
    .set('Accept', 'application/x-ndjson')
    .buffer()
    .parse((response, done) => {
      let all = '';
      response.on('data', (part: Buffer) => (all += part.toString()));
      response.on('end', () => done(null, all));
    })
    .then(({ body }) => ({ text: body as string }));
  const lines = text.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ascending.toReversed());
});

test('the audit log of the console contains the names of users that are known in the workspace', async () => {
  const { body } = await api.get('/console/api/audit-log?order=desc&limit=3', token).expect(200);
  expect(body.data.map(({ userId, userName }: Record<string, unknown>) => [userId, userName])).toEqual([
    [1, 'Sam Seller'],
    [null, null],
    [99, null],
  ]);
});

describe.each([
  '/console/api/decision-rooms',
  '/console/api/calls',
  '/console/api/engagement/events',
  '/console/api/audit-log',
  '/audit-log',
])('%s', (path) => {
  test('rejects a cursor of the other order, and an unknown order', async () => {
    for (const [order, other] of [
      ['asc', 'desc'],
      ['desc', 'asc'],
    ]) {
      const { nextCursor } = (await api.get(`${path}?order=${order}&limit=1`, token)).body;
      const refused = await api.get(`${path}?order=${other}&cursor=${nextCursor}`, token);
      expect([order, refused.status, refused.body.code]).toEqual([order, 400, 'INVALID_CURSOR']);
    }
    const { body } = await api.get(`${path}?order=newest`, token).expect(400);
    expect(body.error).toBe('order: must be one of asc, desc');
  });

  test('returns a usable cursor when it is empty', async () => {
    const { body } = await api.get(`${path}?order=desc`, sessionToken({ companyId: 3 })).expect(200);
    expect(body).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
    const all = await api.get(`${path}?order=desc&cursor=${body.nextCursor}`, token).expect(200);
    expect(all.body.data.length).toBeGreaterThan(1);
  });
});

test('rejects since for events newest first', async () => {
  const { body } = await api
    .get('/console/api/engagement/events?order=desc&since=2026-01-01', token)
    .expect(400);
  expect(body.error).toBe('since: must not be given with order=desc');
});

test('rows that are added or changed do not disturb a walk in progress', async () => {
  const walked = sessionToken({ companyId: 2 });
  for (let n = 901; n < 905; n += 1) await addRoom(api.db, 2, n, { lastActivityAt: second(n) });
  const seen: string[] = [];
  let cursor = '';
  for (let hasMore = true; hasMore;) {
    const { body } = await api
      .get(`/console/api/decision-rooms?order=desc&limit=1${cursor}`, walked)
      .expect(200);
    seen.push(body.data[0].id);
    cursor = `&cursor=${body.nextCursor}`;
    ({ hasMore } = body);
    // A new room, and new activity in the room that was just returned.
    await addRoom(api.db, 2, 1_000 + seen.length, { lastActivityAt: second(1_000 + seen.length) });
    await api.db.room.update({
      where: { companyId_id: { companyId: 2, id: body.data[0].id } },
      data: { lastActivityAt: second(2_000 + seen.length) },
    });
  }
  expect(seen).toEqual([904, 903, 902, 901, 900].map(uuid));
});

test('each room of a page has the score and the last engagement of its metrics', async () => {
  const { db } = api;
  const now = new Date();
  const link = await addLink(db, 1, 70, {
    roomId: uuid(60),
    callId: uuid(20),
    recipientEmail: 'a@b.example',
  });
  await db.call.update({
    where: { companyId_id: { companyId: 1, id: uuid(20) } },
    data: { durationSeconds: 100 },
  });
  await addView(db, 1, 1, {
    buyerSpaceId: uuid(60),
    distributionId: link,
    demoId: uuid(20),
    startedAt: now,
    endedAt: now,
    segments: [[0, 50]],
  });
  // More documents than earn points, some of them opened, one not.
  for (let n = 80; n < 85; n += 1) {
    await db.document.create({
      data: { companyId: 1, id: uuid(n), roomId: uuid(59), title: 'Pricing', category: 'x', updatedAt: now },
    });
    if (n === 84) continue;
    await addEvent(db, 1, n, {
      type: 'doc_open',
      buyerSpaceId: uuid(59),
      docId: uuid(n),
      occurredAt: new Date(now.getTime() - n * 86_400_000),
      actorEmail: `${n}@b.example`,
    });
  }
  for (let n = 1; n < 6; n += 1) {
    const event = { buyerSpaceId: uuid(58), actorEmail: `${n}@b.example`, occurredAt: now };
    await addEvent(db, 1, 100 + n, event);
  }
  await rollUp(db);
  const { body } = await api.get('/console/api/decision-rooms?order=desc', token).expect(200);
  const scores: Record<string, number> = {};
  for (const { id, engagementScore, ...shown } of body.data) {
    const { data } = (await api.get(`/console/api/decision-rooms/${id}/metrics`, token).expect(200)).body;
    scores[id] = data.engagementScore;
    expect([id, engagementScore]).toEqual([id, data.engagementScore]);
    expect([id, shown.lastEngagementAt]).toEqual([id, data.totals.lastActivityAt]);
    expect({ id, ...shown }).toEqual(data.room);
  }
  expect(scores).toMatchObject({ [uuid(58)]: 70, [uuid(59)]: 15, [uuid(55)]: 0 });
  expect(scores[uuid(60)]).toBeGreaterThan(40);
  const engagedAt = Object.fromEntries(body.data.map((room: any) => [room.id, room.lastEngagementAt]));
  const eightyDaysAgo = new Date(now.getTime() - 80 * 86_400_000).toISOString();
  expect(engagedAt).toMatchObject({
    [uuid(58)]: now.toISOString(),
    [uuid(59)]: eightyDaysAgo,
    [uuid(55)]: null,
  });
});
