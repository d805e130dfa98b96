import { firstIdAt } from '@deal-signals/db/feeds/position';
import {
  capture,
  captureWorkspace,
  CALL,
  DOCUMENT,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

// The cursor of an empty first page with a time filter is the position from which it was read.

const MARGIN_MS = 600_000;
const EMPTY_COMPANY = 2;
const CONTRACT = 'agr_1';

let api: TestApi;
let token: string;
let emptyToken: string;
const session = sessionToken({ companyId: COMPANY, sub: '7' });

/** Captures something for every feed. */
async function captureAll(n: number): Promise<void> {
  const occurredAt = '2026-01-10T12:00:00Z';
  await capture(
    api.db,
    { record: 'call', id: CALL, title: `Demo ${n}` },
    { record: 'member', roomId: ROOM, email: 'ann@globex.example', name: `Ann ${n}` },
    { record: 'document', id: DOCUMENT, title: `Pricing ${n}` },
    { record: 'esign', id: CONTRACT, roomId: ROOM, vendor: 'v', envelopeId: `e${n}`, status: 'sent' },
    { record: 'distribution', id: LINK, recipientName: `Bob ${n}` },
    { record: 'event', key: `event ${n}`, type: `visit_${n}`, occurredAt, distributionId: LINK },
    {
      record: 'view',
      key: `view ${n}`,
      distributionId: LINK,
      startedAt: occurredAt,
      endedAt: occurredAt,
      segments: [[0, n]],
    },
  );
  await api.post('/api-keys', session, { name: `key ${n}` }).expect(201);
}

/** Moves the dates of all captured objects back to the middle of January. */
async function dateBack(): Promise<void> {
  const at = new Date('2026-01-15T12:00:00Z');
  const byTime = ['calls', 'people', 'documents', 'esign_documents', 'distributions'];
  const byId = ['engagement_events', 'engagement_views', 'pending_deliveries', 'audit_records'];

  await api.db.$transaction([
    // Without triggers, which would move the rows to the end of their feeds.
    api.db.$executeRawUnsafe('SET LOCAL session_replication_role = replica'),
    api.db.$executeRaw`UPDATE rooms SET last_activity_at = ${at}`,
    ...byTime.map((table) => api.db.$executeRawUnsafe(`UPDATE ${table} SET updated_at = $1`, at)),
    api.db.$executeRaw`
      UPDATE webhook_delivery_subjects AS s SET first_delivery_id = ${firstIdAt(at)} + position
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS position FROM pending_deliveries) AS positions
      WHERE positions.id = s.first_delivery_id`,
    ...byId.map((table) =>
      api.db.$executeRawUnsafe(
        `UPDATE ${table} AS t SET id = $1::bigint + position
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS position FROM ${table}) AS positions WHERE positions.id = t.id`,
        firstIdAt(at),
      ),
    ),
  ]);
}

const FEEDS = [
  { path: '/calls', filter: 'updated_since', field: 'title', fresh: ['Demo 2'] },
  { path: '/decision-rooms', filter: 'updated_since', field: 'id', fresh: [ROOM] },
  { path: '/room-scores', filter: 'updated_since', field: 'id', fresh: [ROOM] },
  // The recipient of the link also has another name.
  { path: '/people', filter: 'updated_since', field: 'name', fresh: ['Ann 2', 'Bob 2'] },
  { path: '/documents', filter: 'updated_since', field: 'title', fresh: ['Pricing 2'] },
  { path: '/esign-documents', filter: 'updated_since', field: 'id', fresh: [CONTRACT] },
  { path: '/distributions', filter: 'updated_since', field: 'id', fresh: [LINK] },
  { path: '/engagement/events', filter: 'since', field: 'type', fresh: ['visit_2'] },
  { path: '/engagement/views', filter: 'since', field: 'watchSeconds', fresh: ['2'] },
  {
    path: '/webhook-deliveries',
    filter: 'since',
    field: 'eventType',
    fresh: ['engagement.recorded', 'engagement.view.recorded'],
  },
  { path: '/audit-log', filter: 'since', field: 'action', fresh: ['api_key.created'] },
];

const tokenOf = (path: string) => (path === '/audit-log' ? session : token);

async function pageOf(path: string, query: Record<string, string>, by = tokenOf(path)) {
  const { body } = await api.get(`${path}?${new URLSearchParams(query)}`, by).expect(200);
  return body as { data: Record<string, unknown>[]; nextCursor: string; hasMore: boolean };
}

/** Returns the time of a position, in milliseconds. */
function timeOf(cursor: string): number {
  if (/^\d+$/.test(cursor)) return Number(BigInt(cursor) / 1_000n);
  return (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { at: number }).at;
}

/** The cursors of empty first pages of each feed, by the time of the filter. */
const cursors = new Map<string, string[]>();
/** When they were requested. */
const requested = { fromMs: 0, toMs: 0 };

const PAST = '2026-02-01T00:00:00Z';

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
  await addCompany(api.db, EMPTY_COMPANY);
  token = await addKey(api.db, COMPANY);
  emptyToken = await addKey(api.db, EMPTY_COMPANY);
  await addEndpoint(api.db);
  await captureAll(1);
  await dateBack();
  requested.fromMs = Date.now();
  for (const { path, filter } of FEEDS) {
    const found: string[] = [];
    for (const time of [PAST, new Date().toISOString(), '2999-01-01']) {
      const page = await pageOf(path, { [filter]: time });
      expect([path, time, page.data, page.hasMore]).toEqual([path, time, [], false]);
      found.push(page.nextCursor);
    }
    cursors.set(path, found);
  }
  requested.toMs = Date.now();
  // Continuing does not find any earlier row.
  for (const { path } of FEEDS) {
    for (const cursor of cursors.get(path)!) {
      expect([path, await pageOf(path, { cursor })]).toEqual([
        path,
        { data: [], nextCursor: cursor, hasMore: false },
      ]);
    }
  }
  await captureAll(2);
});
afterAll(() => api.close());

