import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT_GROUPS } from '../../src/reference/alerts.ts';
import { SETTINGS } from '../../src/reference/settings.ts';
import { adminToken, createKey, request } from '../published-api.ts';
import { readPage } from '../docs/programs.ts';

// Checks the rules, the dashboard, the chart and the operators' page against the metrics and log lines of real processes, and
// runs the SQL statements of the page.

const PAGE = readPage('operators/operations.md');
const RULES = ALERT_GROUPS.flatMap(({ rules }) => rules);
const RUNBOOKS = RULES.map(({ annotations }) => annotations.runbook).join('\n');
const CODE = Array.from(`${PAGE}\n${RUNBOOKS}`.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
const DASHBOARD = readFileSync(path.join(REPOSITORY_ROOT, 'docker/chart/files/dashboard.json'), 'utf8');
/** The metrics of the workers by which KEDA scales them. */
const SCALER = readFileSync(path.join(REPOSITORY_ROOT, 'docker/chart/templates/worker.yaml'), 'utf8');
const { panels } = JSON.parse(DASHBOARD) as { panels: { targets?: { expr: string }[] }[] };
const PLOTTED = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const EXPRESSIONS = [
  ...RULES.map(({ expr }) => expr),
  ...CODE.filter((code) => /^deal_signals_\w+\{/.test(code)),
  // Grafana replaces its own variables.
  ...PLOTTED.map((expression) => expression.replaceAll('$__rate_interval', '5m')),
];
/** Labels that Prometheus adds to a series or to a bucket. */
const ADDED_LABELS = ['job', 'instance', 'le'];

let database: TestDatabase;
let receiver: Receiver;
let api: RunningApp;
let worker: RunningApp;
/** The metrics that each app declares. */
let declared: Record<'api' | 'worker', string[]>;
/** The label values of each metric and label in the scrapes. */
const shown = new Map<string, Map<string, Set<string>>>();

const typeOf = new Map<string, string>();

const workerUrl = () =>
  `http://127.0.0.1:${/"message":"worker ready","port":(\d+)/.exec(worker.output())?.[1]}`;

async function scrape(url: string): Promise<string[]> {
  const { types, values } = parseScrape(await (await fetch(new URL('/metrics', url))).text());
  for (const series of values.keys()) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
    const ofMetric = shown.get(name) ?? new Map<string, Set<string>>();
    shown.set(name, ofMetric);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      ofMetric.set(label, (ofMetric.get(label) ?? new Set()).add(value));
    }
  }
  for (const [name, type] of types) typeOf.set(name, type);
  return [...types.keys()].filter((name) => name.startsWith('deal_signals_'));
}

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  const env = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis(), DISPATCH_TICK_MS: '100' };
  await capture(database.db, { record: 'company', id: COMPANY, name: 'Acme' });
  [api, worker] = await Promise.all([startApp('api', env), startApp('worker', env)]);
  const key = await createKey(api.baseUrl);
  await request(`${api.baseUrl}/calls/unknown`, key);
  const { body } = await request(`${api.baseUrl}/webhooks`, adminToken(), {
    method: 'POST',
    // Only one event, because the worker must have nothing left to send when the receiver begins to fail.
    body: { url: receiver.url, events: ['engagement.recorded'] },
  });
  const webhook = `${api.baseUrl}/webhooks/${body.data.id}`;
  await request(`${webhook}/ping`, adminToken(), { method: 'POST' });
  const occurredAt = '2026-09-01T12:00:00Z';
  await capture(
    database.db,
    { record: 'room', id: uuid(1), name: 'Globex', slug: 'globex' },
    { record: 'distribution', id: uuid(2), roomId: uuid(1), recipientName: 'Bob', recipientEmail: null },
    { record: 'event', key: 'visit', type: 'room_visit', occurredAt, distributionId: uuid(2) },
  );
  await worker.waitForOutput('"message":"attempt"');
  receiver.respond(410);
  await request(`${webhook}/ping`, adminToken(), { method: 'POST' });
  await api.waitForOutput('"endpointDisabled":true');
  await fetch(new URL('/healthz', api.baseUrl));
  // The second scrape includes the first one in its counts.
  await scrape(api.baseUrl);
  const apiMetrics = await scrape(api.baseUrl);
  await until('the gauges', async () => {
    await scrape(workerUrl());
    return shown.has('deal_signals_queue_jobs') && shown.has('deal_signals_due_deliveries');
  });
  declared = { api: apiMetrics, worker: await scrape(workerUrl()) };
  await Promise.all([api.stop(), worker.stop()]);
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const NAMES = /\b(?:deal_signals|process|nodejs)_[a-z0-9_]+\b/g;
const USED = `${EXPRESSIONS.join('\n')}\n${RUNBOOKS}`;

