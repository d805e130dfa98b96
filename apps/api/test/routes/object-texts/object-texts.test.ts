import { rebuildTexts } from '@deal-signals/capture/rebuild-texts';
import { serializeCall } from '@deal-signals/serializers/calls/call';
import type { CallSummary } from '@deal-signals/serializers/calls/call-summary';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { serializeRoom } from '@deal-signals/serializers/rooms/room';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, feedId } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { firstRecords, randomRecords, ROOMS } from './random-objects.ts';

const BATCHES = 8;
const TIMEOUT_MS = 120_000;
const PATHS: Record<string, string> = {
  engagement_events: '/engagement/events',
  engagement_views: '/engagement/views',
  calls: '/calls',
  rooms: '/decision-rooms',
};
const TABLES = Object.keys(PATHS);

let api: TestApi;
let key: string;

beforeEach(async () => {
  api = await openTestApi();
  await capture(api.db, { record: 'company', id: COMPANY, name: 'Acme' }, ...firstRecords());
  key = await addKey(api.db, COMPANY);
});
afterEach(() => api.close());

/** The objects of every feed, each built from the columns of its row. */
async function plainObjects(): Promise<Record<string, { id: string }[]>> {
  const { db } = api;
  const byId = { orderBy: { id: 'asc' } } as const;
  const events = await db.engagementEvent.findMany(byId);
  const views = await db.engagementView.findMany(byId);
  const calls = await db.call.findMany({
    include: { owner: true, room: true },
    orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
  });
  const rooms = await db.room.findMany({
    include: { owner: true },
    orderBy: [{ lastActivityAt: 'asc' }, { id: 'asc' }],
  });
  return {
    '/engagement/events': events.map(serializeEngagementEvent),
    '/engagement/views': views.map((row) =>
      serializeEngagementView({ ...row, segments: row.segments as unknown as Segment[] }),
    ),
    '/calls': calls.map(({ owner, room, ...row }) =>
      serializeCall({
        ...row,
        participants: row.participants as never,
        talkTime: row.talkTime as never,
        summary: row.summary as CallSummary | null,
        ownerName: owner.name,
        ownerEmail: owner.email,
        roomStatus: room?.status ?? null,
        roomValueCents: room?.dealValueCents ?? null,
      }),
    ),
    '/decision-rooms': rooms.map(({ owner, ...row }) =>
      serializeRoom({ ...row, ownerName: owner?.name ?? null, ownerEmail: owner?.email ?? null }),
    ),
  };
}

/** Compares the bytes of feeds, all by default, and of their single objects with a plain serialization of the rows. */
async function expectFreshTexts(...paths: string[]): Promise<void> {
  for (const [path, objects] of Object.entries(await plainObjects())) {
    if (paths.length > 0 && !paths.includes(path)) continue;
    const page = await api.get(`${path}?limit=500`, key).expect(200);
    const { nextCursor, hasMore } = page.body as { nextCursor: string; hasMore: boolean };
    expect(page.text).toBe(JSON.stringify({ data: objects, nextCursor, hasMore }));
    if (path.startsWith('/engagement/')) continue;
    for (const object of objects) {
      const single = await api.get(`${path}/${object.id}`, key).expect(200);
      expect(single.text).toBe(JSON.stringify({ data: object }));
    }
  }
}

/** How many rows have no text of their own. */
async function rowsWithoutText(): Promise<number[]> {
  return Promise.all(
    TABLES.map(async (table) => {
      const [count] = await api.db.$queryRawUnsafe<[{ n: number }]>(
        `SELECT count(*)::int AS n FROM ${table} WHERE object_version IS DISTINCT FROM 1 OR object_text IS NULL`,
      );
      return count.n;
    }),
  );
}

async function captureSome(seed: number): Promise<void> {
  const random = randomNumbers(seed * 7_919);
  for (let batch = 0; batch < 6; batch += 1) await capture(api.db, ...randomRecords(random));
}

test.each([1, 2, 3])(
  'after every batch of random changes, every text is what its columns give: seed %d',
  async (seed) => {
    await addEndpoint(api.db, { events: ['engagement.recorded'] });
    const random = randomNumbers(seed * 7_919);
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await capture(api.db, ...randomRecords(random));
      await expectFreshTexts();
      expect(await rowsWithoutText()).toEqual([0, 0, 0, 0]);
    }
    const pushed = await api.db.webhookDelivery.findMany({
      include: { event: true },
      orderBy: { id: 'asc' },
    });
    const { '/engagement/events': pulled = [] } = await plainObjects();
    expect(pulled.length).toBeGreaterThan(10);
    expect(pushed.map(({ event }) => event.body.slice(event.body.indexOf(',"data":')))).toEqual(
      pulled.map((object) => `,"data":${JSON.stringify(object)}}`),
    );
  },
  TIMEOUT_MS,
);

