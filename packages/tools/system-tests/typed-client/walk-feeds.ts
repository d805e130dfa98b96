import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api.ts';

/**
 * A consumer that knows nothing but the published description: it walks every feed to its end and looks at a few details.
 * Prints what it found, as JSON. Arguments: base URL, API key.
 */
const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

interface Page<Item> {
  data: Item[];
  nextCursor: string;
  hasMore: boolean;
}

interface Answer<Item> {
  data?: Page<Item>;
  error?: { error: string; code: string };
}

/** All records of a feed, page by page. */
async function walk<Item extends { id: string }>(
  readPage: (cursor: string | undefined) => Promise<Answer<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { data: page, error } = await readPage(cursor);
    if (page === undefined) throw new Error(`${error?.code}: ${error?.error}`);
    items.push(...page.data);
    cursor = page.nextCursor;
    if (!page.hasMore) return items;
  }
}

const limit = 100;
const calls = await walk((cursor) => client.GET('/calls', { params: { query: { cursor, limit } } }));
const rooms = await walk((cursor) => client.GET('/decision-rooms', { params: { query: { cursor, limit } } }));
const events = await walk((cursor) =>
  client.GET('/engagement/events', { params: { query: { cursor, limit } } }),
);
const views = await walk((cursor) =>
  client.GET('/engagement/views', { params: { query: { cursor, limit } } }),
);
const people = await walk((cursor) => client.GET('/people', { params: { query: { cursor, limit } } }));
const documents = await walk((cursor) => client.GET('/documents', { params: { query: { cursor, limit } } }));
const contracts = await walk((cursor) =>
  client.GET('/esign-documents', { params: { query: { cursor, limit } } }),
);
const links = await walk((cursor) => client.GET('/distributions', { params: { query: { cursor, limit } } }));
const deliveries = await walk((cursor) =>
  client.GET('/webhook-deliveries', { params: { query: { cursor, limit } } }),
);

const won = await walk((cursor) =>
  client.GET('/decision-rooms', { params: { query: { cursor, limit, status: 'won' } } }),
);
const room: components['schemas']['Room'] | undefined = won[0];
if (room === undefined) throw new Error('no room was won');
const metrics = await client.GET('/decision-rooms/{id}/metrics', { params: { path: { id: room.id } } });
const unknown = await client.GET('/calls/{id}', { params: { path: { id: room.id } } });

// What is not described does not compile.
// @ts-expect-error no such operation
void (() => client.GET('/deals'));
// @ts-expect-error no such state
void (() => client.GET('/decision-rooms', { params: { query: { status: 'closed' } } }));
// @ts-expect-error no such field
void (() => room.dealValue);
// @ts-expect-error no such code
void (() => unknown.error?.code === 'GONE');

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
console.log(
  JSON.stringify({
    calls: ids(calls),
    rooms: ids(rooms),
    events: ids(events),
    views: ids(views),
    people: ids(people),
    documents: ids(documents),
    contracts: ids(contracts),
    links: ids(links),
    deliveries: ids(deliveries),
    score: metrics.data?.data.engagementScore,
    unknown: unknown.error?.code,
  }),
);
