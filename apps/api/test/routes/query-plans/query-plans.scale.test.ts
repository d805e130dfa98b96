import { readFile } from 'node:fs/promises';
import { findNewestEngagementEvents } from '@deal-signals/serializers/engagement/event';
import { findNewestEngagementViews } from '@deal-signals/serializers/engagement/view';
import { feedId, uuid } from '@deal-signals/test-kit/worlds/ids';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ROUTES } from '../../../src/app.ts';
import { CONSOLE_ROUTES } from '../../../src/console/routes.ts';
import { TEXTS, timeCursors } from '../../../src/http/pagination.ts';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { explain, explainGeneric, recordQueries, type Plan, type Statement } from './query-plan.ts';

const PAGE = 101;
const LOAD_TIMEOUT_MS = 900_000;
const TIMEOUT_MS = 600_000;
/** No statement may read one of these completely. The others are small. */
const BIG = new Set([
  'engagement_events',
  'engagement_views',
  'calls',
  'rooms',
  'distributions',
  'documents',
  'esign_documents',
  'people',
  'erasures',
  'messages',
  'room_members',
  'room_totals',
  'room_people',
  'room_watches',
  'link_heatmaps',
  'pending_deliveries',
  'webhook_deliveries',
  'webhook_delivery_subjects',
  'webhook_events',
  'webhook_attempts',
  'api_keys',
  'audit_records',
]);
/** Rows of the busiest room, share link and delivery status, to which a second filter is applied. */
const MAX_OF_A_SUBJECT = 6_000;
/** Deliveries of the busiest person, to which a second filter is applied, and the pages that a lookup by key reads. */
const MAX_OF_A_PERSON = 4_500;
const PAGES_PER_LOOKUP = 5;
/** Lists with more combinations of values than this are tested with all pairs of values and all sets of filters. */
const MAX_COMBINATIONS = 2_000;

const moment = (share: number) => new Date(Date.UTC(2025, 9, 1) + share * 365 * 86_400_000);
/** Returns the id of the n-th row of workspace 1 in a table of this size, as `million-rows.sql` assigns it. */
const idOf = (n: number, rows: number) =>
  String(BigInt(Math.round(moment(n / rows).getTime() / 1_000)) * 1_000_000n + BigInt(n % 1_000_000));
/** The first of the three deliveries of the first event, which have the time of the third. */
const FIRST_DELIVERY = String(BigInt(idOf(3, 300_000)) - 2n);
const BUSY = uuid(1);
/** A room with many share links, people, documents and contracts. */
const CROWDED = uuid(2);
const QUIET = uuid(17_777);
/** A recording that only the last rows refer to. */
const RECENT = uuid(100_000);
const UNKNOWN_ID = uuid(999_999_999);
const since = [moment(0).toISOString(), moment(1 - 1 / 365).toISOString(), '2030-01-01'];
const atTime = (feed: string) => [timeCursors(feed).write({ at: moment(0.9), id: uuid(0) })];
const newestFirst = (feed: string) => ({ order: ['desc'], cursor: atTime(`${feed}-newest-first`) });

const DELIVERIES = {
  order: ['desc'],
  cursor: [idOf(180_000, 300_000)],
  status: ['pending', 'delivered', 'dead'],
  event_type: ['engagement.recorded', 'decision_room.esign.updated', 'call.summary.created'],
  event_id: [uuid(50_000), UNKNOWN_ID],
  since,
  until: ['2020-01-01', moment(0.5).toISOString(), '2030-01-01'],
  buyer_space_id: [BUSY, UNKNOWN_ID],
  call_id: [BUSY, RECENT, UNKNOWN_ID],
  person: ['busy@example.org', '17777@example.org', 'nobody@example.org'],
};

