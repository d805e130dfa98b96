import { Prisma } from '@deal-signals/db/generated/client';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { BenchContext } from '../context.ts';
import { firstDifference } from '../contestants/first-difference.ts';
import { idOf, momentOf, SPARSE_ROOM, SPARSE_TYPE } from '../data/large-feed.ts';
import { COMPANY } from '../data/workspace.ts';
import type { ExpectedResponse } from '../loader/loader-process.ts';
import type { Contestant } from '../measure/rounds.ts';
import type { Row } from '../report/row.ts';
import { compareSizes } from './compare-sizes.ts';
import { expectResponse, type FeedApi, openFeedApi } from './feed-api.ts';
import { type Loader, loadTurn, startLoader } from './load-turn.ts';

const GROUP = 'growth-pages';
const PAGE_ROWS = 100;
/** Positions that deep pages begin at. */
const DEEP_PAGES = 10;

/** A page, and what it must hold. */
interface WantedPage {
  query: string;
  /** Only events after this one. */
  after?: bigint;
  /** Of those, only the ones that meet this. */
  where?: Prisma.Sql;
}

/** A kind of page, which exists in a feed of any size. */
interface PagePath {
  name: string;
  atMost: number;
  pages: (events: number) => WantedPage[];
}

const PATHS: PagePath[] = [
  { name: 'first', atMost: 1.3, pages: () => [{ query: '' }] },
  {
    name: 'deep',
    atMost: 1.3,
    pages: (events) =>
      Array.from({ length: DEEP_PAGES }, (_, n) => {
        const after = idOf(events - 2 * PAGE_ROWS - n, events);
        return { query: `&cursor=${after}`, after };
      }),
  },
  {
    name: 'of a rare type',
    atMost: 3,
    pages: () => [{ query: `&types=${SPARSE_TYPE}`, where: Prisma.sql`type = ${SPARSE_TYPE}` }],
  },
  {
    name: 'of a room with few events',
    atMost: 3,
    pages: () => [
      { query: `&buyer_space_id=${SPARSE_ROOM}`, where: Prisma.sql`buyer_space_id = ${SPARSE_ROOM}::uuid` },
    ],
  },
  {
    name: 'of the last moments',
    atMost: 3,
    pages: (events) => {
      const since = momentOf(events - 2 * PAGE_ROWS, events);
      return [{ query: `&since=${since.toISOString()}`, where: Prisma.sql`occurred_at >= ${since}` }];
    },
  },
];

/** Measures pages of many events next to pages of few. */
export async function measurePageGrowth(context: BenchContext): Promise<Row[]> {
  const { stack, options } = context;
  const few = await openFeedApi(context, 'growth_few_events', options.growth.fewEvents);
  const many = await openFeedApi(context, 'growth_events', options.growth.events);
  const loader = await startLoader(stack);
  const rows: Row[] = [];
  for (const path of PATHS) {
    rows.push(
      ...(await compareSizes(context, {
        group: GROUP,
        path: `page of ${PAGE_ROWS} events, ${path.name}`,
        unit: 'ms a response',
        few: await contestantOf(context, loader, few, path),
        many: await contestantOf(context, loader, many, path),
        atMost: path.atMost,
      })),
    );
  }
  await Promise.all([few.close(), many.close(), loader.stop()]);
  return rows;
}

async function contestantOf(
  { stack, options }: BenchContext,
  loader: Loader,
  feed: FeedApi,
  { pages }: PagePath,
): Promise<Contestant> {
  const requests: ExpectedResponse[] = [];
  for (const page of pages(feed.events)) requests.push(await expectPage(feed, page));
  const { connections, sliceMs: durationMs } = options;
  const load = { origin: feed.api.url, headers: feed.headers, requests, connections, durationMs };
  const processes = {
    API: feed.api.pid,
    PostgreSQL: stack.postgresPid,
    Redis: stack.redisPid,
    loader: loader.pid,
  };
  return {
    name: `${feed.events.toLocaleString('en')} events`,
    run: () => loadTurn(loader, load, processes),
  };
}

/** Asks for a page, and compares it with the rows that the table has in its place. */
function expectPage(feed: FeedApi, { query, after = 0n, where = Prisma.sql`true` }: WantedPage) {
  const path = `/api/v1/engagement/events?limit=${PAGE_ROWS}${query}`;
  return expectResponse(feed, path, async (body) => {
    const ids = await feed.db.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM engagement_events
      WHERE company_id = ${COMPANY} AND id > ${after} AND ${where}
      ORDER BY id LIMIT ${PAGE_ROWS}`;
    const rows = await feed.db.engagementEvent.findMany({
      where: { companyId: COMPANY, id: { in: ids.map(({ id }) => id) } },
      orderBy: { id: 'asc' },
    });
    if (rows.length !== PAGE_ROWS) throw new Error(`${path}: the page should have ${rows.length} events`);
    const expected = {
      data: rows.map(serializeEngagementEvent),
      nextCursor: String(rows.at(-1)?.id),
      hasMore: true,
    };
    const difference = firstDifference(expected, body);
    if (difference !== null) throw new Error(`wrong response to ${path}: ${difference}`);
  });
}
