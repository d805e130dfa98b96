import { firstIdAt } from '@deal-signals/db/feeds/position';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';

const RECORDS = 1_200;
const token = sessionToken();
const NDJSON = 'application/x-ndjson';

let api: TestApi;

/** One record a minute from the beginning of 2026, and one of another workspace after each. */
beforeAll(async () => {
  api = await openTestApi();
  for (const company of [1, 2, 3]) await addCompany(api.db, company);
  await api.db.$executeRaw`
    INSERT INTO audit_records (company_id, id, at, user_id, request_id, action, object_type, object_id, details)
    SELECT company, ${firstIdAt(new Date('2026-01-01T00:00:00Z'))} + n * 60_000_000::bigint, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', nullif(n % 7, 6), 'request ' || n,
           CASE WHEN n % 3 = 0 THEN 'api_key.revoked' ELSE 'webhook.updated' END,
           CASE WHEN n % 3 = 0 THEN 'api_key' ELSE 'webhook' END, (n % 5)::text, jsonb_build_object('n', n)
    FROM generate_series(0, ${RECORDS - 1}::int) n, unnest('{1,2}'::int[]) company
    ORDER BY n, company`;
});

afterAll(() => api.close());

const numbersOf = (records: { details: { n: number } }[]) => records.map(({ details }) => details.n);
const expected = (holds: (n: number) => boolean) =>
  Array.from({ length: RECORDS }, (_, n) => n).filter((n) => holds(n));
const minute = (n: number, seconds = 0) =>
  new Date(Date.UTC(2026, 0, 1) + n * 60_000 + seconds * 1_000).toISOString();

/** Returns the records of all pages. */
async function walk(query: string): Promise<number[]> {
  const found: number[] = [];
  for (let cursor = '0', hasMore = true; hasMore;) {
    const { body } = await api.get(`/audit-log?limit=499&cursor=${cursor}&${query}`, token).expect(200);
    found.push(...numbersOf(body.data));
    ({ nextCursor: cursor, hasMore } = body);
  }
  return found;
}