test.each([
  ['none', 'object_text = NULL, object_version = NULL'],
  ['that of a newer or older builder', `object_text = '{"id":"wrong"}', object_version = 2`],
])(
  'a row whose text is %s is built from its columns, and rebuilding stores what capture would have stored',
  async (_name, text) => {
    await captureSome(4);
    const stored = () =>
      Promise.all(
        TABLES.map((table) =>
          api.db.$queryRawUnsafe(
            `SELECT company_id, id, object_text, object_version FROM ${table} ORDER BY company_id, id`,
          ),
        ),
      );
    const feeds = () =>
      api.db.$queryRaw`
        SELECT (SELECT jsonb_agg(r ORDER BY id) FROM (SELECT id, last_activity_at FROM rooms) r) AS rooms,
               (SELECT jsonb_agg(c ORDER BY id) FROM (SELECT id, updated_at FROM calls) c) AS calls,
               (SELECT jsonb_agg(f) FROM feed_clocks f) AS clocks`;
    const [kept, position] = [await stored(), await feeds()];
    for (const table of TABLES) await api.db.$executeRawUnsafe(`UPDATE ${table} SET ${text}`);
    await expectFreshTexts();

    const built: number[] = [];
    await rebuildTexts(api.db, ({ built: count, skipped }) => {
      expect(skipped).toBe(0);
      built.push(count);
    });
    expect(await stored()).toEqual(kept);
    expect(await feeds()).toEqual(position);
    expect(Math.min(...built)).toBeGreaterThan(2);
    await rebuildTexts(api.db, ({ built: count }) => expect(count).toBe(0));
  },
  TIMEOUT_MS,
);

test('rebuilding leaves a row alone that a writer has locked, and waits for nothing', async () => {
  await captureSome(5);
  await api.db.$executeRaw`UPDATE rooms SET object_version = 2`;
  await api.db.$transaction(async (writer) => {
    await writer.$queryRaw`SELECT FROM rooms WHERE id = ${ROOMS[1]}::uuid FOR UPDATE`;
    const rebuilt: [string, number, number][] = [];
    await rebuildTexts(api.db, ({ name, built, skipped }) => rebuilt.push([name, built, skipped]));
    expect(rebuilt.at(-1)).toEqual(['rooms', ROOMS.length - 1, 1]);
  });
  await expectFreshTexts();
});

test('a page of large objects ends as early with their texts as without them', async () => {
  await api.db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, metadata)
    SELECT 1, ${feedId()}::bigint + n, 'event', 'large ' || n, 'comment', '2026-09-01', ${ROOMS[0]}::uuid,
           jsonb_build_object('note', repeat('x', 1000000))
    FROM generate_series(1, 6) n`;
  const read = async () => (await api.get('/engagement/events?limit=500', key).expect(200)).text;
  const built = await read();
  await rebuildTexts(api.db, () => {});
  expect(await rowsWithoutText()).toEqual([0, 0, 0, 0]);
  const stored = await read();
  expect(stored === built).toBe(true);
  const { data, hasMore } = JSON.parse(stored) as { data: object[]; hasMore: boolean };
  expect([data.length, hasMore]).toEqual([4, true]);
});

/** SQL for a value that differs from the stored one. */
const BY_TYPE: Record<string, string> = {
  text: `'by hand'`,
  integer: '41',
  bigint: '41',
  date: `'2031-02-03'`,
  uuid: 'NULL',
  jsonb: `'{"by": "hand"}'`,
  room_status: `'dormant'`,
  call_status: `'completed'`,
  'timestamp(3) with time zone': `'2031-02-03'`,
};
const BY_COLUMN: Record<string, string> = {
  'calls.kind': `(CASE kind WHEN 'meeting' THEN 'demo' ELSE 'meeting' END)::call_kind`,
  'calls.participants': `'[]'`,
  'engagement_events.buyer_space_id': `'${ROOMS[2]}'`,
  'engagement_views.kind': `(CASE kind WHEN 'trailer' THEN 'document' ELSE 'trailer' END)::view_kind`,
  'engagement_views.buyer_space_id': `'${ROOMS[2]}'`,
  'engagement_views.distribution_id': `(SELECT max(id::text)::uuid FROM distributions)`,
  'engagement_views.segments': `'[[1, 2]]'`,
};

test(
  'a column that is changed by hand, without the text, leaves no stale text behind',
  async () => {
    await captureSome(6);
    const columns = await api.db.$queryRaw<{ table: string; name: string; type: string }[]>`
      SELECT c.relname::text AS table, a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relname = ANY (${TABLES}) AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attname NOT IN ('company_id', 'id', 'source', 'key', 'owner_id', 'object_text', 'object_version')
      ORDER BY c.relname, a.attnum`;
    expect(columns.length).toBeGreaterThan(45);
    await expectFreshTexts();
    // A document has no recording and a recording no document, and a view ends after it starts, so one value by itself would be refused.
    await api.db.$executeRaw`
      ALTER TABLE engagement_views DROP CONSTRAINT engagement_views_kind_check,
        DROP CONSTRAINT engagement_views_span_check`;
    for (const { table, name, type } of columns) {
      await rebuildTexts(api.db, () => {});
      const value = BY_COLUMN[`${table}.${name}`] ?? BY_TYPE[type];
      await api.db.$executeRawUnsafe(`UPDATE ${table} SET ${name} = ${value}`);
      await expectFreshTexts(PATHS[table] as string);
    }
  },
  TIMEOUT_MS,
);