/** Values of every filter of every list: common ones, rare ones, those of the last rows, and unknown ones. */
const VALUES: Record<string, Record<string, string[]>> = {
  '/engagement/events': {
    cursor: [idOf(900_000, 1_000_000)],
    types: ['room_visit', 'forward', 'room_visit,comment,forward,no_such_type'],
    since,
    buyer_space_id: [BUSY, UNKNOWN_ID],
    demo_id: [BUSY, RECENT, UNKNOWN_ID],
  },
  '/engagement/views': {
    cursor: [idOf(180_000, 200_000)],
    since,
    buyer_space_id: [BUSY, UNKNOWN_ID],
    demo_id: [BUSY, RECENT, UNKNOWN_ID],
    distribution_id: [BUSY, UNKNOWN_ID],
  },
  '/calls': {
    cursor: atTime('calls'),
    updated_since: since,
    kind: ['demo', 'qualifying_call', 'meeting'],
    has_summary: ['true', 'false'],
    buyer_space_id: [BUSY, UNKNOWN_ID],
  },
  '/decision-rooms': {
    cursor: atTime('decision-rooms'),
    updated_since: since,
    status: ['open', 'lost', 'dormant'],
  },
  '/room-scores': {
    cursor: atTime('room-scores'),
    updated_since: since,
    status: ['open', 'lost', 'dormant'],
  },
  '/distributions': {
    cursor: atTime('distributions'),
    updated_since: since,
    buyer_space_id: [CROWDED, UNKNOWN_ID],
    demo_id: [BUSY, RECENT, UNKNOWN_ID],
  },
  '/people': { cursor: atTime('people'), updated_since: since, buyer_space_id: [CROWDED, UNKNOWN_ID] },
  '/documents': { cursor: atTime('documents'), updated_since: since, buyer_space_id: [CROWDED, UNKNOWN_ID] },
  '/esign-documents': {
    cursor: [timeCursors('esign-documents', TEXTS).write({ at: moment(0.9), id: '000000090000' })],
    updated_since: since,
    buyer_space_id: [CROWDED, UNKNOWN_ID],
  },
  '/erasures': { cursor: atTime('erasures') },
  '/webhook-deliveries': {
    ...DELIVERIES,
    endpoint_id: ['11', '14', '99'],
  },
  '/api-keys': { cursor: ['11000', '999999999999999999'] },
  '/webhooks/:id/deliveries': DELIVERIES,
  '/audit-log': {
    order: ['desc'],
    cursor: [idOf(110_000, 220_000), '999999999999999999'],
    action: ['webhook.updated', 'api_key.revoked', 'api_key.created'],
    user_id: ['7'],
    object_type: ['webhook', 'api_key'],
    object_id: ['11', '99'],
    since,
    until: ['2020-01-01', moment(0.5).toISOString(), '2030-01-01'],
  },
};
/** The values for the lists of the console that have an order of their own. Their other order is that of the feed. */
const CONSOLE_VALUES: Record<string, Record<string, string[]>> = {
  '/console/api/engagement/events': {
    ...VALUES['/engagement/events'],
    order: ['desc'],
    cursor: [idOf(900_000, 1_000_000)],
    since: [],
  },
  '/console/api/calls': { ...VALUES['/calls'], ...newestFirst('calls') },
  '/console/api/decision-rooms': { ...VALUES['/decision-rooms'], ...newestFirst('decision-rooms') },
};
/** An endpoint with a third of the deliveries. */
const ENDPOINT = '11';
/** Narrow filters, so a combination of two has no index of its own. */
const SUBJECTS = [
  'buyer_space_id',
  'demo_id',
  'distribution_id',
  'endpoint_id',
  'event_type',
  'status',
  'action',
  'object_id',
];

/** The subjects of the event of a delivery. */
const DELIVERY_SUBJECTS = ['buyer_space_id', 'call_id', 'person'];

let api: TestApi;
let key: string;
let client: Client;

beforeAll(async () => {
  api = await openTestApi();
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  for (const kind of ['event', 'view', 'call', 'room'] as const) {
    await client.query(
      `CREATE FUNCTION pg_temp.${kind}_text(id text) RETURNS text LANGUAGE sql IMMUTABLE RETURN ${sqlText(kind, 'id')}`,
    );
  }
  await client.query(await readFile(new URL('million-rows.sql', import.meta.url), 'utf8'));
  await client.query('VACUUM (ANALYZE)');
  key = await addKey(api.db, 1);
}, LOAD_TIMEOUT_MS);

afterAll(async () => {
  await client.end();
  await api.close();
});