test('covers all lists with a time filter', () => {
  const lists = ROUTES.flatMap(({ path, query }) => {
    const filter = ['updated_since', 'since'].find((name) => query !== undefined && name in query.shape);
    const isList = query !== undefined && 'cursor' in query.shape;
    // The delivery log of one endpoint is the delivery log with a filter.
    return filter !== undefined && isList && path !== '/webhooks/:id/deliveries' ? [`${path} ${filter}`] : [];
  });
  expect(FEEDS.map(({ path, filter }) => `${path} ${filter}`).toSorted()).toEqual(lists.toSorted());
});

describe.each(FEEDS)('an empty first page of $path', ({ path, filter, field, fresh }) => {
  test('continues with everything that is recorded afterwards, and nothing before', async () => {
    expect(cursors.get(path)).toHaveLength(3);
    for (const cursor of cursors.get(path)!) {
      const { data } = await pageOf(path, { cursor });
      expect(data.map((object) => String(object[field])).toSorted()).toEqual(fresh);
    }
  });

  test('is ten minutes before the time of the filter, or before the present', () => {
    const [past, now, future] = cursors.get(path)!.map(timeOf) as [number, number, number];
    expect(Date.parse(PAST) - MARGIN_MS - past).toBeLessThanOrEqual(1);
    expect(past).toBeLessThan(Date.parse(PAST) - MARGIN_MS);
    for (const position of [now, future]) {
      expect(position).toBeGreaterThanOrEqual(requested.fromMs - MARGIN_MS - 2);
      expect(position).toBeLessThan(requested.toMs - MARGIN_MS);
    }
  });

  test('is at or shortly before the beginning if the filter is older than everything', async () => {
    const by = path === '/audit-log' ? sessionToken({ companyId: EMPTY_COMPANY }) : emptyToken;
    const { nextCursor } = await pageOf(path, {}, by);
    for (const time of ['0001-01-01', '1969-12-31', '2001-09-09T01:56:40Z']) {
      const early = await pageOf(path, { [filter]: time }, by);
      if (early.nextCursor !== nextCursor) expect(timeOf(early.nextCursor)).toBeLessThan(Date.parse(time));
      expect(await pageOf(path, { cursor: early.nextCursor }, by)).toEqual(early);
    }
  });
});

test.each([
  ['/webhook-deliveries', 'since'],
  ['/audit-log', 'since'],
])('an empty first page of %s that is read newest first stays at its beginning', async (path, filter) => {
  const { nextCursor } = await pageOf(path, { order: 'desc', [filter]: '2999-01-01' });
  const { data } = await pageOf(path, { order: 'desc', cursor: nextCursor });
  expect(data.length).toBeGreaterThan(1);
});

test('does not skip what was recorded ten minutes ahead of the filter', async () => {
  const since = new Date(Date.now() + 300_000);
  const first = await pageOf('/engagement/events', { since: since.toISOString() });
  expect(first.data).toEqual([]);
  await capture(api.db, {
    record: 'event',
    key: 'ahead',
    type: 'ahead',
    occurredAt: since.toISOString(),
    distributionId: LINK,
  });
  const again = await pageOf('/engagement/events', { since: since.toISOString() });
  expect(again.data.map(({ type }) => type)).toEqual(['ahead']);
  const next = await pageOf('/engagement/events', { cursor: first.nextCursor });
  expect(next.data.at(-1)).toMatchObject({ type: 'ahead' });
});

test('other filters do not change the position', async () => {
  const { nextCursor } = await pageOf('/engagement/events', { since: PAST, buyer_space_id: uuid(99) });
  expect(nextCursor).toBe(cursors.get('/engagement/events')?.[0]);
});
