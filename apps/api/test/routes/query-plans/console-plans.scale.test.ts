import { firstIdAt, IDS_PER_MS } from '@deal-signals/db/feeds/position';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';
import { explain, explainGeneric, recordQueries, type Statement } from './query-plan.ts';

const LOAD_TIMEOUT_MS = 900_000;
const TIMEOUT_MS = 120_000;
const ENDPOINTS = 100;
const EACH = 10_000;
/** How many dead letters have a rare error, and how many have none. */
const RARE = 5;
const BIG = ['pending_deliveries', 'webhook_deliveries', 'attempt_counts', 'api_key_days', 'audit_records'];

let api: TestApi;
let client: Client;
let endpointId: number;

// A workspace with a million deliveries to 100 endpoints. Each endpoint was busy around the clock for 90 days. Another
// workspace has as many counts.
beforeAll(async () => {
  api = await openTestApi();
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  for (const companyId of [1, 2]) {
    await addCompany(api.db, companyId);
    for (let n = 0; n < ENDPOINTS; n += 1) endpointId = await addEndpoint(api.db, { companyId });
  }
  endpointId -= ENDPOINTS;
  await client.query('SET session_replication_role = replica');
  await client.query(`
    INSERT INTO attempt_counts (company_id, endpoint_id, width, at, delivered, failed, duration_ms, slowest_ms)
    SELECT company_id, id, width, at, 10, 1, 1000, 500
    FROM webhook_endpoints
    CROSS JOIN (
      SELECT 'hour'::count_width AS width, date_trunc('hour', now()) - n * interval '1 hour' AS at
      FROM generate_series(0, 24 * 8) AS n
      UNION ALL
      SELECT 'day', date_trunc('day', now()) - n * interval '1 day' FROM generate_series(8, 90) AS n
      UNION ALL
      SELECT 'minute', date_trunc('minute', now()) - n * interval '1 minute' FROM generate_series(0, 180) AS n
    ) AS bucket`);
  await client.query(`
    INSERT INTO webhook_events (company_id, id, type, created_at, body)
    VALUES (1, '00000000-0000-4000-8000-000000000001', 'engagement.recorded', now(), '{}')`);
  await client.query(`
    CREATE TEMP TABLE filled AS
    SELECT 1 AS company_id, (extract(epoch FROM now() - n * interval '1 minute') * 1000)::bigint * ${IDS_PER_MS} + endpoint.id AS id, endpoint.id AS endpoint_id,
      '00000000-0000-4000-8000-000000000001'::uuid AS event_id, 'engagement.recorded' AS event_type, status, 8 AS attempts,
      now() - n * interval '1 minute' AS created_at, 'error ' || n % 3 AS last_error, 500 + n % 3 AS last_status_code
    FROM webhook_endpoints AS endpoint
    CROSS JOIN generate_series(1, ${EACH}) AS n
    CROSS JOIN LATERAL (
      SELECT CASE WHEN n % 5 = 0 THEN 'delivered' WHEN n % 5 < 3 THEN 'pending' ELSE 'dead' END AS status
    ) AS state
    WHERE company_id = 1`);
  await client.query(`
    INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, attempts, created_at, next_attempt_at, ready,
      last_error, last_status_code)
    SELECT company_id, id, endpoint_id, event_id, event_type, attempts, created_at, now() + interval '1 hour', false, last_error,
      last_status_code
    FROM filled WHERE status = 'pending'`);
  await client.query(`
    INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at,
      last_error, last_status_code)
    SELECT company_id, id, endpoint_id, event_id, event_type, status::delivery_status, attempts, created_at,
      CASE WHEN status = 'delivered' THEN now() END, last_error, last_status_code
    FROM filled WHERE status <> 'pending'`);
  // One endpoint has a few dead letters with a rare error, and a few without any, among thousands.
  await client.query(`
    UPDATE webhook_deliveries AS delivery SET last_error = CASE WHEN place <= ${RARE} THEN 'rare' END
    FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS place FROM webhook_deliveries
      WHERE endpoint_id = ${endpointId} AND status = 'dead'
    ) AS dead
    WHERE dead.id = delivery.id AND place <= ${2 * RARE}`);
  await client.query(`
    INSERT INTO audit_records (company_id, id, at, user_id, action, object_type, object_id)
    SELECT 1, ${firstIdAt(new Date())} + row_number() OVER (), now(), 7, 'webhook.pinged', 'webhook', id::text FROM webhook_endpoints, generate_series(1, 1000)
    WHERE company_id = 1`);
  await client.query(`
    INSERT INTO api_keys (company_id, name, prefix, key_hash, scopes)
    SELECT n % 2 + 1, n::text, 'dsk_live_0000', decode(lpad(n::text, 64, '0'), 'hex'), '{read}' FROM generate_series(1, 400) n`);
  await client.query(`
    INSERT INTO api_key_days (company_id, api_key_id, day, requests)
    SELECT company_id, id, current_date - n, 100 FROM api_keys, generate_series(0, 89) n`);
  await client.query('VACUUM (ANALYZE)');
}, LOAD_TIMEOUT_MS);

