import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { until } from '@deal-signals/test-kit/until';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FEEDS } from 'deal-signals/feeds/feeds';
import { Client } from 'pg';
import { adminToken, createKey, request } from '../published-api.ts';

// Lists the statements of the hot paths that do not name one workspace. PostgreSQL itself records the statements. If the
// workspaces are spread over several databases, each of these statements concerns the workspaces of one database:
// docs/operators/scaling.md.

/** The statements that may concern several workspaces, each with an expression for its text. ARCHITECTURE.md explains them. */
const OF_SEVERAL_WORKSPACES = {
  'the lookup of an API key by its hash':
    /^SELECT k\.id, .* FROM api_keys k JOIN companies c .* WHERE k\.key_hash = /,
  'the beginning of a batch of attempts': /^SELECT \(claim\.index - \$\d+\)::int AS index, claim\.company_id/,
  'the check of SECRETS_KEY when a process starts':
    /^SELECT .*secret_ciphertext.* FROM .*webhook_endpoints.* LIMIT/,
  'the ids of the keys of stored secrets, when a process starts':
    /^SELECT key_id AS id, count\(DISTINCT \(company_id, .* FROM webhook_endpoints/,
  'the alerts that are due': /^WITH due_alert AS MATERIALIZED/,
  'the tick': /^WITH work AS MATERIALIZED \(SELECT \(SELECT \$\d+ FROM workspace_queue/,
  'the deliveries that are ready to be claimed':
    /^WITH RECURSIVE listed AS MATERIALIZED \( SELECT DISTINCT company_id FROM .* workspace_queue/,
  'the claim': /^WITH lane AS MATERIALIZED \( SELECT \* FROM unnest\(/,
  'the workspace of the next erasure': /^SELECT t\.company_id AS "companyId" FROM erasure_turns t WHERE/,
  'when the next step of an erasure is due':
    /^SELECT extract\(\$1 FROM min\(greatest\(t\.due_at, r\.due_at\)\)/,
  'the deliveries that became due': /^WITH due AS MATERIALIZED \( .* <= statement_timestamp\(\)/,
  'the queue of workspaces, to lock it': /^SELECT position FROM workspace_queue WHERE company_id = ANY/,
  'the queue of workspaces, to move it': /^WITH visited AS .* FROM workspace_queue AS entry/,
  'the endpoints to reconcile':
    /^SELECT company_id AS "companyId", id FROM webhook_endpoints WHERE reconciled_to IS NOT NULL/,
  'the outcomes of a batch of attempts': /^WITH ended AS MATERIALIZED \( SELECT \* FROM json_to_recordset/,
  'old counts': /^WITH minutes AS \( DELETE FROM attempt_counts/,
  'the workspaces with old deliveries': /^SELECT company\.id AS "companyId", .* FROM webhook_deliveries/,
  'the workspaces with old audit records': /^SELECT company\.id AS "companyId", .* FROM audit_records/,
};

/** A condition on the workspace, a capture into it, or a row that is written to it. */
const NAMES_A_WORKSPACE =
  /company_id"?\s*=\s*\$\d|FROM capture_context\(\$\d|INSERT INTO [^(]*\("?company_id"?,[^)]*\) (SELECT|VALUES \() ?\$\d/;

let database: TestDatabase;
let receiver: Receiver;
let api: RunningApp;
let worker: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
});
afterAll(async () => {
  await api.stop();
  await Promise.all([receiver.close(), database.drop()]);
});

const visit = (key: string) => ({
  record: 'event' as const,
  key,
  type: 'room_visit',
  occurredAt: '2026-09-01T12:00:00Z',
  distributionId: LINK,
});

test('the statements of capture, deliveries, feeds, metrics and keys name one workspace, with these exceptions', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const installed = await client.query(
    `SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements'`,
  );
  const { rows: loaded } = await client.query<{ libraries: string }>(
    `SELECT current_setting('shared_preload_libraries') AS libraries`,
  );
  if (installed.rowCount === 0 || !loaded[0]!.libraries.includes('pg_stat_statements')) {
    console.log('skipped: the server of DATABASE_URL has no pg_stat_statements');
    await client.end();
    return;
  }
  await client.query('CREATE EXTENSION pg_stat_statements');
  await captureWorkspace(database.db);
  const key = await createKey(api.baseUrl);
  await request(`${api.baseUrl}/webhooks`, adminToken(), {
    method: 'POST',
    body: { url: receiver.url, events: ['*'] },
  });
  await client.query(
    'SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))',
  );

  worker = await startApp('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '100',
    RETENTION_DAYS: '90',
    AUDIT_RETENTION_DAYS: '90',
  });
  await capture(database.db, visit('first'));
  await worker.waitForOutput('"outcome":"delivered"');
  receiver.respond(500);
  await capture(database.db, visit('second'));
  await worker.waitForOutput('"outcome":"failed"');
  await capture(database.db, { record: 'erasePerson', email: 'nobody@globex.example' });
  await worker.waitForOutput('"message":"erasure finished"');
  for (const path of [
    'status',
    ...FEEDS,
    'room-scores',
    `decision-rooms/${ROOM}/metrics`,
    `distributions/${LINK}/heatmap`,
  ]) {
    expect([path, (await request(`${api.baseUrl}/${path}`, key)).status]).toEqual([path, 200]);
  }
  await until('a whole pass of the retention', async () => {
    const { rowCount } = await client.query(`
      SELECT FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND query LIKE '%FROM audit_records WHERE company_id = company.id%'`);
    return rowCount !== 0;
  });
  expect(await worker.stop()).toBe(0);

  const { rows } = await client.query<{ query: string }>(`
    SELECT query FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  const { rows: tables } = await client.query<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'company_id'`);
  await client.end();
  const ofWorkspaces = new RegExp(`\\b(${tables.map(({ name }) => name).join('|')})\\b`);
  const statements = rows.map(({ query }) => query.replaceAll(/\s+/g, ' ').trim());
  const concerned = statements.filter((text) => ofWorkspaces.test(text));
  expect(concerned.length).toBeGreaterThan(20);
  const others = concerned.filter((text) => !NAMES_A_WORKSPACE.test(text));
  const names = others.map(
    (text) => Object.entries(OF_SEVERAL_WORKSPACES).find(([, form]) => form.test(text))?.[0] ?? text,
  );
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(OF_SEVERAL_WORKSPACES).toSorted());
});
