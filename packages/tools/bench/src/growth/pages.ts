import { Database } from '@deal-signals/db/database';
import { firstIdAt, IDS_PER_MS } from '@deal-signals/db/feeds/position';
import { CALL, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { Client } from 'pg';
import { refillTables } from '../data/refill-tables.ts';
import { compareSizes, type Contestant, timed } from '../measure/compare.ts';
import type { ExpectedResponse, serve as serveLoads } from '../reads/loader.ts';
import { API_SETTINGS } from '../reads/reads.ts';
import type { Row } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';
import type { Child } from '../stack/child.ts';

const PAGE_ROWS = 100;
/** The number of positions that deep pages begin at. */
const DEEP_PAGES = 10;
const STATEMENT_TIMEOUT_MS = 1_800_000;
/** Every feed spans the same time, whatever its number of events. */
const SPAN_MS = 100 * 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Events with a type and a room of their own, spread evenly over the feed. */
const SPARSE_EVENTS = 120;
const SPARSE_TYPE = 'contract_review';
const SPARSE_ROOM = uuid(9);

/** A page, and a condition that selects its events: the page must hold the first of them. */
interface Page {
  query: string;
  where: string;
}

/**
 * The kinds of pages, which exist in a feed of any size. `maxRatio` limits the cost in the large feed relative to the small
 * one.
 */
const PATHS: { name: string; maxRatio: number; pages: (events: number) => Page[] }[] = [
  { name: 'first', maxRatio: 1.3, pages: () => [{ query: '', where: 'true' }] },
  {
    name: 'deep',
    maxRatio: 1.3,
    pages: (events) =>
      Array.from({ length: DEEP_PAGES }, (_, n) => {
        const after = firstIdAt(momentOf(events - 2 * PAGE_ROWS - n, events));
        return { query: `&cursor=${after}`, where: `id > ${after}` };
      }),
  },
  {
    name: 'of a rare type',
    maxRatio: 3,
    pages: () => [{ query: `&types=${SPARSE_TYPE}`, where: `type = '${SPARSE_TYPE}'` }],
  },
  {
    name: 'of a room with few events',
    maxRatio: 3,
    pages: () => [{ query: `&buyer_space_id=${SPARSE_ROOM}`, where: `buyer_space_id = '${SPARSE_ROOM}'` }],
  },
  {
    name: 'of the last moments',
    maxRatio: 3,
    pages: (events) => {
      const since = momentOf(events - 2 * PAGE_ROWS, events).toISOString();
      return [{ query: `&since=${since}`, where: `occurred_at >= '${since}'` }];
    },
  },
];

const stepMs = (events: number): number => Math.max(1, Math.floor(SPAN_MS / events));

/** Returns when the nth event of a feed of this size happened and was recorded. Numbers begin at 1. */
const momentOf = (n: number, events: number): Date => new Date(START_MS + n * stepMs(events));

/** Measures pages of a feed of many events next to pages of a feed of few. */
export async function measurePageGrowth(context: BenchContext): Promise<Row[]> {
  const { stack, options } = context;
  const loader = await stack.startChild<typeof serveLoads>('reads/loader.ts', {});
  const few = await openFeed(context, options.growthFewEvents, loader);
  const many = await openFeed(context, options.growthEvents, loader);
  const rows: Row[] = [];
  for (const { name, maxRatio, pages } of PATHS) {
    const small = await few.contestant(pages(few.events));
    const large = await many.contestant(pages(many.events));
    const what = {
      group: 'growth-pages',
      path: `page of ${PAGE_ROWS} events, ${name}`,
      unit: 'ms a response',
    };
    rows.push(...(await compareSizes(context, what, small, large, maxRatio)));
  }
  await Promise.all([few, many, loader].map((one) => one.stop()));
  return rows;
}

/** Builds the events in a database of their own and starts an API on it. */
async function openFeed(
  { stack, options, say }: BenchContext,
  events: number,
  loader: Child<typeof serveLoads>,
) {
  const databaseUrl = await stack.createDatabase(`growth_${events}_events`);
  const db = new Database({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'bench',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await captureWorkspace(db);
  const headers = { authorization: `Bearer ${await addKey(db, COMPANY)}` };
  await db.close();
  await refillTables({
    databaseUrl,
    tables: ['engagement_events'],
    rows: events,
    insert: insertOf(events),
    say,
  });
  const api = await stack.startApp('api', databaseUrl, API_SETTINGS);
  const client = new Client({ connectionString: databaseUrl, options: '-c timezone=UTC' });
  await client.connect();

  /** Requests a page and compares it with the rows of the table. */
  async function expectedPage({ query, where }: Page): Promise<ExpectedResponse> {
    const path = `/api/v1/engagement/events?limit=${PAGE_ROWS}${query}`;
    const response = await fetch(api.url + path, { headers });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data?: { id: string }[] };
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM engagement_events WHERE company_id = ${COMPANY} AND ${where} ORDER BY id LIMIT ${PAGE_ROWS}`,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length !== PAGE_ROWS || String(data?.map(({ id }) => id)) !== String(ids))
      throw new Error(`wrong response to ${path}: ${response.status} ${text.slice(0, 500)}`);
    return { path, body: Buffer.from(text) };
  }

  return {
    events,
    async contestant(pages: readonly Page[]): Promise<Contestant> {
      const requests: ExpectedResponse[] = [];
      for (const page of pages) requests.push(await expectedPage(page));
      const { connections, sliceMs: maxMs } = options;
      const load = { origin: api.url, headers, requests, connections, maxMs, maxRequests: Infinity };
      const processes = { API: api.pid, ...stack.servers, loader: loader.pid };
      return {
        name: `${events.toLocaleString('en')} events`,
        run: () => timed(processes, () => loader.call(load)),
      };
    },
    async stop() {
      await client.end();
      await api.stop();
    },
  };
}

/**
 * Returns the statement that writes events. Only the columns that select pages vary. The roll-ups of the rooms are not
 * written, because pages do not read them.
 */
function insertOf(events: number): string {
  const isSparse = `n % ${Math.floor(events / SPARSE_EVENTS)} = 0`;
  const id = `(extract(epoch FROM at) * 1000)::bigint * ${IDS_PER_MS}`;
  return `
    INSERT INTO engagement_events
      (company_id, id, source, key, type, occurred_at, identity, actor_email, demo_id, distribution_id, buyer_space_id,
       object_text)
    SELECT ${COMPANY}, ${id}, 'event', 'event ' || n, CASE WHEN ${isSparse} THEN '${SPARSE_TYPE}' ELSE 'room_visit' END, at,
           'email:bob@globex.example', 'bob@globex.example', '${CALL}', '${LINK}', (CASE WHEN ${isSparse} THEN '${SPARSE_ROOM}' ELSE '${ROOM}' END)::uuid,
           ${sqlText('event', id)}
    FROM generate_series($1::bigint, $2::bigint) AS n
    CROSS JOIN LATERAL (
      SELECT '${new Date(START_MS).toISOString()}'::timestamptz + n * interval '${stepMs(events)} milliseconds' AS at
    ) AS moment`;
}
