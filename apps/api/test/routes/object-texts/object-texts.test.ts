import { rebuildTexts } from '@deal-signals/capture/texts/rebuild-texts';
import { serializeCall } from '@deal-signals/serializers/calls/call';
import type { CallSummary } from '@deal-signals/serializers/calls/call-summary';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { PAGE_BYTES } from '@deal-signals/serializers/feed-page';
import { serializeRoom } from '@deal-signals/serializers/rooms/room';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { firstRecords, LINKS, randomRecords, ROOMS } from './random-objects.ts';

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
    include: { owner: true, totals: true },
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
    '/decision-rooms': rooms.map(({ owner, totals, ...row }) =>
      serializeRoom({
        ...row,
        ownerName: owner?.name ?? null,
        ownerEmail: owner?.email ?? null,
        lastEngagementAt: totals?.lastActivityAt ?? null,
      }),
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

async function captureSome(seed: number): Promise<void> {
  const random = randomNumbers(seed * 7_919);
  for (let batch = 0; batch < 6; batch += 1) await capture(api.db, ...randomRecords(random));
}

test.each([1, 2, 3])(
  'after every batch of random changes, every text equals the one built from its columns: seed %d',
  async (seed) => {
    await addEndpoint(api.db, { events: ['engagement.recorded'] });
    const random = randomNumbers(seed * 7_919);
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await capture(api.db, ...randomRecords(random));
      await expectFreshTexts();
    }
    const pushed = await api.db.delivery.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
    const bodies = await Promise.all(
      pushed.map(async ({ id }) => (await readDelivery(api.db, id)).event.body),
    );
    const { '/engagement/events': pulled = [] } = await plainObjects();
    expect(pulled.length).toBeGreaterThan(10);
    expect(bodies.map((body) => body.slice(body.indexOf(',"data":')))).toEqual(
      pulled.map((object) => `,"data":${JSON.stringify(object)}}`),
    );
  },
  TIMEOUT_MS,
);

test(
  'rebuilding stores the same texts as capture',
  async () => {
    await captureSome(4);
    const stored = () =>
      Promise.all(
        TABLES.map((table) =>
          api.db.$queryRawUnsafe(`SELECT company_id, id, object_text FROM ${table} ORDER BY company_id, id`),
        ),
      );
    const kept = await stored();
    for (const table of TABLES) await api.db.$executeRawUnsafe(`UPDATE ${table} SET object_text = '{}'`);
    const written: number[] = [];
    await rebuildTexts(api.db, (rebuilt) => written.push(rebuilt.written));
    expect(Math.min(...written)).toBeGreaterThan(2);
    expect(await stored()).toEqual(kept);
  },
  TIMEOUT_MS,
);

test('a page of large objects ends early', async () => {
  await capture(
    api.db,
    ...Array.from({ length: 400 }, (_, n) => ({
      record: 'event' as const,
      key: `large ${n}`,
      type: 'comment',
      occurredAt: '2026-09-01',
      distributionId: LINKS[0]!,
      metadata: { note: 'x'.repeat(15_000) },
    })),
  );
  const { data, hasMore } = (await api.get('/engagement/events?limit=500', key).expect(200)).body as {
    data: object[];
    hasMore: boolean;
  };
  expect([data.length, hasMore]).toEqual([Math.floor(PAGE_BYTES / JSON.stringify(data[0]).length), true]);
});

/** Returns SQL for a value that differs from the stored one. */
const BY_TYPE: Record<string, string> = {
  text: `'by hand'`,
  integer: '41',
  bigint: '41',
  date: `'2031-02-03'`,
  uuid: 'NULL',
  json: `'{"by": "hand"}'`,
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
  'rebuilding updates every column that was changed by hand, except the text',
  async () => {
    await captureSome(6);
    const columns = await api.db.$queryRaw<{ table: string; name: string; type: string }[]>`
      SELECT c.relname::text AS table, a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relname = ANY (${TABLES}) AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attname NOT IN ('company_id', 'id', 'source', 'key', 'owner_id', 'object_text')
      ORDER BY c.relname, a.attnum`;
    expect(columns.length).toBeGreaterThan(45);
    await expectFreshTexts();
    // A document has no recording and a recording no document, and a view ends after it starts, so one changed value alone would
    // violate a constraint.
    await api.db.$executeRaw`
      ALTER TABLE engagement_views DROP CONSTRAINT engagement_views_kind_check,
        DROP CONSTRAINT engagement_views_span_check`;
    for (const { table, name, type } of columns) {
      const value = BY_COLUMN[`${table}.${name}`] ?? BY_TYPE[type];
      await api.db.$executeRawUnsafe(`UPDATE ${table} SET ${name} = ${value}`);
      await rebuildTexts(api.db, () => {});
      await expectFreshTexts(PATHS[table] as string);
    }
  },
  TIMEOUT_MS,
);