afterAll(async () => {
  await client.end();
  await api.close();
});

test.each([
  // [path, maximum number of rows that a statement reads: of each endpoint, or of each key]
  ['/delivery-counts?range=hour', ENDPOINTS * 61],
  ['/delivery-counts?range=day', ENDPOINTS * 25],
  ['/delivery-counts?range=month', ENDPOINTS * (24 * 8 + 1 + 22)],
  ['/delivery-counts?range=quarter', ENDPOINTS * (24 * 8 + 1 + 82)],
  ['/delivery-counts?range=quarter&endpoint_id=ID', 24 * 8 + 1 + 82],
  ['/endpoint-health?range=day', ENDPOINTS * (2 * 1_001 + 102)],
  ['/endpoint-health?range=week', ENDPOINTS * (2 * 1_001 + 102)],
  ['/overview', ENDPOINTS * (2 * 1_001 + 102)],
  ['/dead-letters', ENDPOINTS * 1_001],
  ['/dead-letters?endpoint_id=ID', EACH],
  ['/dead-letters/count?endpoint_id=ID', EACH],
  ['/dead-letters/count?endpoint_id=ID&error=error 1&since=2020-01-01', EACH],
  ['/api-key-usage?days=90', 200 * 91],
])(
  'GET %s reads rows of the workspace through indexes, at most %d',
  async (path, rows) => {
    const token = sessionToken({ companyId: 1 });
    const statements = await recordQueries(async () => {
      await api.get(`/console/api${path.replace('ID', String(endpointId))}`, token).expect(200);
    });
    expect(statements.length).toBeGreaterThan(1);
    for (const statement of statements) {
      const plan = await explain(client, statement);
      const scanned = plan.seqScans.filter((table) => BIG.includes(table));
      // The endpoints and keys themselves are read as well.
      const isMore = plan.rowsRead > rows + 1_000;
      expect(
        [...scanned, ...(isMore ? [`${plan.rowsRead} rows read`] : [])].map(
          (found) => `${found}\n${plan.text}`,
        ),
      ).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

// The endpoint has 4,000 dead letters. A prepared statement keeps one plan for all values, so that plan is read as well.
describe('dead letters with a rare error', () => {
  const SELECTIONS = [
    ['an error', 'rare', {}],
    ['no error', null, {}],
    ['an error and a time', 'rare', { since: '2020-01-01' }],
  ] as const;
  const expectFewRows = async (statement: Statement) => {
    await client.query('BEGIN');
    const plan = await explain(client, statement);
    await client.query('ROLLBACK');
    // Each row is read to find it, to change it, and to count it.
    expect(plan.rowsRead <= 4 * RARE ? '' : plan.text).toBe('');
    expect((await explainGeneric(client, statement)).text).toContain('open_dead_by_error_idx');
  };

  test.each(SELECTIONS)('with %s are counted without reading others', async (_name, error, times) => {
    const query = new URLSearchParams({ endpoint_id: String(endpointId), error: error ?? '', ...times });
    const [statement, ...more] = await recordQueries(async () => {
      const response = await api.get(`/console/api/dead-letters/count?${query}`, sessionToken());
      expect(response.body).toEqual({ count: RARE, countExact: true });
    }, /FROM webhook_endpoints AS endpoint/);
    expect(more).toEqual([]);
    await expectFewRows(statement as Statement);
  });

  test.each(SELECTIONS)(
    'with %s are retried and dismissed without reading others',
    async (_name, error, times) => {
      for (const act of ['retry-dead', 'dismiss-dead']) {
        const [statement, ...more] = await recordQueries(async () => {
          const body = { error, ...times, limit: RARE };
          const response = await api.post(`/webhooks/${endpointId}/${act}`, sessionToken(), body).expect(200);
          expect(response.body.count).toBe(RARE);
        }, /^\s*WITH\s+(dead|moved) AS/);
        expect(more).toEqual([]);
        await client.query(`
          UPDATE webhook_deliveries SET dismissed_at = NULL
          WHERE endpoint_id = ${endpointId} AND dismissed_at IS NOT NULL`);
        await client.query(`
          WITH requeued AS (DELETE FROM pending_deliveries WHERE endpoint_id = ${endpointId} AND requeued RETURNING *)
          INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, last_error,
            last_status_code)
          SELECT company_id, id, endpoint_id, event_id, event_type, 'dead', 8, created_at, last_error, last_status_code FROM requeued`);
        await expectFewRows(statement as Statement);
      }
    },
  );
});
