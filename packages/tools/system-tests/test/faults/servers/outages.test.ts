import type { RunningApp } from '@deal-signals/test-kit/processes';
import { parseScrape } from '@deal-signals/test-kit/prometheus-text';
import type { TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { until } from '@deal-signals/test-kit/until';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openScene, PATIENT, type Scene } from '../../../src/faults/scene.ts';
import { recordScrapes, type ScrapeHistory } from '../../../src/faults/scrape-history.ts';

// Tests the log lines and the alerts of an outage: one API and one worker, whose PostgreSQL goes away, then their Redis, and
// then the worker.

const ATTEMPTS = 20;
const REQUESTS = 30;
const PROBES = 10;
/** Each attempt has tried to record its outcome about five times. */
const ERRORS = 100;
/** Log lines for the outage itself, for each kind of failure that it causes, and for readiness. */
const MAX_LINES = 14;
const MAX_BYTES = 24_000;

/** The alerts that this test must cause. Others may fire as well, because the rate of errors depends on the machine. */
const ALERTS = ['NoApiReady', 'NoWorkerReady', 'NothingSent', 'PostgresqlAway', 'ProcessDown', 'RedisAway'];

interface Line {
  message: string;
  [field: string]: unknown;
}

let scene: Scene;
let postgres: TcpProxy;
let redis: TcpProxy;
let api: RunningApp;
let worker: RunningApp;
let scrapes: ScrapeHistory;

beforeAll(async () => {
  scene = await openScene();
  postgres = await scene.startProxy(scene.databaseUrl);
  redis = await scene.startProxy(scene.redis.url);
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  [api, worker] = await Promise.all([scene.startApi(env), scene.startWorker({ ...env, ...PATIENT })]);
  scrapes = recordScrapes([
    { job: 'deal-signals-api', url: api.url },
    { job: 'deal-signals-worker', url: worker.url },
  ]);
  // A worker is ready shortly before its first tick, and an alert fires for one that never ticks.
  await until('a tick', async () => (await metricOf(worker, 'deal_signals_last_tick_timestamp_seconds')) > 0);
});
afterAll(async () => {
  await api.stop();
  await scene.close();
});

/** Scrapes as often as rules with a wait of one or two minutes need. Returns the last minute. */
async function watch(): Promise<number> {
  for (let scrape = 0; scrape < 4; scrape += 1) await scrapes.scrape();
  return scrapes.scrape();
}

/** Returns what an app logs from now on. */
function openLog(app: RunningApp) {
  const from = app.output().length;
  return {
    lines: () =>
      app
        .output()
        .slice(from)
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line),
    bytes: () => app.output().length - from,
  };
}

async function metricOf(app: RunningApp, name: string): Promise<number> {
  const response = await fetch(new URL('/metrics', app.url));
  return parseScrape(await response.text()).values.get(name) ?? 0;
}

/** Expects one line at the beginning and one at the end of the outage of a server, and nothing that grows with its errors. */
function expectOneOutage({ lines, bytes }: ReturnType<typeof openLog>, server: string): void {
  const of = (message: string) =>
    lines().filter((line) => line.message === message && line['server'] === server);
  expect(of('connection trouble')).toHaveLength(1);
  expect(of('connection trouble')).toEqual([expect.objectContaining({ error: expect.any(String) })]);
  expect(of('connection restored')).toEqual([
    expect.objectContaining({ errors: expect.any(Number), durationMs: expect.any(Number) }),
  ]);
  const ownOfOutage = lines().filter(
    ({ message }) => !['request', 'attempt', 'deliveries dispatched'].includes(message),
  );
  expect(ownOfOutage.length).toBeLessThanOrEqual(MAX_LINES);
  expect(bytes()).toBeLessThanOrEqual(MAX_BYTES);
}

test('outages log a few lines, and each raises its alerts', async () => {
  const expected: Record<number, string[]> = { [await watch()]: [] };

  const { receiver, db } = scene;
  receiver.answerWith('hold');
  await captureEvents(
    db,
    Array.from({ length: ATTEMPTS }, (_, n) => `event-${n}`),
  );
  await receiver.untilArrived(ATTEMPTS);
  const logs = { api: openLog(api), worker: openLog(worker) };
  await postgres.cut();
  receiver.release();
  receiver.answerWith({ status: 200 });
  const before = await metricOf(worker, 'deal_signals_database_errors_total');
  const statuses = new Set<number>();
  for (let request = 0; request < REQUESTS; request += 1) {
    const response = await fetch(`${api.baseUrl}/status`, {
      headers: { authorization: `Bearer dsk_live_${'0'.repeat(43)}` },
    });
    await response.arrayBuffer();
    statuses.add(response.status);
  }
  for (let probe = 0; probe < PROBES; probe += 1) {
    await (await fetch(new URL('/readyz', api.url))).arrayBuffer();
  }
  const withoutPostgres = await watch();
  await until(
    'many errors',
    async () => (await metricOf(worker, 'deal_signals_database_errors_total')) >= before + ERRORS,
  );
  await postgres.restore();
  for (const app of [api, worker]) await app.waitForOutput('"message":"connection restored"');
  await worker.waitForOutput('"message":"worker ready again"');
  const requests = logs.api.lines().filter(({ message }) => message === 'request');
  expect([...statuses]).toEqual([503]);
  // Probes and scrapes are not logged, and a stack is logged once for all requests.
  expect(requests).toHaveLength(REQUESTS);
  expect(requests.filter((line) => 'stack' in line)).toHaveLength(1);
  expectOneOutage(logs.api, 'PostgreSQL');
  expectOneOutage(logs.worker, 'PostgreSQL');
  await until(
    'every delivery',
    async () => (await db.webhookDelivery.count({ where: { status: 'delivered' } })) === ATTEMPTS,
  );
  expect(receiver.arrivals).toHaveLength(ATTEMPTS);
  expected[withoutPostgres] = ['NoApiReady', 'NoWorkerReady', 'PostgresqlAway'];

  const ofRedis = openLog(worker);
  await redis.cut();
  const redisBefore = await metricOf(worker, 'deal_signals_redis_errors_total');
  const withoutRedis = await watch();
  await until(
    'errors',
    async () => (await metricOf(worker, 'deal_signals_redis_errors_total')) >= redisBefore + 10,
  );
  await redis.restore();
  await worker.waitForOutput(/"message":"connection restored"[^\n]*"server":"Redis"/);
  expectOneOutage(ofRedis, 'Redis');
  expected[withoutRedis] = ['NoWorkerReady', 'RedisAway'];

  await worker.kill9();
  expected[await watch()] = ['NoWorkerReady', 'NothingSent', 'ProcessDown'];
  const result = await scrapes.check(ALERTS, expected);
  if (result === null) process.stderr.write('skipped: promtool is missing, so no rule was evaluated\n');
  else expect(result).toEqual({ passed: true, text: expect.stringContaining('SUCCESS') });
});
