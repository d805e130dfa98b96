import { IDS_PER_MS } from '@deal-signals/db/feeds/position';
import { MAX_LOOKED_AT } from '@deal-signals/serializers/engagement/since';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { addCompany, addKey, addLink, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { explain, recordQueries, type Statement } from './query-plan.ts';

// 100,000 rows of 100 days, recorded up to two hours after they occurred, with one that is dated in the year 1 and an import of
// 60,000 old rows among the new ones. Another workspace has a day with 20,000 rows between two quiet days. Some rows of its night
// were recorded late, and some are dated a few minutes ahead.

const ROWS = 100_000;
const BUSY_ROWS = 20_000;
const BUSY_DAY = '2026-05-05';
const LAST_DAYS = '2026-04-08T12:00:00.000Z';
/** During the import: the 51,000 rows that were recorded next are older. */
const DURING_THE_IMPORT = '2026-02-15T00:00:00.000Z';
const FEEDS = {
  '/engagement/events': { table: 'engagement_events', moment: 'occurred_at' },
  '/engagement/views': { table: 'engagement_views', moment: 'started_at' },
} as const;

let api: TestApi;
let key: string;
let busyKey: string;
let client: Client;

beforeAll(async () => {
  api = await openTestApi();
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  await addCompany(api.db, 1);
  await addCompany(api.db, 2);
  key = await addKey(api.db, 1);
  busyKey = await addKey(api.db, 2);
  for (const n of [1, 2]) {
    await addRoom(api.db, 1, n);
    await addLink(api.db, 1, n, { roomId: uuid(n) });
    await addRoom(api.db, 2, 10 + n);
    await addLink(api.db, 2, 10 + n, { roomId: uuid(10 + n) });
  }
  await addRows(
    1,
    `SELECT n, recorded, CASE WHEN n = 30000 THEN '0001-01-01'
                              WHEN n BETWEEN 36000 AND 96000 THEN '2010-01-01'::timestamptz + n * '1 hour'::interval
                              ELSE recorded - n * 79 % 7200 * '1 second'::interval
                         END AS at,
           (CASE WHEN n % 97 = 0 THEN '${uuid(2)}' ELSE '${uuid(1)}' END)::uuid AS room
    FROM generate_series(1, ${ROWS}) n
    CROSS JOIN LATERAL (SELECT '2026-01-01'::timestamptz + n * 100 * '1 day'::interval / ${ROWS} AS recorded) AS r`,
  );
  await addRows(
    2,
    `SELECT n, recorded, CASE WHEN n > 0 AND n <= ${BUSY_ROWS} AND n % 800 = 7 THEN least(recorded, '${BUSY_DAY}'::timestamptz + '1 hour')
                              WHEN n % 3000 = 11 THEN recorded + '9 minutes'
                              ELSE recorded + n * 79 % 120 * '1 second'::interval
                         END AS at,
           (CASE WHEN n % 97 = 0 THEN '${uuid(12)}' ELSE '${uuid(11)}' END)::uuid AS room
    FROM generate_series(-500, ${BUSY_ROWS + 500}) n
    CROSS JOIN LATERAL (SELECT '${BUSY_DAY}'::timestamptz + n * '1 day'::interval / ${BUSY_ROWS} AS recorded) AS r`,
  );
  await client.query('VACUUM (ANALYZE)');
}, 300_000);

/** The id that the feed clock assigned to row `n`. */
const ID = `(extract(epoch FROM recorded) * 1000)::bigint * ${IDS_PER_MS} + 500 + n % 500`;

/** Adds an event and a view for each row of a query, in the order of `n`. */
async function addRows(companyId: number, rows: string): Promise<void> {
  await client.query(`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT ${companyId}, ${ID}, 'event', n::text, CASE WHEN n % 50 = 1 THEN 'comment' WHEN n % 1000 = 2 THEN 'forward' ELSE 'room_visit' END,
           at, room, ${sqlText('event', ID)} FROM (${rows}) AS row ORDER BY n`);
  await client.query(`
    INSERT INTO engagement_views (company_id, id, key, kind, started_at, ended_at, identity, distribution_id, buyer_space_id,
                                  watch_seconds, object_text)
    SELECT ${companyId}, ${ID}, n::text, 'trailer', at, at, 'link:' || room, room, room, 1, ${sqlText('view', ID)}
    FROM (${rows}) AS row ORDER BY n`);
}

afterAll(async () => {
  await client.end();
  await api.close();
});

interface Page {
  data: { id: string }[];
  nextCursor: string;
  hasMore: boolean;
}

async function pageOf(path: string, token = key): Promise<Page> {
  return (await api.get(path, token).expect(200)).body as Page;
}

/**
 * Reads a list to its end. Returns its ids, the number of rows on each page, and the maximum numbers of rows and buffers that the
 * query of a page read.
 */
async function walk(path: string, query: string, token = key) {
  const ids: string[] = [];
  const lengths: number[] = [];
  let max = { rows: 0, buffers: 0, text: '' };
  for (let cursor = '0', hasMore = true; hasMore;) {
    const pages: Page[] = [];
    const address = `${path}?${query}&cursor=${cursor}`;
    const statements = await recordQueries(async () => pages.push(await pageOf(address, token)));
    for (const page of pages) {
      ids.push(...page.data.map(({ id }) => id));
      lengths.push(page.data.length);
      ({ nextCursor: cursor, hasMore } = page);
    }
    const { rowsRead, buffers, text } = await explain(client, statements.at(-1) as Statement);
    if (buffers > max.buffers) max = { rows: rowsRead, buffers, text };
  }
  return { ids, lengths, max };
}

async function expectedIds(
  path: keyof typeof FEEDS,
  since: string,
  where = '',
  companyId = 1,
): Promise<string[]> {
  const { table, moment } = FEEDS[path];
  const { rows } = await client.query<{ id: string }>(
    `SELECT id::text FROM ${table} WHERE company_id = ${companyId} AND ${moment} >= '${since}' ${where} ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

test.each([
  ['/engagement/events', LAST_DAYS, '', ''],
  ['/engagement/events', LAST_DAYS, '&types=comment,forward', "AND type IN ('comment', 'forward')"],
  ['/engagement/events', LAST_DAYS, `&buyer_space_id=${uuid(2)}`, `AND buyer_space_id = '${uuid(2)}'`],
  ['/engagement/views', LAST_DAYS, '', ''],
] as const)('%s since %s%s reads few more rows than it returns', async (path, since, filter, where) => {
  const { ids, max } = await walk(path, `since=${since}${filter}`);
  const expected = await expectedIds(path, since, where);
  expect(expected.length).toBeGreaterThan(1);
  expect(ids).toEqual(expected);
  expect(max.rows <= 2_500 && max.buffers <= 2_500 ? null : max).toBeNull();
});

test.each(['/engagement/events', '/engagement/views'] as const)(
  'a page of %s examines a bounded number of imported rows, and the next one continues after them',
  async (path) => {
    const { ids, lengths, max } = await walk(path, `since=${DURING_THE_IMPORT}`);
    expect(ids).toEqual(await expectedIds(path, DURING_THE_IMPORT));
    expect(lengths[0]).toBe(0);
    expect(max.rows).toBeGreaterThan(MAX_LOOKED_AT);
    expect(max.rows <= MAX_LOOKED_AT + 1_000 && max.buffers <= 10_000 ? null : max).toBeNull();
  },
);

test.each([
  ['00:00', '', ''],
  ['00:16', '', ''],
  ['12:07', '', ''],
  ['23:59', '', ''],
  ['12:07', '&types=comment,forward', "AND type IN ('comment', 'forward')"],
  ['12:07', `&buyer_space_id=${uuid(12)}`, `AND buyer_space_id = '${uuid(12)}'`],
])(
  'since %s of a day with many rows%s, a page reads few of those before that time',
  async (time, filter, where) => {
    const since = `${BUSY_DAY}T${time}:00.000Z`;
    for (const path of ['/engagement/events', '/engagement/views'] as const) {
      if (path === '/engagement/views' && filter.includes('types')) continue;
      const { ids, max } = await walk(path, `since=${since}${filter}`, busyKey);
      const expected = await expectedIds(path, since, where, 2);
      expect(expected.length).toBeGreaterThan(1);
      expect(ids).toEqual(expected);
      expect(max.rows <= 2_500 && max.buffers <= 2_500 ? null : max).toBeNull();
    }
  },
  120_000,
);

test.each(['/engagement/events', '/engagement/views'])(
  'a page of %s whose rows all match examines no others',
  async (path) => {
    const middle = (await pageOf(`${path}?limit=500`)).nextCursor;
    const query = `${path}?since=2026-01-01&cursor=${middle}`;
    const statements = await recordQueries(async () => pageOf(query));
    const { rowsRead, text } = await explain(client, statements.at(-1) as Statement);
    // The examined rows, those of the page, and the rows that the steps pass on.
    expect(rowsRead <= 600 ? null : text).toBeNull();
  },
);

test.each(['0001-01-01', '2009-12-31', '2015-06-01', '2026-01-01', '2026-03-15T01:02:03Z', '2100-01-01'])(
  'since %s returns every matching row once and in order, in pages of any size',
  async (since) => {
    for (const path of ['/engagement/events', '/engagement/views'] as const) {
      const expected = await expectedIds(path, since);
      for (const limit of [500, 13]) {
        // Small pages, of a part of the feed.
        const end = limit === 500 ? Infinity : 40;
        const ids: string[] = [];
        for (let cursor = '0', hasMore = true, pages = 0; hasMore && pages < end; pages += 1) {
          const page = await pageOf(`${path}?since=${since}&limit=${limit}&cursor=${cursor}`);
          ids.push(...page.data.map(({ id }) => id));
          ({ nextCursor: cursor, hasMore } = page);
        }
        expect({ path, limit, ids }).toEqual({ path, limit, ids: expected.slice(0, end * limit) });
      }
    }
  },
  120_000,
);
