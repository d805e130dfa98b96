import { rebuildTexts } from '@deal-signals/capture/texts/rebuild-texts';
import { Prisma } from '@deal-signals/db/generated/client';
import { PAGE_BYTES } from '@deal-signals/serializers/feed-page';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { addCompany, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// Rows that are larger than capture allows, so they are written directly into their tables.

const HEAP_MB = 160;
const ROWS = 500;
const MEGABYTE = 1_000_000;
const READERS = 3;
const TIMEOUT_MS = 600_000;
/** `rebuildTexts` builds the texts of existing rows. */
const NO_TEXT_YET = '';

/** SQL for the text of an event with a long note in its metadata. */
function textWithNote(id: string, length: string): Prisma.Sql {
  const note = `'"metadata":{"note":"' || repeat('x', ${length}) || '"}'`;
  return Prisma.raw(`replace(${sqlText('event', id)}, '"metadata":{}', ${note})`);
}

let database: TestDatabase;
let api: RunningApp;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await addCompany(db, 1);
  key = await addKey(db, 1);
  await addRoom(db, 1, 1);
  // All rows share one text, which compresses well: the database is small, although the responses are large.
  await db.$executeRaw`
    INSERT INTO calls (company_id, id, kind, status, occurred_at, updated_at, owner_id, title, participants, summary,
                       object_text)
    SELECT 1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'demo', 'completed', '2026-09-01',
           '2026-09-01', 1,
           CASE WHEN n % 3 = 0 THEN repeat('x', ${MEGABYTE}::int) END,
           CASE WHEN n % 3 = 1 THEN json_build_array(json_build_object('role', repeat('x', ${MEGABYTE}::int))) ELSE '[]' END,
           CASE WHEN n % 3 = 2 THEN json_build_object('headline', repeat('x', ${MEGABYTE}::int)) END, ${NO_TEXT_YET}
    FROM generate_series(1, 30) n`;
  await db.$executeRaw`
    INSERT INTO rooms (company_id, id, name, created_at, last_activity_at, object_text)
    SELECT 1, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, repeat('x', ${MEGABYTE}::int), '2026-09-01',
           '2026-09-01', ${NO_TEXT_YET}
    FROM generate_series(1, 29) n`;
  // A view with 30,000 ranges is about a megabyte of JSON.
  await db.$executeRaw`
    INSERT INTO distributions (company_id, id, room_id, identity, updated_at)
    VALUES (1, ${uuid(1)}::uuid, ${uuid(1)}::uuid, ${`link:${uuid(1)}`}, '2026-09-01')`;
  await db.$executeRaw`
    INSERT INTO documents (company_id, id, room_id, title, category, updated_at)
    SELECT 1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${uuid(1)}::uuid,
           repeat('x', ${MEGABYTE}::int), 'c', '2026-09-01'
    FROM generate_series(1, 30) n`;
  await db.$executeRaw`
    INSERT INTO engagement_views (company_id, id, key, kind, started_at, ended_at, identity, distribution_id, buyer_space_id,
                                  watch_seconds, segments, object_text)
    SELECT 1, n, n::text, 'trailer', '2026-09-01', '2026-09-01', ${`link:${uuid(1)}`}, ${uuid(1)}::uuid, ${uuid(1)}::uuid, 1,
           (SELECT jsonb_agg(jsonb_build_array(100, 101)) FROM generate_series(1, 30000)), ${NO_TEXT_YET}
    FROM generate_series(1, 30) n`;
  await rebuildTexts(db, () => {});
  // Only their texts are large: the rows are too many to build them from their columns here.
  await db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT 1, n, 'event', n::text, CASE WHEN n % 2 = 0 THEN 'comment' ELSE 'room_visit' END, '2026-09-01',
           ${uuid(1)}::uuid, ${textWithNote('n', String(MEGABYTE))}
    FROM generate_series(1, ${ROWS}) n`;
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
}, TIMEOUT_MS);

afterAll(() => database.drop());

interface Page {
  data: { id: string }[];
  nextCursor: string;
  hasMore: boolean;
}

/** Reads a page. It is not compressed, which would take most of the time. */
function get(path: string): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  });
}

/** Reads a feed to its end and checks that each page ends early. Returns the ids in order. */
async function walk(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = '', hasMore = true; hasMore;) {
    const response = await get(path + cursor);
    const text = await response.text();
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(text.length)]);
    expect(text.length).toBeGreaterThan(0.9 * MEGABYTE);
    expect(text.length).toBeLessThan(PAGE_BYTES + 200_000);
    const page = JSON.parse(text) as Page;
    ids.push(...page.data.map(({ id }) => id));
    cursor = `&cursor=${page.nextCursor}`;
    ({ hasMore } = page);
  }
  return ids;
}

test(
  'several readers of rows of a megabyte get every row once, from a process with a small heap',
  async () => {
    const events = await database.db.engagementEvent.findMany({
      select: { id: true },
      orderBy: { id: 'asc' },
    });
    const expected = events.map(({ id }) => String(id));
    expect(expected).toHaveLength(ROWS);
    const seen = await Promise.all(
      Array.from({ length: READERS }, () => walk('/engagement/events?limit=500')),
    );
    for (const ids of seen) expect(ids).toEqual(expected);
    await expect(fetch(`${api.url}/healthz`).then(({ status }) => status)).resolves.toBe(200);
  },
  TIMEOUT_MS,
);

test.each([
  ['/engagement/events?limit=500&types=comment', ROWS / 2],
  ['/calls?limit=500', 30],
  ['/decision-rooms?limit=500', 30],
  ['/engagement/views?limit=500', 30],
  ['/documents?limit=500', 30],
])(
  '%s also ends its pages early',
  async (path, rows) => {
    const ids = await walk(path);
    expect([ids.length, new Set(ids).size]).toEqual([rows, rows]);
  },
  TIMEOUT_MS,
);

test('a row that is larger than a page has a page of its own', async () => {
  await database.db.$executeRaw`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT 1, 1000000 + n, 'event', 'huge ' || n, 'message', '2026-09-01', ${uuid(1)}::uuid,
           ${textWithNote('1000000 + n', `CASE WHEN n = 2 THEN 6 * ${MEGABYTE} ELSE 1 END`)}
    FROM generate_series(1, 3) n`;
  const pages: [number, boolean][] = [];
  for (let cursor = '0', hasMore = true; hasMore;) {
    const response = await get(`/engagement/events?types=message&cursor=${cursor}`);
    const page = (await response.json()) as Page;
    pages.push([page.data.length, page.hasMore]);
    ({ nextCursor: cursor, hasMore } = page);
  }
  expect(pages).toEqual([
    [1, true],
    [1, true],
    [1, false],
  ]);
});