async function lines(query: string): Promise<any[]> {
  const response = await api.get(`/audit-log?${query}`, token).set('Accept', NDJSON).buffer().expect(200);
  expect(response.headers['content-type']).toBe(NDJSON);
  const text = response.text ?? String(response.body);
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('the filters', () => {
  const filters: [string, (n: number) => boolean][] = [
    ['action=api_key.revoked', (n) => n % 3 === 0],
    ['action=webhook.pinged', () => false],
    ['user_id=5', (n) => n % 7 === 5],
    ['user_id=0', (n) => n % 7 === 0],
    ['user_id=6', () => false],
    ['user_id=5&action=api_key.revoked', (n) => n % 7 === 5 && n % 3 === 0],
    ['object_type=webhook&object_id=2', (n) => n % 3 !== 0 && n % 5 === 2],
    ['object_type=webhook&object_id=9', () => false],
    [`since=${minute(700)}`, (n) => n >= 700],
    [`since=${minute(700, 1)}`, (n) => n > 700],
    [`until=${minute(700)}`, (n) => n < 700],
    [`until=${minute(700, 1)}`, (n) => n <= 700],
    [`since=${minute(100)}&until=${minute(110)}`, (n) => n >= 100 && n < 110],
    [`since=${minute(110)}&until=${minute(100)}`, () => false],
    ['since=0001-01-01&until=9999-12-31T23:59:59.999Z', () => true],
    ['since=9999-12-31T23:59:59.999Z', () => false],
    ['until=0001-01-01', () => false],
    [
      `action=webhook.updated&object_type=webhook&object_id=2&since=${minute(600)}&until=${minute(900)}`,
      (n) => n % 3 !== 0 && n % 5 === 2 && n >= 600 && n < 900,
    ],
  ];

  test.each(filters)('%s', async (query, holds) => {
    expect(await walk(query)).toEqual(expected(holds));
    expect(numbersOf(await lines(query))).toEqual(expected(holds));
  });

  test.each([
    ['action=webhook.exploded', 'action: must be one of api_key.created, '],
    ['object_type=room&object_id=1', 'object_type: must be one of api_key, '],
    ['object_type=webhook', 'object_id: must be given with object_type'],
    ['object_id=1', 'object_type: must be given with object_id'],
    ['object_type=webhook&object_id=', 'object_id: must be a string of 1 to 100 characters'],
    [
      `object_type=webhook&object_id=${'1'.repeat(101)}`,
      'object_id: must be a string of 1 to 100 characters',
    ],
    ['object_type=webhook&object_id=%00', 'object_id: must be a string of 1 to 100 characters'],
    ['user_id=Ada', 'user_id: must be an integer id'],
    ['since=yesterday', 'since: must be an ISO 8601 date-time'],
    ['until=tomorrow', 'until: must be an ISO 8601 date-time'],
  ])('rejects %s', async (query, message) => {
    for (const accept of ['application/json', NDJSON]) {
      const response = await api.get(`/audit-log?${query}`, token).set('Accept', accept).expect(400);
      expect(response.body.code).toBe('INVALID_REQUEST');
      expect(response.body.error).toContain(message);
    }
  });
});

test('times of a workspace never go back, so a filter by time misses nothing after the clock has stepped back', async () => {
  const theirs = sessionToken({ companyId: 3 });
  const ahead = new Date(Date.now() + 3_600_000);
  await api.db.feedClock.update({ where: { companyId: 3 }, data: { at: ahead } });
  await api.post('/api-keys', theirs, { name: 'before the step' }).expect(201);
  await api.post('/api-keys', theirs, { name: 'after the step' }).expect(201);
  const since = ahead.toISOString();
  const { body } = await api.get(`/audit-log?since=${since}`, theirs).expect(200);
  expect(body.data.map(({ details }: { details: { name: string } }) => details.name)).toEqual([
    'before the step',
    'after the step',
  ]);
});

describe('the export as lines', () => {
  test('has every record of the workspace, the same as the pages', async () => {
    const first = (await api.get('/audit-log?limit=500', token).expect(200)).body.data;
    const exported = await lines('');
    expect(numbersOf(exported)).toEqual(expected(() => true));
    expect(exported.slice(0, 500)).toEqual(first);
  });

  test('begins after the cursor, and ignores the limit', async () => {
    const [record] = (await api.get(`/audit-log?since=${minute(600)}&limit=1`, token).expect(200)).body.data;
    expect(numbersOf(await lines(`cursor=${record.id}&limit=1`))).toEqual(expected((n) => n > 600));
    expect(await lines('cursor=999999999999999999')).toEqual([]);
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, application/x-ndjson', 'application/json'],
    ['application/json;q=0.5, application/x-ndjson', NDJSON],
    ['text/html', 'application/json'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const request = api.get('/audit-log', token);
    const response = await (accept === undefined ? request : request.set('Accept', accept))
      .buffer()
      .expect(200);
    expect(response.headers['content-type']?.split(';')[0]).toBe(type);
    expect(response.headers['vary']).toMatch(/\bAccept\b(?!-)/);
  });

  test('returns an ordinary error for an invalid cursor', async () => {
    const { body } = await api.get('/audit-log?cursor=x', token).set('Accept', NDJSON).expect(400);
    expect(body.code).toBe('INVALID_CURSOR');
  });

  test('returns an ordinary error for a fault before the first line', async () => {
    await api.db.$executeRaw`ALTER TABLE audit_records RENAME TO audit_records_away`;
    try {
      const { body } = await api.get('/audit-log', token).set('Accept', NDJSON).expect(500);
      expect(body.code).toBe('INTERNAL_ERROR');
    } finally {
      await api.db.$executeRaw`ALTER TABLE audit_records_away RENAME TO audit_records`;
    }
  });
});