/** Returns every combination of one value, or none, for each parameter. The type and the id of an object are used together. */
function combinations(values: Record<string, string[]>): Record<string, string>[] {
  const filters = Object.entries(values);
  const count = filters.reduce((product, [, options]) => product * (options.length + 1), 1);
  return (count > MAX_COMBINATIONS ? pairsAndSets(filters) : allOf(filters)).filter(
    (choice) => 'object_type' in choice === 'object_id' in choice,
  );
}

function allOf(filters: [string, string[]][]): Record<string, string>[] {
  return filters.reduce<Record<string, string>[]>(
    (chosen, [name, options]) => [
      ...chosen,
      ...options.flatMap((value) => chosen.map((choice) => ({ ...choice, [name]: value }))),
    ],
    [{}],
  );
}

/** Returns every pair of values, every three filters and all of them together, with values that vary from set to set. */
function pairsAndSets(filters: [string, string[]][]): Record<string, string>[] {
  const pairs = filters.flatMap((filter, n) =>
    filters.slice(n + 1).flatMap((other) => allOf([filter, other])),
  );
  const sets = Array.from({ length: 2 ** filters.length }, (_, set) => set)
    .filter((set) => [3, filters.length].includes(filters.filter((_, n) => (set >> n) % 2 === 1).length))
    .map((set) =>
      Object.fromEntries(
        filters.flatMap(([name, options], n) =>
          (set >> n) % 2 === 0
            ? []
            : [[name, options[((set * 40_503) >> (n + 3)) % options.length] as string]],
        ),
      ),
    );
  return [...new Map([...pairs, ...sets].map((choice) => [JSON.stringify(choice), choice])).values()];
}

/** A cursor continues in the order that it comes from. Those of lists that are sorted by time are unchanged. */
function withCursorOfOrder({ cursor, ...filters }: Record<string, string>): Record<string, string> {
  if (cursor === undefined) return filters;
  const isPrefixed = filters['order'] === 'desc' && /^[0-9]+$/.test(cursor);
  return { ...filters, cursor: isPrefixed ? `before-${cursor}` : cursor };
}

/** Returns the maximum cost of a page. */
function boundsOf(filters: Record<string, string>): { rows: number; buffers: number; sorted: number } {
  const isWalked =
    SUBJECTS.filter((name) => name in filters).length > 1 ||
    ('types' in filters && 'buyer_space_id' in filters);
  const walked = isWalked ? MAX_OF_A_SUBJECT : 0;
  if (DELIVERY_SUBJECTS.some((name) => name in filters)) {
    // The deliveries of a subject are scanned in the index. Each other condition requires a lookup for each of them.
    return {
      rows: 15 * PAGE + DELIVERY_SUBJECTS.length * MAX_OF_A_PERSON,
      buffers:
        15 * PAGE +
        (Object.keys(filters).length > 1 ? DELIVERY_SUBJECTS.length * PAGES_PER_LOOKUP * MAX_OF_A_PERSON : 0),
      sorted: 5 * PAGE,
    };
  }
  return {
    // The rows of the ten minutes before the time are examined.
    rows: 15 * PAGE + ('since' in filters ? 1_000 : 0) + walked,
    buffers: 15 * PAGE + walked,
    sorted: 5 * PAGE,
  };
}

async function queriesOf(path: string, token: string): Promise<Statement[]> {
  let status: number | undefined;
  const statements = await recordQueries(async () => {
    ({ status } = await api.get(path, token));
  });
  expect([path, status]).toEqual([path, 200]);
  // An empty first page reads only the time.
  return statements.filter(({ text }) => text !== 'SELECT clock_timestamp() AS now');
}

function violations(plan: Plan, bounds: { rows: number; buffers: number; sorted: number }): string[] {
  return [
    ...plan.seqScans.filter((table) => BIG.has(table)).map((table) => `sequential scan of ${table}`),
    ...(plan.sortedRows > bounds.sorted ? [`sort of ${plan.sortedRows} rows`] : []),
    ...(plan.rowsRead > bounds.rows ? [`${plan.rowsRead} rows read of ${bounds.rows}`] : []),
    ...(plan.buffers > bounds.buffers ? [`${plan.buffers} pages read of ${bounds.buffers}`] : []),
  ];
}

const readable = ROUTES.filter(({ method }) => method === 'GET');
const lists = readable.filter(({ query }) => query !== undefined && 'cursor' in query.shape);

