import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import type { BenchContext } from '../context.ts';
import { COMPANY } from '../data/workspace.ts';
import type { ExpectedResponse } from '../loader/loader-process.ts';
import type { Row } from '../report/row.ts';
import { compareSizes } from './compare-sizes.ts';
import { expectResponse, openFeedApi } from './feed-api.ts';
import { loadTurn, startLoader } from './load-turn.ts';

const PAGE_ROWS = 10;

/** Measures requests with one key next to requests with a different key each. */
export async function measureKeyGrowth(context: BenchContext): Promise<Row[]> {
  const { stack, options } = context;
  const { keys, fewEvents } = options.growth;
  const feed = await openFeedApi(context, 'growth_keys', fewEvents);
  const loader = await startLoader(stack);
  const expected = await expectResponse(feed, `/api/v1/engagement/events?limit=${PAGE_ROWS}`, (body) => {
    const { data } = body as { data?: unknown[] };
    if (data?.length !== PAGE_ROWS) throw new Error(`a page of ${data?.length} events`);
  });
  const requests: ExpectedResponse[] = [];
  for (let n = 0; n < keys; n += 1) {
    const headers = { authorization: `Bearer ${await addKey(feed.db, COMPANY)}` };
    requests.push({ ...expected, headers });
  }
  const { connections, sliceMs: durationMs } = options;
  const load = { origin: feed.api.url, headers: feed.headers, connections, durationMs };
  const processes = {
    API: feed.api.pid,
    PostgreSQL: stack.postgresPid,
    Redis: stack.redisPid,
    loader: loader.pid,
  };
  const rows = await compareSizes(context, {
    group: 'growth-keys',
    path: `page of ${PAGE_ROWS} events`,
    unit: 'ms a response',
    few: { name: '1 key', run: () => loadTurn(loader, { ...load, requests: [expected] }, processes) },
    many: {
      name: `${keys.toLocaleString('en')} keys`,
      run: () => loadTurn(loader, { ...load, requests }, processes),
    },
    atMost: 1.2,
  });
  await Promise.all([feed.close(), loader.stop()]);
  return rows;
}