test('every metric that is named exists', () => {
  for (const [name] of `${PAGE}${DASHBOARD}${USED}`.matchAll(NAMES)) {
    expect([name, shown.has(name) || declared.api.includes(name)]).toEqual([name, true]);
  }
});

test('every metric is plotted, or used by an alert or its runbook', () => {
  for (const name of [...declared.api, ...declared.worker]) expect(USED).toContain(name);
});

test('the workers are scaled by their own metrics', () => {
  const scaling = SCALER.match(NAMES) ?? [];
  expect(scaling).toHaveLength(2);
  expect(declared.worker).toEqual(expect.arrayContaining(scaling));
});

test('every alternative of every selector matches a series of the scrapes', () => {
  const selectors = EXPRESSIONS.flatMap((expression) =>
    Array.from(expression.matchAll(/(\w+)\{([^}]*)\}/g), ([, name = '', matchers = '']) => ({
      name,
      matchers,
    })),
  );
  expect(PLOTTED.length).toBeGreaterThan(30);
  expect(selectors.length).toBeGreaterThan(8);
  for (const { name, matchers } of selectors) {
    for (const [, label = '', , pattern = ''] of matchers.matchAll(/(\w+)(=~|!~|=|!=)"([^"]*)"/g)) {
      if (ADDED_LABELS.includes(label)) continue;
      const values = [...(shown.get(name)?.get(label) ?? [])];
      for (const alternative of pattern.split('|')) {
        const matched = values.some((value) => new RegExp(`^(?:${alternative})$`).test(value));
        expect([name, label, alternative, matched]).toEqual([name, label, alternative, true]);
      }
    }
  }
});

test('every expression has balanced brackets', () => {
  for (const expression of EXPRESSIONS) {
    let rest = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/[^()[\]{}]/g, '');
    for (let shorter = rest; ; rest = shorter) {
      shorter = rest.replaceAll(/\(\)|\[\]|\{\}/g, '');
      if (shorter === rest) break;
    }
    expect([expression, rest]).toEqual([expression, '']);
  }
});

test('the log lines of both apps use the same field names', () => {
  const lines = `${api.output()}${worker.output()}`
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  // The attempt lines of both apps have the same fields, and share field names with the request line.
  const attempts = (app: string) =>
    lines.filter((line) => line['message'] === 'attempt' && line['app'] === app);
  const [ofApi] = attempts('api');
  const [ofWorker] = attempts('worker');
  const { requestId, ...shared } = ofApi!;
  expect(Object.keys(shared).toSorted()).toEqual(Object.keys(ofWorker!).toSorted());
  const logged = lines.find((line) => line['message'] === 'request' && line['requestId'] === requestId);
  expect(logged).toMatchObject({ route: '/webhooks/:id/ping', statusCode: 200, companyId: COMPANY });
  for (const field of ['deliveryId', 'eventId', 'endpointId']) expect(logged![field]).toBe(ofApi![field]);
});

test('the SQL statements of the page run', async () => {
  const statements = Array.from(PAGE.matchAll(/^```sql\n([\s\S]*?)^```/gm), ([, sql = '']) => sql);
  expect(statements).toHaveLength(7);
  const ofRoles = (statement: string) => statement.startsWith('ALTER ROLE');
  for (const statement of statements.filter((one) => !ofRoles(one))) {
    expect(await database.db.$queryRawUnsafe(statement)).toBeInstanceOf(Array);
  }
  // Roles belong to the whole server, so changes to them are rolled back.
  const done = database.db.transaction(async (transaction) => {
    await transaction.$executeRaw`
      DO $$ BEGIN CREATE ROLE signals_app; EXCEPTION WHEN duplicate_object THEN NULL; END $$`;
    for (const statement of statements.filter(ofRoles).join('').trim().split('\n')) {
      await transaction.$executeRawUnsafe(statement);
    }
    throw new Error('rolled back');
  });
  await expect(done).rejects.toThrow('taken back');
});

const CODES = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMITED', 'REQUEST_TIMEOUT'];
/** Node.js itself reads these. */
const NODE_VARIABLES = ['NODE_EXTRA_CA_CERTS'];
const VARIABLES = CODE.filter((code) => /^[A-Z]+(_[A-Z]+)+$/.test(code) || code === 'PORT');

test.each([...new Set(VARIABLES)].filter((name) => ![...CODES, ...NODE_VARIABLES].includes(name)))(
  'the variable %s exists',
  (name) => {
    if (SETTINGS.api.has(name) || SETTINGS.worker.has(name)) return;
    // The settings of the containers, and other variables of OpenTelemetry.
    const sources = ['docker/compose.yaml', 'packages/runtime/src/tracing.ts'].map((file) =>
      readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8'),
    );
    expect(sources.join('')).toMatch(new RegExp(`\\$\\{${name}:|^ +${name}:`, 'm'));
  },
);