/** Reports whether the list has the same parameters outside the console. */
const hasOrderForKeys = (path: string) =>
  lists.some((list) => list.path === path && list.query !== undefined && 'order' in list.query.shape);
const orderedInConsole = CONSOLE_ROUTES.filter(
  // The delivery log and the audit log are the operations of the table above.
  ({ query, path }) => query !== undefined && 'order' in query.shape && !hasOrderForKeys(path),
).map((route) => ({ ...route, path: `/console/api${route.path}` }));

test('the values cover every filter of every list', () => {
  const filtersOf = ({ query }: (typeof lists)[number]) =>
    Object.keys(query?.shape ?? {})
      .filter((name) => name !== 'limit')
      .toSorted();
  expect(
    Object.fromEntries([...lists, ...orderedInConsole].map((route) => [route.path, filtersOf(route)])),
  ).toEqual(
    Object.fromEntries(
      Object.entries({ ...VALUES, ...CONSOLE_VALUES }).map(([path, values]) => [
        path,
        Object.keys(values).toSorted(),
      ]),
    ),
  );
});

describe.each(Object.entries({ ...VALUES, ...CONSOLE_VALUES }))('GET %s', (path, values) => {
  const access = ROUTES.find((route) => route.path === path)?.access;

  test(
    'reads a bounded number of rows through an index, without a large sort, with every combination of filters',
    async () => {
      const found: string[] = [];
      const generic = new Map<string, Statement>();
      for (const filters of combinations(values)) {
        const query = new URLSearchParams(withCursorOfOrder(filters)).toString();
        // The other order is that of the feed.
        if (path.startsWith('/console/') && !('order' in filters)) continue;
        const token = access === 'key' ? key : sessionToken();
        const statements = await queriesOf(`${path.replace(':id', ENDPOINT)}?${query}`, token);
        // The caller, the endpoint if there is one, and the page.
        const isLookup = path.includes(':id');
        const isScored = ['/console/api/decision-rooms', '/room-scores'].includes(path);
        expect([query, statements.length]).toEqual([query, isLookup || isScored ? 3 : 2]);
        if (isScored) {
          const scores = await explain(client, statements[2] as Statement);
          // The totals count the people of each room, about thirty here.
          const perRoom = path === '/room-scores' ? { rows: 100, buffers: 100 } : { rows: 20, buffers: 60 };
          const broken = violations(scores, {
            rows: perRoom.rows * PAGE,
            buffers: perRoom.buffers * PAGE,
            sorted: 0,
          });
          if (broken.length > 0) found.push(`scores of ${query}: ${broken.join(', ')}\n${scores.text}`);
          generic.set((statements[2] as Statement).text, statements[2] as Statement);
        }
        // The path of an endpoint's list is also a filter.
        const applied = path.startsWith('/webhooks/:id') ? { ...filters, endpoint_id: ENDPOINT } : filters;
        const page = statements.at(isScored ? 1 : -1) as Statement;
        const plan = await explain(client, page);
        const broken = violations(plan, boundsOf(applied));
        if (broken.length > 0) found.push(`${query}: ${broken.join(', ')}\n${plan.text}`);
        generic.set(page.text, page);
      }
      for (const statement of generic.values()) {
        const { seqScans, text } = await explainGeneric(client, statement);
        if (seqScans.some((table) => BIG.has(table))) found.push(`with a generic plan: ${text}`);
      }
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

test.each(
  Object.entries(VALUES).flatMap(([path, values]) =>
    ['since', 'updated_since']
      .filter((name) => name in values && !('order' in values))
      .map((name) => `${path}?${name}`),
  ),
)('GET %s a future time reads almost no rows', async (path) => {
  for (const statement of await queriesOf(`${path}=2030-01-01`, key)) {
    const plan = await explain(client, statement);
    expect(violations(plan, { rows: 10, buffers: 30, sorted: 0 })).toEqual([]);
  }
});

test.each([
  '/engagement/events?types=room_visit,forward',
  '/webhook-deliveries?event_type=engagement.recorded',
  `/webhook-deliveries?event_type=engagement.recorded&cursor=${idOf(100_000, 300_000)}`,
])('GET %s finds rows that are rare only in this workspace', async (path) => {
  const ownKey = await addKey(api.db, 3);
  for (const statement of await queriesOf(path, ownKey)) {
    const plan = await explain(client, statement);
    const broken = violations(plan, boundsOf({}));
    expect(broken.length === 0 ? [] : [...broken, plan.text]).toEqual([]);
  }
});

test.each([
  // [path, maximum number of rows read by any one statement, maximum number of pages]
  ['/calls/:id', 10, 20],
  ['/decision-rooms/:id', 10, 20],
  ['/decision-rooms/:id/metrics', 100, 200],
  ['/distributions/:id/heatmap', 10, 50],
  ['/distributions/:id', 10, 20],
  ['/documents/:id', 10, 20],
  ['/people/:id', 10, 20],
  ['/esign-documents/000000017777', 10, 20],
  ['/webhooks', 10, 10],
  [`/webhooks/${ENDPOINT}`, 10, 10],
  [`/webhooks/${ENDPOINT}/deliveries/${idOf(3, 300_000)}`, 10, 20],
  [`/webhook-deliveries/${idOf(3, 300_000)}`, 10, 20],
  // It returns 1,000 of its 2,001 attempts.
  [`/webhooks/12/deliveries/${FIRST_DELIVERY}`, 1_010, 1_050],
])('GET %s reads few more rows than it returns', async (path, rows, buffers) => {
  const token = path.startsWith('/webhooks') ? sessionToken() : key;
  for (const statement of await queriesOf(path.replace(':id', QUIET), token)) {
    const plan = await explain(client, statement);
    expect([
      // What is returned may be sorted.
      ...violations(plan, { rows, buffers, sorted: Math.max(PAGE, rows) }),
      ...(plan.rowsRead > rows ? [plan.text] : []),
    ]).toEqual([]);
  }
});

test.each(['/calls/:id', '/decision-rooms/:id'])('PostgreSQL keeps the plan of GET %s', async (path) => {
  const object = (await queriesOf(path.replace(':id', QUIET), key)).at(-1) as Statement;
  const name = `kept ${path}`;
  for (let n = 0; n < 10; n += 1) await client.query({ name, ...object });
  const { rows } = await client.query<{ isKept: boolean }>(
    `SELECT generic_plans > 0 AS "isKept" FROM pg_prepared_statements WHERE name = $1`,
    [name],
  );
  expect(rows).toEqual([{ isKept: true }]);
});

test.each(['/decision-rooms/:id/metrics', '/distributions/:id/heatmap'])(
  'GET %s of the busiest room or link reads no more than that of another one',
  async (path) => {
    for (const statement of await queriesOf(path.replace(':id', BUSY), key)) {
      const plan = await explain(client, statement);
      const broken = violations(plan, { rows: 100, buffers: 200, sorted: PAGE });
      expect(broken.length === 0 ? [] : [...broken, plan.text]).toEqual([]);
    }
  },
);

test.each([BUSY, CROWDED, QUIET])(
  'the newest engagement of room %s is read from the index',
  async (roomId) => {
    const newest = { roomId, before: 2n ** 63n - 1n, limit: PAGE };
    const statements = await recordQueries(async () => {
      await findNewestEngagementEvents(api.db, 1, newest);
      await findNewestEngagementViews(api.db, 1, newest);
    });
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      const plan = await explain(client, statement);
      const broken = violations(plan, { rows: 2 * PAGE, buffers: 15 * PAGE, sorted: PAGE });
      expect(broken.length === 0 ? [] : [...broken, plan.text]).toEqual([]);
    }
  },
);

test.each([{ email: 'busy@example.org' }, { buyerSpaceId: BUSY }])(
  'an erasure of %j searches every table by its keys, in parts',
  async (body) => {
    let status: number | undefined;
    const statements = await recordQueries(async () => {
      ({ status } = await api.post('/console/api/erasures/preview', sessionToken(), body));
    });
    expect(status).toBe(200);
    const parts = new Map(
      statements.filter(({ text }) => /is_concerned|room_people/.test(text)).map((part) => [part.text, part]),
    );
    expect(parts.size).toBeGreaterThan(8);
    const found: string[] = [];
    for (const part of parts.values()) {
      const plan = await explain(client, part);
      const broken = violations(plan, { rows: 16_000, buffers: 60_000, sorted: 300_000 });
      const { seqScans, text } = await explainGeneric(client, part);
      if (broken.length > 0) found.push(`${broken.join(', ')}\n${plan.text}`);
      if (seqScans.some((table) => BIG.has(table))) found.push(`with a generic plan: ${text}`);
    }
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);

test('the counts of the status are read from the index alone, and only up to their maximum', async () => {
  const response = await api.get('/status', key).expect(200);
  expect(response.body.webhooks).toMatchObject({
    pendingDeliveries: 5_000,
    pendingDeliveriesExact: false,
    deadDeliveries: 5_000,
    deadDeliveriesExact: false,
  });
  for (const statement of await queriesOf('/status', key)) {
    const plan = await explain(client, statement);
    const broken = violations(plan, { rows: 2 * 5_001 + 20, buffers: 150, sorted: 0 });
    expect(broken.length === 0 ? [] : [...broken, plan.text]).toEqual([]);
  }
});

describe('a retry of dead deliveries', () => {
  test.each([
    ['of all', {}, 10_000],
    ['since a moment', { since: moment(0.9) }, 3_001],
  ])('%s finds them through the index and reads no others', async (_name, body, taken) => {
    const statements = await recordQueries(async () => {
      const response = await api.post('/webhooks/31/retry-dead', sessionToken({ companyId: 3 }), body);
      expect([response.status, response.body.count]).toEqual([200, taken]);
    }, /^\s*WITH\s+dead AS/);
    expect(statements).toHaveLength(1);
    await client.query(`
      WITH requeued AS (DELETE FROM pending_deliveries WHERE company_id = 3 RETURNING *)
      INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at)
      SELECT company_id, id, endpoint_id, event_id, event_type, 'dead', 8, created_at FROM requeued`);
    await client.query('BEGIN');
    const plan = await explain(client, statements[0] as Statement);
    await client.query('ROLLBACK');
    // Each row is read once to find it, once to delete it, and twice in memory: to insert it into the queue, and to determine the
    // last one and their number. Writes to the indexes are not counted.
    const bounds = { rows: 4 * taken + 10, buffers: Infinity, sorted: taken };
    expect([...violations(plan, bounds), ...(plan.rowsRead > bounds.rows ? [plan.text] : [])]).toEqual([]);
  });
});

test('the check for a test in progress reads only the claims of the endpoint', async () => {
  const token = sessionToken();
  await api.post(`/webhooks/${ENDPOINT}/rotate-secret`, token).expect(200);
  await api.patch(`/webhooks/${ENDPOINT}`, token, { url: 'https://127.0.0.1:1/' }).expect(200);
  const statements = await recordQueries(() => api.post(`/webhooks/${ENDPOINT}/ping`, token).expect(200));
  const [underWay, ...more] = statements.filter(({ text }) => text.includes('lease_expires_at >'));
  expect(more).toEqual([]);
  const plan = await explain(client, underWay as Statement);
  expect(violations(plan, { rows: 10, buffers: 10, sorted: 0 })).toEqual([]);
});

test('the filter since finds rows that were recorded long after they occurred, and no others', async () => {
  const first = feedId();
  const { rows } = await client.query<{ id: string }>(`
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
    SELECT 1, ${first}::bigint + n, 'event', 'late ' || n, 'room_visit', '2026-11-01T00:00:00Z'::timestamptz - n * '1 day'::interval, '${BUSY}',
           ${sqlText('event', `${first}::bigint + n`)}
    FROM generate_series(0, 200) n RETURNING id::text`);
  const ids = await client.query<{ id: string }>(
    `SELECT id::text FROM engagement_events WHERE company_id = 1 AND occurred_at >= '2026-09-30T12:00:00Z' ORDER BY id`,
  );
  const seen: string[] = [];
  for (let cursor = '0', hasMore = true; hasMore;) {
    const { body } = await api
      .get(`/engagement/events?since=2026-09-30T12:00:00Z&limit=500&cursor=${cursor}`, key)
      .expect(200);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    ({ nextCursor: cursor, hasMore } = body);
  }
  expect(seen).toEqual(ids.rows.map(({ id }) => id));
  expect(seen).toEqual(expect.arrayContaining(rows.slice(0, 32).map(({ id }) => id)));
});
